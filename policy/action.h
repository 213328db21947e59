/*
 * action.h: the action of a finding, from off to deny, and the modes that lower it.
 */
#ifndef APPLYGUARD_POLICY_ACTION_H
#define APPLYGUARD_POLICY_ACTION_H

#include "base/slice.h"

#include <stdbool.h>

/* Ordered: a larger action is a stronger one. */
enum action { ACTION_OFF, ACTION_AUDIT, ACTION_WARN, ACTION_DENY };

/*
 * The strongest action that a policy, an override or a path of the webhook allows. Ordered in the same way.
 */
enum mode { MODE_AUDIT, MODE_WARN, MODE_ENFORCE };

#define ACTION_COUNT 4
#define MODE_COUNT 3

/* "off", "audit", "warn", "deny". */
const char *action_name(enum action action);

/* "audit", "warn", "enforce". */
const char *mode_name(enum mode mode);

/* Both parse exactly the names above. On false the output is unchanged. */
bool action_parse(struct slice text, enum action *action);
bool mode_parse(struct slice text, enum mode *mode);

static inline enum action action_min(enum action a, enum action b)
{
    return a < b ? a : b;
}

static inline enum mode mode_min(enum mode a, enum mode b)
{
    return a < b ? a : b;
}

/* The action of a finding, and the action that the policy alone would take, which is never weaker. */
struct action_pair {
    enum action action;
    enum action policy_action;
};

/* All pairs of actions other than off, to index tables: audit of audit, audit of warn, warn of warn, ... */
#define ACTION_PAIR_COUNT 6
extern const struct action_pair action_pairs[ACTION_PAIR_COUNT];

/* The index of a pair in that table. */
static inline size_t action_pair_index(enum action action, enum action policy_action)
{
    size_t weaker = (size_t)policy_action - ACTION_AUDIT;
    return weaker * (weaker + 1) / 2 + (size_t)action - ACTION_AUDIT;
}

/* The strongest action under `mode`. */
static inline enum action action_ceiling(enum mode mode)
{
    return mode == MODE_ENFORCE ? ACTION_DENY : mode == MODE_WARN ? ACTION_WARN : ACTION_AUDIT;
}

#endif
