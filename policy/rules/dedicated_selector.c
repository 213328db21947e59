#include "base/json.h"
#include "base/json_each.h"
#include "policy/config/config.h"
#include "policy/review/applied.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

struct dedicated_selector_settings {
    struct slice label_key;
};

static const struct dedicated_selector_settings defaults = {0};

static const struct setting settings[] = {
    {"labelKey", SETTING_LABEL_KEY, offsetof(struct dedicated_selector_settings, label_key),
     "the label that selectors must have"},
};

static const char *check(const void *checked, bool is_on)
{
    const struct dedicated_selector_settings *set = checked;
    return is_on && !set->label_key.length
        ? "it is on, but has no label to ask for; set labelKey, such as labelKey: controller-selector"
        : NULL;
}

/* Kinds whose selector is a map of labels, without matchLabels. */
static bool selects_plainly(const struct review *review)
{
    return slice_equal(review->group_kind, SLICE("ReplicationController"));
}

/* A Job selects by a label that is made for it, unless it brings its own selector. */
static bool is_judged(const struct review *review)
{
    if (slice_equal(review->group_kind, SLICE("Job.batch")))
        return yyjson_get_bool(json_member(review->parts.spec, SLICE("manualSelector")));
    return review_is_of_workload(review) || selects_plainly(review);
}

/* In and Exists select by the label; NotIn and DoesNotExist select what lacks it. */
static bool has_expression(yyjson_val *selector, struct slice key)
{
    json_each_item(item, json_member(selector, SLICE("matchExpressions"))) {
        struct slice operator= json_text(json_member(item, SLICE("operator")));
        bool selects = slice_equal(operator, SLICE("In")) || slice_equal(operator, SLICE("Exists"));
        if (selects && slice_equal(json_text(json_member(item, SLICE("key"))), key))
            return true;
    }
    return false;
}

/* The object itself is asked: in apps/v1 a selector is never defaulted. */
struct labels {
    yyjson_val *selector;
    bool in_selector;
    bool in_template;
};

static struct labels read_labels(const struct review *review, yyjson_val *object, struct slice key)
{
    yyjson_val *spec = json_member(object, SLICE("spec"));
    yyjson_val *selector = json_member(spec, SLICE("selector"));
    yyjson_val *metadata = json_member(json_member(spec, SLICE("template")), SLICE("metadata"));
    yyjson_val *map = selects_plainly(review) ? selector : json_member(selector, SLICE("matchLabels"));
    return (struct labels){
        .selector = selector,
        .in_selector = json_member(map, key) || has_expression(selector, key),
        .in_template = json_member(json_member(metadata, SLICE("labels")), key) != NULL,
    };
}

/*
 * Changing a selector means recreating the object, so an existing one is not reported: only a created or a
 * changed selector is.
 */
static void leave_what_stands(const struct review *review, struct slice key, struct labels *labels)
{
    if (!review->old_object)
        return;
    struct labels old = read_labels(review, review->old_object, key);
    bool same = old.selector && labels->selector && json_equal(old.selector, labels->selector, review->arena);
    labels->in_selector |= same;
    labels->in_template |= same && !old.in_template;
}

/* explicit-selector reports a selector that was left to a default: it is a copy of the pods' labels. */
static void leave_to_explicit_selector(const struct review *review, struct labels *labels)
{
    if (!labels->in_selector && !labels->in_template && selects_plainly(review))
        labels->in_selector = applied_declares(review, SLICE(".spec.selector")) == DECLARED_NO;
}

static struct slice describe(const struct review *review, struct slice key, const struct labels *labels)
{
    return text_join(
        review->arena, "the policy requires the label ", message_marked(key),
        labels->in_template       ? " in the selector"
            : labels->in_selector ? " in the pod labels"
                                  : " in the selector and the pod labels",
        "; add it with a unique value");
}

static void judge(const struct review *review, struct verdict *verdict)
{
    static const struct slice paths[] = {
        SLICE_LITERAL(".spec.selector"),
        SLICE_LITERAL(".spec.template.metadata.labels"),
    };
    const struct dedicated_selector_settings *set = verdict->policy->settings[RULE_dedicated_selector];
    /* An object of a controller, such as a Deployment's ReplicaSet, is fixed in its owner. */
    if (!is_judged(review) || object_is_controlled(&review->parts) || review->declared_by_other_sources ||
        review->kustomize_adds_labels)
        return;
    struct labels labels = read_labels(review, review->object, set->label_key);
    leave_what_stands(review, set->label_key, &labels);
    leave_to_explicit_selector(review, &labels);
    if (labels.in_selector && labels.in_template)
        return;
    size_t count = (size_t)!labels.in_selector + !labels.in_template;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_dedicated_selector,
            .action = ACTION_DENY,
            .message = describe(review, set->label_key, &labels),
            .fields = &paths[labels.in_selector],
            .field_count = count,
            .field_total = count,
        });
}

const struct rule_definition rule_dedicated_selector = {
    .judge = judge,
    RULE_SETTINGS(settings, defaults),
    .check = check,
};
