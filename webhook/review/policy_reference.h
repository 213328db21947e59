/*
 * policy_reference.h: one loaded policy, shared by the loops until the last has let go of it.
 *
 * The policy itself never changes, so loops read it without locks; a reload gives each loop another reference
 * by message, and each lets its old one go between two requests. The messages are made with the reference, so
 * that sending them cannot fail: either all loops get a policy or none does.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_POLICY_REFERENCE_H
#define APPLYGUARD_WEBHOOK_REVIEW_POLICY_REFERENCE_H

#include "policy/config/config.h"
#include "webhook/http/loop.h"

#include <stdatomic.h>

/* By which a loop gets it. */
struct policy_message {
    struct loop_message message;
    struct policy_reference *reference;
};

struct policy_reference {
    const struct policy *policy;
    struct policy *owned;
    atomic_uint holders;
    struct policy_message *messages; /* one for each loop that it may be sent to */
};

/*
 * Takes `policy` over, held once, to be sent to `loop_count` loops. NULL if there is no memory; then the
 * caller still owns the policy.
 */
struct policy_reference *policy_reference_create(struct policy *policy, size_t loop_count);

struct policy_reference *policy_reference_hold(struct policy_reference *reference);

/* Accepts NULL. The last holder frees the policy. */
void policy_reference_release(struct policy_reference *reference);

/* What a message of a reference brings. */
struct policy_reference *policy_reference_of(struct loop_message *message);

#endif
