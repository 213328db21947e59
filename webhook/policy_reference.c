#include "webhook/policy_reference.h"

#include <stdlib.h>

struct policy_reference *policy_reference_create(struct policy *policy)
{
    struct policy_reference *reference = malloc(sizeof(*reference));
    if (!reference)
        return NULL;
    *reference = (struct policy_reference){.policy = policy, .owned = policy, .holders = 1};
    return reference;
}

struct policy_reference *policy_reference_hold(struct policy_reference *reference)
{
    atomic_fetch_add_explicit(&reference->holders, 1, memory_order_relaxed);
    return reference;
}

void policy_reference_release(struct policy_reference *reference)
{
    if (!reference || atomic_fetch_sub_explicit(&reference->holders, 1, memory_order_acq_rel) != 1)
        return;
    policy_free(reference->owned);
    free(reference);
}
