#include "policy/rules/definitions.h"

#define RULE(symbol, name, scope, baseline, strict, summary) [RULE_##symbol] = &rule_##symbol,

const struct rule_definition *const rule_definitions[RULE_COUNT] = {
#include "policy/rules.def"
};
