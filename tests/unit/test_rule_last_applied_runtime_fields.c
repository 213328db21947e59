/*
 * last-applied-runtime-fields: what a live object was exported with must not be declared, and what generators
 * print must not be taken for it.
 */
#include "tests/unit/review_builder.h"

#define OWNS_ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"

static struct story applied(const char *last_applied)
{
    return (struct story){
        .manager = "kubectl-client-side-apply",
        .new =
            {.body = "",
             .last_applied = last_applied,
             .entries = {UPDATES("kubectl-client-side-apply", OWNS_ANNOTATION, .time = NOW)}},
    };
}

/* Each field by itself, under its own path. */
static void each_field_fires(void **state)
{
    static const struct {
        const char *declared, *field;
    } cases[] = {
        {"{'metadata':{'uid':'1'}}", ".metadata.uid"},
        {"{'metadata':{'resourceVersion':'7'}}", ".metadata.resourceVersion"},
        {"{'metadata':{'generation':2}}", ".metadata.generation"},
        {"{'metadata':{'creationTimestamp':'2026-01-01T00:00:00Z'}}", ".metadata.creationTimestamp"},
        {"{'metadata':{'managedFields':[{}]}}", ".metadata.managedFields"},
        {"{'metadata':{'annotations':{'deployment.kubernetes.io/revision':'3'}}}",
         ".metadata.annotations.deployment.kubernetes.io/revision"},
        {"{'spec':{'template':{'metadata':{'annotations':{'kubectl.kubernetes.io/restartedAt':'x'}}}}}",
         ".spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt"},
        {"{'status':{'replicas':1}}", ".status"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct story story = applied(cases[i].declared);
        expect_finding(
            judge_story(*state, STRICT, &story), RULE_last_applied_runtime_fields, ACTION_WARN,
            cases[i].field);
    }
}

static void message_counts_them(void **state)
{
    struct story story = applied("{'metadata':{'uid':'1','generation':2},'status':{'a':1}}");
    expect_text(
        finding_of(judge_story(*state, BASELINE, &story), RULE_last_applied_runtime_fields)->message,
        "the manifest of Deployment default/web has .metadata.uid and 2 more fields of a live object; take "
        "them out");
}

/* kubectl create --dry-run -o yaml, kustomize and controller-gen print these. */
static void what_generators_print_is_silent(void **state)
{
    static const char *const annotations[] = {
        "{'metadata':{'creationTimestamp':null},'status':{}}",
        "{'metadata':{'managedFields':[],'annotations':{}},'status':null}",
        "{'metadata':'x','spec':{'template':{'metadata':null}}}",
        "[]",
    };
    for (size_t i = 0; i < sizeof(annotations) / sizeof(annotations[0]); i++) {
        struct story story = applied(annotations[i]);
        expect_silence(judge_story(*state, STRICT, &story), RULE_last_applied_runtime_fields);
    }
}

/* Told to whoever writes the annotation; a copied one is told by last-applied-invalid. */
static void others_are_silent(void **state)
{
    struct story story = applied("{'metadata':{'uid':'1'}}");
    story.old = story.new;
    expect_silence(judge_story(*state, STRICT, &story), RULE_last_applied_runtime_fields);
    story = applied("{'metadata':{'uid':'1','name':'original'}}");
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_silence(verdict, RULE_last_applied_runtime_fields);
    expect_count(verdict, RULE_last_applied_invalid, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(each_field_fires),
        IN_COURT(message_counts_them),
        IN_COURT(what_generators_print_is_silent),
        IN_COURT(others_are_silent),
    };
    return cmocka_run_group_tests_name("last-applied-runtime-fields", tests, NULL, NULL);
}
