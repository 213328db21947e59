#include "webhook/review/reviewer.h"

static void take_policy(struct loop *loop, struct loop_message *message)
{
    struct reviewer *reviewer = loop->data;
    policy_reference_release(reviewer->policy);
    reviewer->policy = policy_reference_of(message);
}

static void take_shadow(struct loop *loop, struct loop_message *message)
{
    struct reviewer *reviewer = loop->data;
    policy_reference_release(reviewer->shadow);
    reviewer->shadow = policy_reference_of(message);
}

static void send_policy(
    struct loop *loop, struct policy_reference *policy, size_t index, loop_deliver *deliver)
{
    struct loop_message *message = &policy_reference_hold(policy)->messages[index].message;
    message->deliver = deliver;
    loop_send(loop, message);
}

void reviewer_send_policy(struct loop *loop, struct policy_reference *policy, size_t index)
{
    send_policy(loop, policy, index, take_policy);
}

void reviewer_send_shadow(struct loop *loop, struct policy_reference *shadow, size_t index)
{
    send_policy(loop, shadow, index, take_shadow);
}
