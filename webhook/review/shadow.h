/*
 * shadow.h: judges a review once more, under the shadow policy, without effect on the answer.
 *
 * It counts the findings and how the verdicts differ, and logs a difference. So an admin sees what a policy
 * would do to the cluster's requests before it is in force.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_SHADOW_H
#define APPLYGUARD_WEBHOOK_REVIEW_SHADOW_H

#include "policy/judge.h"
#include "webhook/http/loop.h"
#include "webhook/review/reviewer.h"

/*
 * `verdict` is that of the policy in force, and `options` are those with which it was judged. Call it when
 * the answer is encoded: memory that runs out from here on is the shadow's. Does nothing without a shadow
 * policy.
 */
void shadow_judge(
    struct loop *loop, struct reviewer *reviewer, const struct verdict *verdict,
    const struct judge_options *options);

#endif
