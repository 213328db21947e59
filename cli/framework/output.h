/*
 * output.h: standard output, and whether all output has reached it.
 *
 * A write may fail in the middle of a run, long before the result is checked. So commands print without
 * checking, and this module decides about failures: a closed pipe is fine, because its reader has enough, and
 * any other failure is an error.
 */
#ifndef APPLYGUARD_CLI_FRAMEWORK_OUTPUT_H
#define APPLYGUARD_CLI_FRAMEWORK_OUTPUT_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdio.h>

/* Call it before anything is opened or printed. */
void output_begin(void);

/*
 * The exit status at the end: `status`, or after lost output, which is reported on stderr, the one for that.
 */
int output_end(int status);

/* Writes the text. Returns false if its bytes are NULL, because memory ran out for it. */
bool output_write(FILE *out, struct slice text);

#endif
