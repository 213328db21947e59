/*
 * denials.h: whether a policy denies what a person may do about a conflict, whatever the object. Overrides
 * and waivers may lower it for some objects.
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
