#include "policy/action.h"

const struct action_pair action_pairs[ACTION_PAIR_COUNT] = {
    {ACTION_AUDIT, ACTION_AUDIT}, {ACTION_AUDIT, ACTION_WARN}, {ACTION_WARN, ACTION_WARN},
    {ACTION_AUDIT, ACTION_DENY},  {ACTION_WARN, ACTION_DENY},  {ACTION_DENY, ACTION_DENY},
};

static const char *const action_names[ACTION_COUNT] = {"off", "audit", "warn", "deny"};
static const char *const mode_names[MODE_COUNT] = {"audit", "warn", "enforce"};

const char *action_name(enum action action)
{
    return action_names[action];
}

const char *mode_name(enum mode mode)
{
    return mode_names[mode];
}

bool action_parse(struct slice text, enum action *action)
{
    for (int i = 0; i < ACTION_COUNT; i++) {
        if (slice_equal(text, slice_of(action_names[i]))) {
            *action = (enum action)i;
            return true;
        }
    }
    return false;
}

bool mode_parse(struct slice text, enum mode *mode)
{
    for (int i = 0; i < MODE_COUNT; i++) {
        if (slice_equal(text, slice_of(mode_names[i]))) {
            *mode = (enum mode)i;
            return true;
        }
    }
    return false;
}
