/*
 * report.h: verdicts as people and programs read them.
 */
#ifndef APPLYGUARD_CLI_REPORT_H
#define APPLYGUARD_CLI_REPORT_H

#include "policy/verdict/verdict.h"

#include <stdbool.h>
#include <stdio.h>

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_RESPONSE };

/* "text", "json", "response"; false leaves the output alone. */
bool report_format_parse(const char *text, enum report_format *format);

/*
 * Prints one verdict: for people, as one line of JSON, or as the webhook would answer, byte for byte. `file`
 * is where the review came from. Returns -1 if there is no memory.
 */
int report_print(
    const struct verdict *verdict, struct slice file, enum report_format format, bool colour,
    struct arena *arena, FILE *out);

#endif
