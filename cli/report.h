/*
 * report.h: prints verdicts for people and programs.
 */
#ifndef APPLYGUARD_CLI_REPORT_H
#define APPLYGUARD_CLI_REPORT_H

#include "policy/verdict/verdict.h"

#include <stdbool.h>
#include <stdio.h>

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_RESPONSE };

/* Parses "text", "json" and "response". On false the output is unchanged. */
bool report_format_parse(const char *text, enum report_format *format);

/*
 * Prints one verdict: for people, as one line of JSON, or exactly as the webhook would answer. `file` is the
 * review's file. Returns -1 if there is no memory.
 */
int report_print(
    const struct verdict *verdict, struct slice file, enum report_format format, bool colour,
    struct arena *arena, FILE *out);

#endif
