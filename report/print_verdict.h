/*
 * print_verdict.h: prints verdicts for people and programs.
 */
#ifndef APPLYGUARD_REPORT_PRINT_VERDICT_H
#define APPLYGUARD_REPORT_PRINT_VERDICT_H

#include "policy/verdict/verdict.h"
#include "report/output_format.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Prints one verdict: for people, as one line of JSON, or exactly as the webhook would answer. `file` is the
 * review's file. Returns -1 if memory runs out.
 */
int print_verdict(
    const struct verdict *verdict, struct slice file, enum output_format format, bool colour,
    struct arena *arena, FILE *out);

#endif
