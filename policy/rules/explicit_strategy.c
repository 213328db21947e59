#include "base/array_size.h"
#include "policy/review/applied.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

struct strategy {
    const char *kind;
    struct slice path;
};

static const struct strategy strategies[] = {
    {"Deployment.apps", SLICE_LITERAL(".spec.strategy.type")},
    {"StatefulSet.apps", SLICE_LITERAL(".spec.updateStrategy.type")},
    {"DaemonSet.apps", SLICE_LITERAL(".spec.updateStrategy.type")},
};

static const struct strategy *strategy_of(const struct review *review)
{
    for (size_t i = 0; i < ARRAY_SIZE(strategies); i++) {
        if (slice_equal(review->group_kind, slice_of(strategies[i].kind)))
            return &strategies[i];
    }
    return NULL;
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct strategy *strategy = strategy_of(review);
    if (!strategy || applied_declares(review, strategy->path) != DECLARED_NO || applied_is_partial(review))
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_explicit_strategy,
            .action = applied_lacks_newly(review, strategy->path) ? ACTION_DENY : ACTION_AUDIT,
            .message = text_join(
                review->arena, strategy->path,
                " is not declared, so an edit by hand stays; set it (RollingUpdate is the default)"),
            FINDING_FIELD(&strategy->path),
        });
}

const struct rule_definition rule_explicit_strategy = {.judge = judge, .judges_objects = true};
