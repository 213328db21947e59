/*
 * rules.h: the table of rules, with their names and default actions. Each rule's definition is in its own
 * file (policy/rules/definitions.h).
 */
#ifndef APPLYGUARD_POLICY_RULES_H
#define APPLYGUARD_POLICY_RULES_H

#include "base/slice.h"
#include "policy/action.h"

#include <stdbool.h>
#include <stddef.h>

enum rule_id {
#define RULE(symbol, name, scope, baseline, strict, summary) RULE_##symbol,
#include "policy/rules.def"
#undef RULE
    RULE_COUNT
};

enum profile { PROFILE_AUDIT, PROFILE_BASELINE, PROFILE_STRICT, PROFILE_COUNT };

enum rule_scope {
    SCOPE_REVIEW,   /* judges any request */
    SCOPE_MANIFEST, /* judges manifests alone: a webhook never finds it */
    SCOPE_OBJECT,   /* judges objects as a cluster stores them alone: only scan finds it */
};

struct rule {
    const char *name;
    const char *summary;
    enum rule_scope scope;
    enum action actions[PROFILE_COUNT]; /* the defaults */
};

extern const struct rule rules[RULE_COUNT];

/* Returns false if no rule has that name. */
bool rule_find(struct slice name, enum rule_id *id);

#endif
