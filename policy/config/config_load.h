/*
 * config_load.h: loads a policy from the text of a policy file. Code outside of policy/ calls judge.h
 * instead.
 *
 * `definitions` lists the settings of each rule. It must outlive the policy.
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
