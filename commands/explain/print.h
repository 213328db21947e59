/*
 * print.h: conflicts with who holds the fields and the ways out, for people and programs.
 */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_PRINT_H
#define APPLYGUARD_COMMANDS_EXPLAIN_PRINT_H

#include "base/text.h"
#include "owners/conflict.h"
#include "owners/live.h"
#include "owners/ways.h"

#include <stdbool.h>

struct conflict_print {
    const struct class_rules *class_rules; /* the policy's */
    bool is_json;
    bool has_colour;
};

/*
 * One report: paragraphs, or a line of JSON. Values of fields are in none. `live` is its object with what
 * live_find found of its conflicts, or NULL. NULL bytes if there is no memory.
 */
struct slice conflict_report_print(
    const struct conflict_print *print, const struct conflict_report *report, const struct live_fields *live,
    struct arena *arena);

#endif
