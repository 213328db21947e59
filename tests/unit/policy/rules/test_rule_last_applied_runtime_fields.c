/*
 * last-applied-runtime-fields: an exported object was applied, with what only the cluster can know.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"
#define RESTARTED_AT                                                                                         \
    "'template':{'metadata':{'annotations':{'kubectl.kubernetes.io/restartedAt':'2026-01-01'}}}"

/* The manager writes this annotation on the Deployment default/web, which had the other or none. */
static struct story written(const char *manager, const char *before, const char *annotation)
{
    return (struct story){
        .manager = manager,
        .old =
            {.body = "",
             .last_applied = before,
             .entries = {UPDATES("kubectl-client-side-apply", ANNOTATION)}},
        .new =
            {.body = "", .last_applied = annotation, .entries = {UPDATES(manager, ANNOTATION, .time = NOW)}},
    };
}

static struct story applied(const char *annotation)
{
    return written("kubectl-client-side-apply", "{}", annotation);
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_last_applied_runtime_fields);
}

/* Each of them by itself. */
static void runtime_fields_fire(void **state)
{
    static const struct {
        const char *annotation;
        const char *fields;
    } cases[] = {
        {"{'metadata':{'uid':'a'}}", ".metadata.uid"},
        {"{'metadata':{'resourceVersion':'1'}}", ".metadata.resourceVersion"},
        {"{'metadata':{'generation':1}}", ".metadata.generation"},
        {"{'metadata':{'creationTimestamp':'2026-01-01T00:00:00Z'}}", ".metadata.creationTimestamp"},
        {"{'metadata':{'managedFields':[{'manager':'a'}]}}", ".metadata.managedFields"},
        {"{'metadata':{'annotations':{'deployment.kubernetes.io/revision':'4'}}}",
         ".metadata.annotations.deployment.kubernetes.io/revision"},
        {"{'spec':{" RESTARTED_AT "}}",
         ".spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt"},
        {"{'status':{'replicas':1}}", ".status"},
        {"{'status':{'conditions':[{'type':'Ready'}]}}", ".status"},
        {"{'status':{'ready':true}}", ".status"},
        {"{'status':{'balance':-1}}", ".status"},
        {"{'status':{'replicas':1},'metadata':{'generation':2,'uid':'a'}}",
         ".metadata.uid .metadata.generation .status"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = applied(cases[i].annotation);
        expect_finding(
            judge_story(*state, BASELINE, &story), RULE_last_applied_runtime_fields, ACTION_WARN,
            cases[i].fields);
    }
}

/* Output of kubectl create --dry-run -o yaml, kustomize and controller-gen. */
static void printed_placeholders_are_silent(void **state)
{
    static const char *const annotations[] = {
        "{'metadata':{'creationTimestamp':null},'status':{}}",
        "{'status':null}",
        "{'status':{'loadBalancer':{}}}",
        "{'status':{'currentHealthy':0,'desiredHealthy':0,'disruptionsAllowed':0}}",
        "{'status':{'currentMetrics':null,'desiredReplicas':0}}",
        "{'status':{'acceptedNames':{'kind':'','plural':''},'conditions':[],'storedVersions':[]}}",
        "{'metadata':{'managedFields':[],'generation':0,'uid':''}}",
        "{'spec':{'template':{'metadata':{'creationTimestamp':null,'annotations':{'a':'b'}}}}}",
        "{'metadata':{'annotations':{'status':'x'},'labels':{'uid':'x'}},'spec':{'status':'x'}}",
        "{'metadata':'uid','spec':[],'status':0}",
    };
    for (size_t i = 0; i < ARRAY_SIZE(annotations); i++) {
        struct story story = applied(annotations[i]);
        if (count_findings(judge_story(*state, STRICT, &story), RULE_last_applied_runtime_fields))
            fail_msg("%s is taken for an export", annotations[i]);
    }
}

static void message_says_what_to_do(void **state)
{
    struct story story = applied("{'status':{'a':1},'metadata':{'uid':'a','resourceVersion':'5'}}");
    expect_text(
        finding_of(judge_story(*state, BASELINE, &story), RULE_last_applied_runtime_fields)->message,
        "Deployment default/web: the manifest has .metadata.uid and 2 more fields, which only the cluster "
        "sets; delete them");
}

/* A writer without an annotation has not exported anything. */
static void annotation_that_stays_is_silent(void **state)
{
    struct story story = written("kubectl-label", "{'status':{'a':1}}", "{'status':{'a':1}}");
    expect_quiet(state, &story);
}

/* An applier has the manifest to mend; other writers get a finding about new fields. */
static void what_was_there_is_reported_to_the_applier(void **state)
{
    static const char before[] = "{'metadata':{'uid':'a'},'spec':{'a':1}}";
    struct story story =
        written("kubectl-client-side-apply", before, "{'metadata':{'uid':'a'},'spec':{'a':2}}");
    expect_count(judge_story(*state, BASELINE, &story), RULE_last_applied_runtime_fields, 1);
    story = written("kubectl-edit", before, "{'metadata':{'uid':'a'},'spec':{'a':2}}");
    expect_quiet(state, &story);
    story = written("kubectl-edit", before, "{'metadata':{'uid':'a','generation':3}}");
    expect_finding(
        judge_story(*state, BASELINE, &story), RULE_last_applied_runtime_fields, ACTION_WARN,
        ".metadata.generation");
}

/* As orphaned-fields advises: the object has had this restart, so the manifest starts none. */
static void adopted_restart_is_silent(void **state)
{
    static const char *const others[] = {
        "{'spec':{'template':{'metadata':{'annotations':{'kubectl.kubernetes.io/"
        "restartedAt':'2025-12-31'}}}}}",
        "{'spec':{" RESTARTED_AT "},'status':{'replicas':1}}",
    };
    struct story story = applied("{'spec':{" RESTARTED_AT "}}");
    story.old.body = "'spec':{" RESTARTED_AT "}";
    expect_quiet(state, &story);
    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        story.new.last_applied = others[i];
        expect_count(judge_story(*state, BASELINE, &story), RULE_last_applied_runtime_fields, 1);
    }
}

/* kubectl's second write of one apply, which says again what the first did. */
static void bookkeeping_is_silent(void **state)
{
    struct story story = written("kubectl-last-applied", "{}", "{'metadata':{'uid':'a'}}");
    story.new.entries[0] = (struct entry)APPLIES("kubectl-last-applied", ANNOTATION, .time = NOW);
    expect_quiet(state, &story);
}

/* last-applied-invalid reports another object's annotation. */
static void copied_annotation_is_reported_once(void **state)
{
    struct story story = applied("{'metadata':{'name':'other','uid':'a'}}");
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_silence(verdict, RULE_last_applied_runtime_fields);
    expect_count(verdict, RULE_last_applied_invalid, 1);
}

/* Deeper than any status is, it is not known whether it says something; and it is safe to ask. */
static void bottomless_status_is_silent(void **state)
{
    enum { DEPTH = 100000 };
    static const char start[] = "{'status':";
    const size_t length = sizeof(start) - 1;
    char *annotation = calloc(length + 2 * DEPTH + 3, 1);
    assert_non_null(annotation);
    memcpy(annotation, start, length);
    memset(annotation + length, '[', DEPTH);
    annotation[length + DEPTH] = '1';
    memset(annotation + length + DEPTH + 1, ']', DEPTH);
    annotation[length + 2 * DEPTH + 1] = '}';
    struct story story = applied(annotation);
    expect_quiet(state, &story);
    free(annotation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(runtime_fields_fire),
        IN_COURT(printed_placeholders_are_silent),
        IN_COURT(message_says_what_to_do),
        IN_COURT(annotation_that_stays_is_silent),
        IN_COURT(what_was_there_is_reported_to_the_applier),
        IN_COURT(adopted_restart_is_silent),
        IN_COURT(bookkeeping_is_silent),
        IN_COURT(copied_annotation_is_reported_once),
        IN_COURT(bottomless_status_is_silent),
    };
    return cmocka_run_group_tests_name("last-applied-runtime-fields", tests, NULL, NULL);
}
