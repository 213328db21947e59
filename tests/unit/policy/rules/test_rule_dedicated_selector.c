/*
 * dedicated-selector: selectors have the label that the policy asks for. Off unless it does.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define ASKS "rules: {dedicated-selector: {action: deny, labelKey: controller-selector}}\n"
#define BOTH ".spec.selector .spec.template.metadata.labels"
#define TEMPLATE(labels) "'template':{'metadata':{'labels':{" labels "}}}"
#define PLAIN "'spec':{'selector':{'matchLabels':{'app':'web'}}," TEMPLATE("'app':'web'") "}"
#define DEDICATED                                                                                            \
    "'spec':{'selector':{'matchLabels':{'controller-selector':'web'}}," TEMPLATE(                            \
        "'controller-selector':'web'") "}"

static struct story created(const char *body)
{
    return (struct story){
        .manager = "kubectl-create",
        .new = {.body = body, .entries = {UPDATES("kubectl-create", ".spec.selector")}},
    };
}

static struct story updated(const char *old, const char *new)
{
    struct story story = created(new);
    story.old = (struct object_story){.body = old};
    return story;
}

static void expect_reported(void **state, const struct story *story, const char *fields)
{
    expect_finding(judge_story(*state, ASKS, story), RULE_dedicated_selector, ACTION_DENY, fields);
}

static void expect_silent(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, ASKS, story), RULE_dedicated_selector);
}

/* Nobody asked; and a label alone does not turn the rule on. */
static void rule_is_off_by_default(void **state)
{
    struct story story = created(PLAIN);
    expect_silence(judge_story(*state, STRICT, &story), RULE_dedicated_selector);
    expect_silence(
        judge_story(*state, "rules: {dedicated-selector: {labelKey: a.example.com/b}}\n", &story),
        RULE_dedicated_selector);
}

/* The creator of the object can still choose its selector. */
static void creating_without_the_label_fires(void **state)
{
    struct story story = created(PLAIN);
    expect_reported(state, &story, BOTH);
    expect_text(
        finding_of(judge_story(*state, ASKS, &story), RULE_dedicated_selector)->message,
        "Deployment default/web: the policy requires the label controller-selector in the selector and the "
        "pod labels; add it with a unique value");
    story = created("'spec':{'selector':{'matchLabels':{'app':'web'}}," TEMPLATE(
        "'app':'web','controller-selector':'web'") "}");
    expect_reported(state, &story, ".spec.selector");
    expect_part(
        finding_of(judge_story(*state, ASKS, &story), RULE_dedicated_selector)->message,
        " in the selector; ");
    story = created("'spec':{}");
    expect_reported(state, &story, BOTH);
    story = created("'spec':[]");
    expect_reported(state, &story, BOTH);
}

static void creating_with_the_label_is_silent(void **state)
{
    struct story story = created(DEDICATED);
    expect_silent(state, &story);
}

/* In and Exists select by the label; what selects its absence does not. */
static void expressions_count_where_they_select(void **state)
{
#define EXPRESSION(operator)                                                                                 \
    "'spec':{'selector':{'matchExpressions':[7,{'key':'controller-selector','operator':'"                    \
    operator"'}]}," TEMPLATE("'controller-selector':'web'") "}"
    struct story story = created(EXPRESSION("In"));
    expect_silent(state, &story);
    story = created(EXPRESSION("Exists"));
    expect_silent(state, &story);
    story = created(EXPRESSION("NotIn"));
    expect_reported(state, &story, ".spec.selector");
    story = created(EXPRESSION("DoesNotExist"));
    expect_reported(state, &story, ".spec.selector");
}

/* The kinds that select pods; a Job where it brings its own selector. */
static void kinds_that_select_pods_are_judged(void **state)
{
    static const struct {
        const char *group, *kind, *body;
        bool told;
    } cases[] = {
        {"apps", "ReplicaSet", PLAIN, true},
        {"apps", "StatefulSet", PLAIN, true},
        {"apps", "DaemonSet", PLAIN, true},
        {"", "ReplicationController", "'spec':{'selector':{'app':'web'}," TEMPLATE("'app':'web'") "}", true},
        {"batch", "Job", "'spec':{'manualSelector':true," TEMPLATE("'app':'web'") "}", true},
        {"", "ReplicationController",
         "'spec':{'selector':{'controller-selector':'web'}," TEMPLATE("'controller-selector':'web'") "}",
         false},
        {"batch", "Job", "'spec':{'manualSelector':false," TEMPLATE("'app':'web'") "}", false},
        {"batch", "Job", PLAIN, false},
        {"example.com", "Deployment", PLAIN, false},
        {"", "Service", "'spec':{'selector':{'app':'web'}}", false},
        {"policy", "PodDisruptionBudget", PLAIN, false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = created(cases[i].body);
        story.group = cases[i].group;
        story.kind = cases[i].kind;
        expect_count(judge_story(*state, ASKS, &story), RULE_dedicated_selector, cases[i].told ? 1 : 0);
    }
}

/* A Deployment's ReplicaSets are mended at the Deployment; an owner that is not a controller creates nothing.
 * */
static void what_a_controller_makes_is_silent(void **state)
{
    struct story story = created(PLAIN);
    story.kind = "ReplicaSet";
    story.new.metadata = "'ownerReferences':[{'kind':'Deployment','name':'web','controller':true}]";
    expect_silent(state, &story);
    story.new.metadata = "'ownerReferences':[{'kind':'ConfigMap','name':'web'},'',{'controller':false}]";
    expect_reported(state, &story, BOTH);
}

/* The selector of an existing object cannot be mended by any apply. */
static void what_stands_is_silent(void **state)
{
    struct story story = updated(
        "'spec':{'replicas':1,'selector':{'matchLabels':{'app':'web'}}," TEMPLATE("'app':'web'") "}",
        "'spec':{'replicas':2,'selector':{'matchLabels':{'app':'web'}}," TEMPLATE("'app':'web','b':'c'") "}");
    expect_silent(state, &story);
}

/* Where a selector may change, and does, it could have been mended. */
static void changing_the_selector_fires(void **state)
{
    struct story story = updated(
        "'spec':{'selector':{'app':'web'}," TEMPLATE("'app':'web'") "}",
        "'spec':{'selector':{'app':'web2'}," TEMPLATE("'app':'web2'") "}");
    story.group = "";
    story.kind = "ReplicationController";
    expect_reported(state, &story, BOTH);
    story.new.body = "'spec':{'selector':{'app':'web','controller-selector':'web'}," TEMPLATE(
        "'app':'web','controller-selector':'web'") "}";
    expect_silent(state, &story);
}

/* Pods that no longer have the label are this request's doing. */
static void taking_the_label_off_the_pods_fires(void **state)
{
    struct story story = updated(
        "'spec':{'selector':{'matchLabels':{'app':'web'}}," TEMPLATE(
            "'app':'web','controller-selector':'x'") "}",
        PLAIN);
    expect_reported(state, &story, ".spec.template.metadata.labels");
    expect_part(
        finding_of(judge_story(*state, ASKS, &story), RULE_dedicated_selector)->message,
        " in the pod labels; ");
}

/* A selector that was left to a default is a copy of the pods' labels, and explicit-selector reports it. */
static void selector_by_default_is_reported_once(void **state)
{
    struct story story = created("'spec':{'selector':{'app':'web'}," TEMPLATE("'app':'web'") "}");
    story.group = "";
    story.kind = "ReplicationController";
    story.manager = "kubectl-client-side-apply";
    story.new.last_applied = "{'spec':{" TEMPLATE("'app':'web'") "}}";
    story.new.entries[0] = (struct entry)UPDATES(
        "kubectl-client-side-apply", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}");
    expect_reported(state, &story, ".spec.template.metadata.labels");
    expect_finding(judge_story(*state, ASKS, &story), RULE_explicit_selector, ACTION_WARN, ".spec.selector");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(rule_is_off_by_default),
        IN_COURT(creating_without_the_label_fires),
        IN_COURT(creating_with_the_label_is_silent),
        IN_COURT(expressions_count_where_they_select),
        IN_COURT(kinds_that_select_pods_are_judged),
        IN_COURT(what_a_controller_makes_is_silent),
        IN_COURT(what_stands_is_silent),
        IN_COURT(changing_the_selector_fires),
        IN_COURT(taking_the_label_off_the_pods_fires),
        IN_COURT(selector_by_default_is_reported_once),
    };
    return cmocka_run_group_tests_name("dedicated-selector", tests, NULL, NULL);
}
