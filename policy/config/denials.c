#include "policy/config/denials.h"

#include "policy/config/config_reader.h"

static bool denies(const struct policy *policy, enum rule_id rule)
{
    return policy->mode == MODE_ENFORCE && policy->actions[rule] == ACTION_DENY;
}

bool policy_denies_takeover(
    const struct policy *policy, enum manager_class writer, enum manager_class previous_owner)
{
    const enum action *takeover = config_setting(policy, RULE_ownership_conflict, SETTING_TAKEOVER);
    return takeover && denies(policy, RULE_ownership_conflict) && writer < OWNING_CLASS_COUNT &&
        previous_owner < OWNING_CLASS_COUNT &&
        takeover[(size_t)writer * OWNING_CLASS_COUNT + previous_owner] == ACTION_DENY;
}

bool policy_denies_moves(const struct policy *policy)
{
    const struct manager_moves *moves = config_setting(policy, RULE_managedfields_rewritten, SETTING_MOVES);
    return denies(policy, RULE_managedfields_rewritten) && (!moves || !moves->count);
}
