/*
 * output.h: standard output, and whether all that was printed reached it.
 *
 * A write may fail in the middle of a run, long before anybody asks. So commands print and go on, and what a
 * failure means is decided here: a reader that went away has all that it wants, any other failure is an
 * error.
 */
#ifndef APPLYGUARD_CLI_FRAMEWORK_OUTPUT_H
#define APPLYGUARD_CLI_FRAMEWORK_OUTPUT_H

#include <stdbool.h>

/* Call it before anything is opened or printed. */
void output_begin(void);

/* Prints what is held back. False if something that was printed is lost to a reader that still wants it. */
bool output_flush(void);

/* The exit status, once all is printed: `status`, or the one for lost output, which is said on stderr. */
int output_end(int status);

#endif
