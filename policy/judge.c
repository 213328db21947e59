#include "policy/judge.h"

/* The rule `unjudged` speaks even where the others have nothing to judge. */
static void apply_rules(const struct review *review, struct verdict *verdict)
{
    bool judged = review_is_judged(review);
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        bool applies = judged || rule == RULE_unjudged;
        if (applies && verdict->actions[rule] != ACTION_OFF)
            rules[rule].definition->judge(review, verdict);
    }
}

static void remember(const struct review *review, const struct verdict *verdict)
{
    if (!verdict->contests || !verdict->allowed || review->dry_run || !review_is_judged(review))
        return;
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        const struct rule_definition *definition = rules[rule].definition;
        if (definition->remember && verdict->actions[rule] != ACTION_OFF)
            definition->remember(review, verdict);
    }
}

enum judge_result judge(
    const struct policy *policy, struct slice body, const struct judge_options *options, struct arena *arena,
    const struct verdict **result, struct error *error)
{
    struct review *review = NULL;
    enum review_result decoded =
        review_decode(body, policy->managers, policy->manager_count, arena, &review, error);
    if (decoded == REVIEW_UNREADABLE)
        return JUDGE_UNREADABLE;
    struct verdict *verdict =
        decoded == REVIEW_OK ? verdict_start(policy, review, options->ceiling, options->now, arena) : NULL;
    if (verdict) {
        verdict->contests = options->contests;
        apply_rules(review, verdict);
        verdict_finish(verdict);
    }
    if (!verdict || verdict->out_of_memory || arena_has_failed(arena)) {
        error_set(error, "no memory to judge the review");
        return JUDGE_OUT_OF_MEMORY;
    }
    remember(review, verdict);
    *result = verdict;
    return JUDGE_OK;
}
