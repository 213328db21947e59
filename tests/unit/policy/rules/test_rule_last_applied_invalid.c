/*
 * last-applied-invalid: a last-applied annotation that no kubectl apply wrote for this object. The next apply
 * fails on it, or deletes fields by another object's history.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"
#define OF_WEB "'kind':'Deployment','metadata':{'name':'web','namespace':'default'}"

/* kubectl annotate writes `annotation` on the Deployment default/web. */
static struct story written(const char *annotation)
{
    return (struct story){
        .manager = "kubectl-annotate",
        .old = {.body = ""},
        .new =
            {.body = "",
             .last_applied = annotation,
             .entries = {UPDATES("kubectl-annotate", ANNOTATION, .time = NOW)}},
    };
}

static size_t findings_for(void **state, const char *annotation)
{
    struct story story = written(annotation);
    return count_findings(judge_story(*state, BASELINE, &story), RULE_last_applied_invalid);
}

/* No apply can read an annotation that is not a JSON object. */
static void what_is_no_json_object_fires(void **state)
{
    static const char *const annotations[] = {
        "",   " ",    "null", "[]",    "[{}]",     "5",        "true",
        "''", "'{}'", "{",    "{} {}", "{'a':1,}", "nonsense", "\x01",
    };
    for (size_t i = 0; i < ARRAY_SIZE(annotations); i++) {
        if (findings_for(state, annotations[i]) != 1)
            fail_msg("\"%s\" is taken for a configuration", annotations[i]);
    }
}

/* The reader learns what is wrong, what comes of it, and what to do. */
static void messages_say_what_to_do(void **state)
{
    struct story story = written("[]");
    expect_text(
        finding_of(judge_story(*state, BASELINE, &story), RULE_last_applied_invalid)->message,
        "Deployment default/web: kubectl annotate writes a last-applied annotation that is not a JSON "
        "object, so kubectl apply fails; leave it to kubectl apply");
    story = written("{'apiVersion':'v1','kind':'Service','metadata':{'name':'other','namespace':'default'}}");
    expect_text(
        finding_of(judge_story(*state, BASELINE, &story), RULE_last_applied_invalid)->message,
        "Deployment default/web: kubectl annotate copies the last-applied annotation from Service "
        "default/other; delete the copied annotation");
}

/* A copy of another object's manifest, annotation and all. */
static void other_identity_fires(void **state)
{
    static const char *const annotations[] = {
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web2','namespace':'default'}}",
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web','namespace':'other'}}",
        "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'web','namespace':'default'}}",
        "{'apiVersion':'v1'," OF_WEB "}",
        "{'apiVersion':'example.com/v1'," OF_WEB "}",
        "{'apiVersion':'apps/v1','kind':'deployment','metadata':{'name':'web'}}",
    };
    for (size_t i = 0; i < ARRAY_SIZE(annotations); i++) {
        if (findings_for(state, annotations[i]) != 1)
            fail_msg("%s is taken for the object's own", annotations[i]);
    }
}

/* Another version of the group is the same object, and so is the group of the first years. */
static void same_identity_is_silent(void **state)
{
    static const char *const annotations[] = {
        "{'apiVersion':'apps/v1'," OF_WEB "}",
        "{'apiVersion':'apps/v1beta2'," OF_WEB "}",
        "{'apiVersion':'extensions/v1beta1'," OF_WEB "}",
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web'}}",
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'generateName':'we'}}",
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{}}",
        "{'apiVersion':'apps/v1','kind':'Deployment'}",
        " {'apiVersion':'apps/v1'," OF_WEB ",'spec':{}}\n",
    };
    for (size_t i = 0; i < ARRAY_SIZE(annotations); i++) {
        if (findings_for(state, annotations[i]) != 0)
            fail_msg("%s is taken for another's", annotations[i]);
    }
}

/* The core group has no name to write down. */
static void core_group_is_silent(void **state)
{
    struct story story = written("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'web'}}");
    story.group = "";
    story.kind = "ConfigMap";
    expect_silence(judge_story(*state, STRICT, &story), RULE_last_applied_invalid);
    story.new.last_applied = "{'apiVersion':'apps/v1','kind':'ConfigMap','metadata':{'name':'web'}}";
    expect_count(judge_story(*state, STRICT, &story), RULE_last_applied_invalid, 1);
}

/* An object created under a copy's name carries the original's annotation. */
static void creation_with_a_foreign_annotation_fires(void **state)
{
    struct story story = written(
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web','namespace':'default'}}");
    story.old.body = NULL;
    story.name = "copy";
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    const struct finding *finding = expect_finding(verdict, RULE_last_applied_invalid, ACTION_DENY, "");
    expect_text(
        finding->message,
        "Deployment default/copy: kubectl annotate copies the last-applied annotation from Deployment "
        "default/web; delete the copied annotation");
    expect_manager(&finding->writer, "kubectl-annotate", MANAGER_UPDATE, "");
}

/* kube-controller-manager and KEDA copy annotations to what they make: of an owner, that is how they work; of
 * anything else it is recorded, as a controller that is denied would only try again. */
static void copies_that_controllers_make_are_silent(void **state)
{
    struct story story = written("{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'db'}}");
    story.manager = "kube-controller-manager";
    story.new.entries[0] = (struct entry)UPDATES("kube-controller-manager", ANNOTATION, .time = NOW);
    story.old.body = NULL;
    story.kind = "ControllerRevision";
    story.name = "db-5c689";
    expect_finding(judge_story(*state, STRICT, &story), RULE_last_applied_invalid, ACTION_AUDIT, "");
    story.new.metadata =
        "'ownerReferences':[{'kind':'StatefulSet','name':'web'},{'kind':'Service','name':'db'}]";
    expect_finding(judge_story(*state, STRICT, &story), RULE_last_applied_invalid, ACTION_AUDIT, "");
    story.new.metadata = "'ownerReferences':[{'kind':'Other','name':'x'},{'kind':'StatefulSet','name':'db'}]";
    expect_silence(judge_story(*state, STRICT, &story), RULE_last_applied_invalid);
}

/* Later writers of the object did not write it. */
static void annotation_that_was_there_is_silent(void **state)
{
    static const char *const annotations[] = {
        "nonsense", "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'other'}}"};
    for (size_t i = 0; i < 2; i++) {
        struct story story = written(annotations[i]);
        story.old.last_applied = annotations[i];
        expect_silence(judge_story(*state, STRICT, &story), RULE_last_applied_invalid);
    }
}

/* No annotation is not a broken one. */
static void no_annotation_is_silent(void **state)
{
    struct story story = written(NULL);
    expect_silence(judge_story(*state, STRICT, &story), RULE_last_applied_invalid);
    story.old.last_applied = "nonsense";
    expect_silence(judge_story(*state, STRICT, &story), RULE_last_applied_invalid);
}

/* A quarter of a megabyte of opening brackets is refused like any other nonsense, and as fast. */
static void brackets_without_end_fire(void **state)
{
    enum { COUNT = 250 * 1024 };
    static const char openings[] = "[{";
    for (size_t i = 0; i < 2; i++) {
        char *annotation = malloc(COUNT + 1);
        assert_non_null(annotation);
        memset(annotation, openings[i], COUNT);
        annotation[COUNT] = '\0';
        assert_int_equal(findings_for(state, annotation), 1);
        free(annotation);
    }
}

/* How many findings there are for a configuration with so many lists in each other. */
static size_t findings_for_lists(void **state, size_t depth)
{
    static const char start[] = "{'apiVersion':'apps/v1'," OF_WEB ",'spec':";
    char *annotation = calloc(sizeof(start) + 2 * depth + 2, 1);
    assert_non_null(annotation);
    strcpy(annotation, start);
    memset(annotation + sizeof(start) - 1, '[', depth);
    memset(annotation + sizeof(start) - 1 + depth, ']', depth);
    annotation[sizeof(start) - 1 + 2 * depth] = '}';
    size_t count = findings_for(state, annotation);
    free(annotation);
    return count;
}

/* Nesting is not an error by itself, as deep as kubectl reads it. */
static void deep_but_whole_configuration_is_silent(void **state)
{
    assert_int_equal(findings_for_lists(state, 9999), 0);
    assert_int_equal(findings_for_lists(state, 10000), 1);
    assert_int_equal(findings_for_lists(state, 100000), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(what_is_no_json_object_fires),
        IN_COURT(messages_say_what_to_do),
        IN_COURT(other_identity_fires),
        IN_COURT(same_identity_is_silent),
        IN_COURT(core_group_is_silent),
        IN_COURT(creation_with_a_foreign_annotation_fires),
        IN_COURT(copies_that_controllers_make_are_silent),
        IN_COURT(annotation_that_was_there_is_silent),
        IN_COURT(no_annotation_is_silent),
        IN_COURT(brackets_without_end_fire),
        IN_COURT(deep_but_whole_configuration_is_silent),
    };
    return cmocka_run_group_tests_name("last-applied-invalid", tests, NULL, NULL);
}
