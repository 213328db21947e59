#include "policy/config/denials.h"

/* The setting of this kind, which the rule's own file declares; NULL: it has none. */
static const void *setting_of(const struct policy *policy, enum rule_id rule, enum setting_kind kind)
{
    const struct rule_definition *definition = policy->definitions[rule];
    for (size_t i = 0; i < definition->setting_count; i++)
        if (definition->settings[i].kind == kind)
            return (const char *)policy->settings[rule] + definition->settings[i].offset;
    return NULL;
}

static bool denies(const struct policy *policy, enum rule_id rule)
{
    return policy->mode == MODE_ENFORCE && policy->actions[rule] == ACTION_DENY;
}

bool policy_denies_takeover(
    const struct policy *policy, enum manager_class writer, enum manager_class previous_owner)
{
    const enum action *takeover = setting_of(policy, RULE_ownership_conflict, SETTING_TAKEOVER);
    return takeover && denies(policy, RULE_ownership_conflict) && writer < OWNING_CLASS_COUNT &&
        previous_owner < OWNING_CLASS_COUNT &&
        takeover[(size_t)writer * OWNING_CLASS_COUNT + previous_owner] == ACTION_DENY;
}

bool policy_denies_moves(const struct policy *policy)
{
    const struct manager_moves *moves = setting_of(policy, RULE_managedfields_rewritten, SETTING_MOVES);
    return denies(policy, RULE_managedfields_rewritten) && (!moves || !moves->count);
}
