#include "policy/action.h"

#include "base/words.h"

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
    size_t index;
    bool is_known = word_find(text, action_names, ACTION_COUNT, &index);
    if (is_known)
        *action = (enum action)index;
    return is_known;
}

bool mode_parse(struct slice text, enum mode *mode)
{
    size_t index;
    bool is_known = word_find(text, mode_names, MODE_COUNT, &index);
    if (is_known)
        *mode = (enum mode)index;
    return is_known;
}
