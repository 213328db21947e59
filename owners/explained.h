/*
 * explained.h: conflicts with what is known of their holders, and the ways out.
 */
#ifndef APPLYGUARD_OWNERS_EXPLAINED_H
#define APPLYGUARD_OWNERS_EXPLAINED_H

#include "base/text.h"
#include "owners/conflict.h"
#include "owners/live.h"
#include "owners/ways.h"

/* A conflict with all that is known of it. */
struct explained {
    const struct conflict *conflict;
    const struct live_field *field; /* NULL: there is no live object */
    enum manager_class class;
    struct slice since; /* empty: unknown */
    struct way ways[WAY_COUNT];
};

/*
 * All conflicts of a report, as many. `live` is its object with what live_find found of them, or NULL;
 * `class_rules` are the policy's, or NULL. NULL if there is no memory.
 */
const struct explained *conflict_explain(
    const struct conflict_report *report, const struct live_fields *live,
    const struct class_rules *class_rules, struct arena *arena);

#endif
