#include "commands/explain/refusals.h"

#include "policy/config/denials.h"
#include "policy/rules.h"

static struct slice name_of(enum rule_id rule)
{
    return slice_of(rules[rule].name);
}

/* Flux and Argo CD apply unattended, so they are warned at most. An operator is an applier as an owner. */
void refusals_find(
    const struct policy *policy, const struct conflict_report *report, struct explained *explained)
{
    bool is_attended = report->tool != CONFLICT_TOOL_FLUX && report->tool != CONFLICT_TOOL_ARGOCD;
    enum manager_class owner = explained->class == CLASS_OPERATOR ? CLASS_APPLIER : explained->class;
    const struct live_field *field = explained->field;
    if (is_attended && policy_denies_takeover(policy, CLASS_APPLIER, owner))
        explained->resolutions[RESOLUTION_FORCE].refused_by = name_of(RULE_ownership_conflict);
    if (field && field->is_held && field->is_removable && policy_denies_moves(policy))
        explained->resolutions[RESOLUTION_HAND_OVER].refused_by = name_of(RULE_managedfields_rewritten);
}
