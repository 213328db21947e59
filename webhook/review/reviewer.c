#include "webhook/review/reviewer.h"

static void take_policy(struct loop *loop, struct loop_message *message)
{
    struct reviewer *reviewer = loop->data;
    policy_reference_release(reviewer->policy);
    reviewer->policy = policy_reference_of(message);
}

void reviewer_send_policy(struct loop *loop, struct policy_reference *policy, size_t index)
{
    struct loop_message *message = &policy_reference_hold(policy)->messages[index].message;
    message->deliver = take_policy;
    loop_send(loop, message);
}
