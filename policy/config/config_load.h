/*
 * config_load.h: from a policy file's text to a policy. Others come through the door, judge.h.
 *
 * `definitions` says which settings each rule takes; it must live as long as the policy.
 */
#ifndef APPLYGUARD_POLICY_CONFIG_CONFIG_LOAD_H
#define APPLYGUARD_POLICY_CONFIG_CONFIG_LOAD_H

#include "policy/config/config.h"

/* As policy_check. */
struct policy *config_load(
    rule_definitions_table definitions, struct slice text, struct policy_problems *problems);

/* As policy_default. */
struct policy *config_default(rule_definitions_table definitions);

#endif
