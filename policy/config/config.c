#include "policy/config/config.h"

#include "base/arena.h"

static const char *const profile_names[PROFILE_COUNT] = {
    [PROFILE_AUDIT] = "audit", [PROFILE_BASELINE] = "baseline", [PROFILE_STRICT] = "strict"};

const char *profile_name(enum profile profile)
{
    return profile_names[profile];
}

void policy_free(struct policy *policy)
{
    if (policy)
        arena_destroy(policy->arena);
}
