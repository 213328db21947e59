/* explained.h: conflicts with the known facts about their holders, and the resolutions. */
#ifndef APPLYGUARD_OWNERS_EXPLAINED_H
#define APPLYGUARD_OWNERS_EXPLAINED_H

#include "base/text.h"
#include "owners/conflict.h"
#include "owners/live.h"
#include "owners/resolutions.h"

/* A conflict with its known facts. */
struct explained {
    const struct conflict *conflict;
    const struct live_field *field; /* NULL without a live object */
    enum manager_class class;
    struct slice since; /* empty: unknown */
    struct resolution resolutions[RESOLUTION_COUNT];
};

/*
 * Returns one item for each conflict of a report. `live` is its object with the result of live_find, or NULL;
 * `class_rules` are the policy's, or NULL. Returns NULL if memory runs out.
 */
struct explained *conflict_explain(
    const struct conflict_report *report, const struct live_fields *live,
    const struct class_rules *class_rules, struct arena *arena);

#endif
