/*
 * policy_reference.h: a reference-counted policy that the loops share.
 *
 * The policy itself never changes, so loops read it without locks. A reload sends each loop a message with a
 * new reference, and each loop releases its old one between two requests. The messages are allocated together
 * with the reference, so sending them cannot fail: either all loops get a policy or none does.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_POLICY_REFERENCE_H
#define APPLYGUARD_WEBHOOK_REVIEW_POLICY_REFERENCE_H

#include "policy/config/config.h"
#include "webhook/http/loop.h"

#include <stdatomic.h>

/* The message with which a loop gets it. */
struct policy_message {
    struct loop_message message;
    struct policy_reference *reference;
};

struct policy_reference {
    const struct policy *policy;
    struct policy *owned;
    atomic_uint holders;
    struct policy_message *messages; /* one for each loop */
};

/*
 * Creates a reference with one holder that owns `policy` and can be sent to `loop_count` loops. Returns NULL
 * if memory runs out; then the policy is freed.
 */
struct policy_reference *policy_reference_create(struct policy *policy, size_t loop_count);

struct policy_reference *policy_reference_hold(struct policy_reference *reference);

/* Accepts NULL. The last holder frees the policy. */
void policy_reference_release(struct policy_reference *reference);

/* The reference in a message. */
struct policy_reference *policy_reference_of(struct loop_message *message);

#endif
