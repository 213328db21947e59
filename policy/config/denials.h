/*
 * denials.h: whether a policy denies the ways in which a person may resolve a conflict. Overrides and waivers
 * may still allow them for some objects.
 */
#ifndef APPLYGUARD_POLICY_CONFIG_DENIALS_H
#define APPLYGUARD_POLICY_CONFIG_DENIALS_H

#include "policy/config/config.h"

/* A writer of the one class takes a field from an owner of the other, by the rule ownership-conflict. */
bool policy_denies_takeover(
    const struct policy *policy, enum manager_class writer, enum manager_class previous_owner);

/* A patch moves ownership without a change of value, by the rule managedfields-rewritten. */
bool policy_denies_moves(const struct policy *policy);

#endif
