#include "webhook/review/policy_reference.h"

#include <stdlib.h>

struct policy_reference *policy_reference_create(struct policy *policy, size_t loop_count)
{
    struct policy_reference *reference = malloc(sizeof(*reference));
    struct policy_message *messages = calloc(loop_count, sizeof(*messages));
    if (!reference || !messages) {
        free(reference);
        free(messages);
        policy_free(policy);
        return NULL;
    }
    *reference =
        (struct policy_reference){.policy = policy, .owned = policy, .holders = 1, .messages = messages};
    for (size_t i = 0; i < loop_count; i++)
        messages[i].reference = reference;
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
    free(reference->messages);
    free(reference);
}

/* It is the message's first member. */
struct policy_reference *policy_reference_of(struct loop_message *message)
{
    return ((struct policy_message *)message)->reference;
}
