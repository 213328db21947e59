#include "policy/review/applied.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

static const struct slice wanted[] = {
    SLICE_LITERAL(".spec.selector"),
    SLICE_LITERAL(".spec.template.metadata.labels"),
};

static bool is_judged(const struct review *review)
{
    return review_is_of_workload(review) || slice_equal(review->group_kind, SLICE("ReplicationController"));
}

/* An apply of a few fields, such as the replicas alone, is not a workload's configuration. */
static bool is_partial(const struct review *review)
{
    if (review->declared_by_other_sources || review->kustomize_adds_labels)
        return true;
    return review->operation == OPERATION_UPDATE && applied_kind(review) != APPLIED_NOTHING &&
        applied_declares_itself(review, SLICE(".spec.template.spec.containers")) != DECLARED_YES;
}

/* Repeating it at every apply would teach people to ignore it. */
static enum action action_for(const struct review *review, const struct slice *missing, size_t count)
{
    bool is_new = false;
    for (size_t i = 0; i < count; i++)
        is_new = is_new || applied_lacks_newly(review, missing[i]);
    return is_new ? ACTION_DENY : ACTION_AUDIT;
}

/* apps/v1 fills in neither of the two. */
static bool is_refused(const struct review *review)
{
    return slice_equal(review->group, SLICE("apps")) && slice_equal(review->version, SLICE("v1"));
}

/* The default of a ReplicationController's selector is the labels. They have no default. */
static void append_consequence(struct text *text, const struct review *review, bool has_labels, size_t count)
{
    bool is_update = review->operation == OPERATION_UPDATE;
    if (is_update && (is_refused(review) || !has_labels))
        text_append_string(text, ", so it cannot create the object");
    else if (!is_refused(review) && has_labels)
        text_append_string(text, ", so a default picks its pods");
    text_append_string(text, message_for(count, "; set it", "; set both"));
}

static void judge(const struct review *review, struct verdict *verdict)
{
    if (!is_judged(review))
        return;
    bool has_selector = applied_declares(review, wanted[0]) != DECLARED_NO;
    bool has_labels = applied_declares(review, wanted[1]) != DECLARED_NO;
    if ((has_selector && has_labels) || is_partial(review))
        return;
    const struct slice *missing = has_selector ? &wanted[1] : &wanted[0];
    size_t count = has_selector || has_labels ? 1 : 2;
    struct text text = text_start(review->arena, 160);
    /* An update that is asked about has been accepted: the object has what the manifest lacks. */
    bool refuses = is_refused(review) && review->operation == OPERATION_CREATE;
    text_append_all(
        &text, refuses ? "the API server refuses this, because apps/v1 requires " : "the manifest has no ",
        missing[0]);
    if (count == 2)
        text_append_all(&text, refuses ? " and " : " and no ", missing[1]);
    append_consequence(&text, review, has_labels, count);
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_explicit_selector,
            .action = action_for(review, missing, count),
            .is_refused = review->is_of_manifest && is_refused(review),
            .message = text_slice(&text),
            .fields = missing,
            .field_count = count,
            .field_total = count,
        });
}

const struct rule_definition rule_explicit_selector = {.judge = judge, .judges_objects = true};
