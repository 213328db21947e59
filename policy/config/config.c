#include "policy/config/config.h"

#include "base/arena.h"
#include "base/words.h"

const char *const profile_names[PROFILE_COUNT] = {
    [PROFILE_AUDIT] = "audit", [PROFILE_BASELINE] = "baseline", [PROFILE_STRICT] = "strict"};

const char *profile_name(enum profile profile)
{
    return profile_names[profile];
}

bool profile_find(struct slice name, enum profile *profile)
{
    size_t index;
    bool is_known = word_find(name, profile_names, PROFILE_COUNT, &index);
    if (is_known)
        *profile = (enum profile)index;
    return is_known;
}

void policy_free(struct policy *policy)
{
    if (policy)
        arena_destroy(policy->arena);
}
