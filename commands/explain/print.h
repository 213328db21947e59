/* print.h: conflicts with the holders of the fields and the resolutions, for people and programs. */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_PRINT_H
#define APPLYGUARD_COMMANDS_EXPLAIN_PRINT_H

#include "base/text.h"
#include "owners/conflict.h"
#include "owners/live.h"
#include "owners/resolutions.h"
#include "policy/config/config.h"

#include <stdbool.h>

struct conflict_print {
    const struct policy *policy; /* never NULL */
    bool is_json;
    bool has_colour;
};

/*
 * One report: paragraphs, or a line of JSON. Neither has values of fields. `live` is its object with the
 * result of live_find for its conflicts, or NULL. NULL bytes if memory runs out.
 */
struct slice conflict_report_print(
    const struct conflict_print *print, const struct conflict_report *report, const struct live_fields *live,
    struct arena *arena);

#endif
