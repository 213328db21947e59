#include "policy/rules.h"

/* Profile `audit` is `baseline` with every action lowered to audit. */
#define AT_MOST_AUDIT(action) ((action) > ACTION_AUDIT ? ACTION_AUDIT : (action))

#define RULE(symbol, name_, scope_, baseline, strict, summary_)                                              \
    [RULE_##symbol] = {                                                                                      \
        .name = name_,                                                                                       \
        .summary = summary_,                                                                                 \
        .scope = SCOPE_##scope_,                                                                             \
        .actions = {AT_MOST_AUDIT(ACTION_##baseline), ACTION_##baseline, ACTION_##strict},                   \
    },

const struct rule rules[RULE_COUNT] = {
#include "policy/rules.def"
};

bool rule_find(struct slice name, enum rule_id *id)
{
    for (int i = 0; i < RULE_COUNT; i++) {
        if (name.length && name.bytes[0] == rules[i].name[0] && slice_equal(name, slice_of(rules[i].name))) {
            *id = (enum rule_id)i;
            return true;
        }
    }
    return false;
}
