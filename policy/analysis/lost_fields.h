/*
 * lost_fields.h: the fields that a request takes or removes from other managers, as ownership-conflict
 * reports them.
 *
 * They are found once for a review, by the first rule that asks. Rules do not repeat a field that
 * ownership-conflict reports, or count how often a field changes hands: they read all lost fields here, and
 * not the fields that a finding lists.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_LOST_FIELDS_H
#define APPLYGUARD_POLICY_ANALYSIS_LOST_FIELDS_H

#include "policy/analysis/conflicts.h"
#include "policy/verdict/verdict.h"

/* The fields of one finding of ownership-conflict. */
struct lost_fields_group {
    const struct conflict_group *conflicts;
    struct finding finding; /* without its message; policy_action off: the policy does not report it */
};

struct lost_fields {
    struct conflicts conflicts;
    const struct lost_fields_group *groups; /* the strongest conflicts first */
    size_t count;
};

/* Empty if the policy does not report conflicts. The first call finds them. */
const struct lost_fields *lost_fields_find(const struct review *review, const struct verdict *verdict);

/* Whether the group has the field with this printed path. */
bool lost_fields_have(const struct lost_fields_group *group, struct slice field);

#endif
