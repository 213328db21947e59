/*
 * definitions.h: all rules, by rule_id. A rule's own file defines its `rule_SYMBOL`.
 */
#ifndef APPLYGUARD_POLICY_RULES_DEFINITIONS_H
#define APPLYGUARD_POLICY_RULES_DEFINITIONS_H

#include "policy/rule_definition.h"

#define RULE(symbol, name, scope, baseline, strict, summary)                                                 \
    extern const struct rule_definition rule_##symbol;
#include "policy/rules.def"
#undef RULE

extern const struct rule_definition *const rule_definitions[RULE_COUNT];

#endif
