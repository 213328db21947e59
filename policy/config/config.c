#include "policy/config/config.h"

#include "base/arena.h"

const char *const profile_names[PROFILE_COUNT] = {
    [PROFILE_AUDIT] = "audit", [PROFILE_BASELINE] = "baseline", [PROFILE_STRICT] = "strict"};

const char *profile_name(enum profile profile)
{
    return profile_names[profile];
}

bool profile_find(struct slice name, enum profile *profile)
{
    for (int i = 0; i < PROFILE_COUNT; i++) {
        if (slice_equal(name, slice_of(profile_names[i]))) {
            *profile = (enum profile)i;
            return true;
        }
    }
    return false;
}

void policy_free(struct policy *policy)
{
    if (policy)
        arena_destroy(policy->arena);
}
