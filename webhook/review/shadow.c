#include "webhook/review/shadow.h"

#include "webhook/telemetry/log_review.h"

void shadow_judge(
    struct loop *loop, struct reviewer *reviewer, const struct verdict *verdict,
    const struct judge_options *options)
{
    const struct verdict *shadow = NULL;
    if (!reviewer->shadow)
        return;
    if (judge_review(reviewer->shadow->policy, verdict->decoded, options, &shadow, NULL) != JUDGE_OK) {
        count_shadow_failure(&reviewer->counters);
        return;
    }
    enum verdict_difference difference = verdict_compare(verdict, shadow);
    count_shadow(&reviewer->counters, shadow, difference);
    if (difference != DIFFERENCE_NONE)
        log_shadow(loop->shared->log, verdict, shadow, difference);
}
