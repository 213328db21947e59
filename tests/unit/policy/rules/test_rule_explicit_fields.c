/*
 * explicit-fields: what a team wants decided in the manifest, per kind. Off unless the policy asks.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "} "
#define ASKS(fields) "rules: {explicit-fields: {action: warn, fields: {" fields "}}}\n"
#define RESOURCES ASKS("Deployment.apps: [\".spec.containers[*].resources.requests\", .spec.replicas]")

static struct story client_side(const char *annotation)
{
    return (struct story){
        .manager = "kubectl-client-side-apply",
        .new =
            {.body = "'spec':{}",
             .last_applied = annotation,
             .entries = {UPDATES("kubectl-client-side-apply", ANNOTATION ".spec.replicas")}},
    };
}

/* Nobody asked, and asking without an action is still off. */
static void rule_is_off_by_default(void **state)
{
    struct story story = client_side("{'spec':{}}");
    expect_silence(judge_story(*state, STRICT, &story), RULE_explicit_fields);
    expect_silence(
        judge_story(
            *state, "rules: {explicit-fields: {fields: {Deployment.apps: [.spec.replicas]}}}\n", &story),
        RULE_explicit_fields);
    expect_silence(
        judge_story(*state, "rules: {explicit-fields: {action: deny}}\n", &story), RULE_explicit_fields);
}

/* Each field that is not declared is listed, as the policy writes it. */
static void undeclared_fields_fire(void **state)
{
    struct story story = client_side("{'spec':{'containers':[{'name':'a'}]}}");
    const struct finding *finding = expect_finding(
        judge_story(*state, RESOURCES, &story), RULE_explicit_fields, ACTION_WARN,
        ".spec.containers[*].resources.requests .spec.replicas");
    expect_part(finding->message, "Deployment default/web: the policy requires ");
    story =
        client_side("{'spec':{'replicas':1,'containers':[{'name':'a','resources':{'requests':{'cpu':'1'}}},"
                    "{'name':'b','resources':{'limits':{'cpu':'1'}}}]}}");
    expect_finding(
        judge_story(*state, RESOURCES, &story), RULE_explicit_fields, ACTION_WARN,
        ".spec.containers[*].resources.requests");
}

/* All declared, client-side or server-side. */
static void declared_fields_are_silent(void **state)
{
    struct story story =
        client_side("{'spec':{'replicas':0,'containers':[{'resources':{'requests':{'cpu':'1'}}}]}}");
    expect_silence(judge_story(*state, RESOURCES, &story), RULE_explicit_fields);
    story = (struct story){
        .manager = "flux",
        .new =
            {.body = "'spec':{}",
             .entries = {APPLIES(
                 "flux",
                 ".spec.replicas .spec.containers[name=a]. "
                 ".spec.containers[name=a].resources.requests.cpu")}},
    };
    expect_silence(judge_story(*state, RESOURCES, &story), RULE_explicit_fields);
}

/* No containers, no container that lacks anything. */
static void list_that_is_not_declared_is_silent(void **state)
{
    struct story story = client_side("{'spec':{'replicas':1}}");
    expect_silence(judge_story(*state, RESOURCES, &story), RULE_explicit_fields);
}

/* Under an atomic field FieldsV1 shows nothing; it is taken to be declared. */
static void below_an_atomic_field_is_silent(void **state)
{
    struct story story = {
        .manager = "flux", .new = {.body = "'spec':{}", .entries = {APPLIES("flux", ".spec.selector")}}};
    expect_silence(
        judge_story(*state, ASKS("Deployment.apps: [.spec.selector.matchLabels.app]"), &story),
        RULE_explicit_fields);
    expect_count(
        judge_story(*state, ASKS("Deployment.apps: [.spec.replicas]"), &story), RULE_explicit_fields, 1);
}

/* Lines are for kinds, by glob; each line that matches speaks for itself. */
static void kinds_are_matched_by_glob(void **state)
{
    struct story story = client_side("{'spec':{}}");
    static const struct {
        const char *policy;
        size_t findings;
    } cases[] = {
        {ASKS("Deployment.apps: [.spec.replicas]"), 1},
        {ASKS("\"*.apps\": [.spec.replicas]"), 1},
        {ASKS("\"*\": [.spec.replicas]"), 1},
        {ASKS("\"*\": [.spec.replicas], Deployment.apps: [.spec.paused]"), 2},
        {ASKS("Deployment: [.spec.replicas]"), 0},
        {ASKS("StatefulSet.apps: [.spec.replicas]"), 0},
        {ASKS("Deployment.apps: []"), 0},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        expect_count(judge_story(*state, cases[i].policy, &story), RULE_explicit_fields, cases[i].findings);
}

/* The fields that a plain write declares cannot be known. */
static void other_writes_are_silent(void **state)
{
    static const char *const writers[] = {"kubectl-create", "kubectl-edit", "operator"};
    for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
        struct story story = {
            .manager = writers[i],
            .new = {.body = "'spec':{}", .entries = {UPDATES(writers[i], ".spec.a")}},
        };
        expect_silence(judge_story(*state, RESOURCES, &story), RULE_explicit_fields);
    }
}

/* A server-side apply may leave a field to another applier. */
static void field_of_another_owner_is_silent(void **state)
{
    struct story story = {
        .manager = "flux",
        .old = {.body = "'spec':{}"},
        .new =
            {.body = "'spec':{}",
             .entries = {APPLIES("flux", ".spec.a", .time = NOW), APPLIES("keda", ".spec.replicas")}},
    };
    expect_silence(
        judge_story(*state, ASKS("Deployment.apps: [.spec.replicas]"), &story), RULE_explicit_fields);
}

/* More than a finding lists is counted. */
static void many_fields_are_counted(void **state)
{
    char policy[4096] = "rules: {explicit-fields: {action: warn, fields: {Deployment.apps: [.spec.x";
    for (int i = 0; i < FINDING_FIELDS_MAX; i++) {
        char path[32];
        snprintf(path, sizeof(path), ", .spec.f%d", i);
        strcat(policy, path);
    }
    strcat(policy, "]}}}\n");
    struct story story = client_side("{'spec':{}}");
    const struct finding *finding = finding_of(judge_story(*state, policy, &story), RULE_explicit_fields);
    assert_int_equal(finding->field_count, FINDING_FIELDS_MAX);
    assert_int_equal(finding->field_total, FINDING_FIELDS_MAX + 1);
}

/* A container without ports has no port without a name. */
static void inner_list_that_is_not_declared_is_silent(void **state)
{
    static const char policy[] = ASKS("Deployment.apps: [\".spec.containers[*].ports[*].name\"]");
    struct story story = client_side("{'spec':{'containers':[{'name':'a'}]}}");
    expect_silence(judge_story(*state, policy, &story), RULE_explicit_fields);
    story = client_side("{'spec':{'containers':[{'name':'a'},{'ports':[{'name':'x'},{'port':1}]}]}}");
    expect_count(judge_story(*state, policy, &story), RULE_explicit_fields, 1);
    story = (struct story){
        .manager = "flux",
        .new = {.body = "'spec':{}", .entries = {APPLIES("flux", ".spec.containers[name=a].name")}},
    };
    expect_silence(judge_story(*state, policy, &story), RULE_explicit_fields);
}

/* An apply of one image need not declare the rest, which another applier has. */
static void partial_server_side_apply_is_silent(void **state)
{
    static const struct entry whole = APPLIES("flux", ".spec.selector .spec.containers[name=a].name");
    struct story story = {
        .manager = "image-bot",
        .old = {.body = "'spec':{}", .entries = {whole}},
        .new =
            {.body = "'spec':{}",
             .entries = {whole, APPLIES("image-bot", ".spec.containers[name=a].image", .time = NOW)}},
    };
    expect_silence(judge_story(*state, RESOURCES, &story), RULE_explicit_fields);
}

/* A container without securityContext adds no capability that could lack anything. */
static void inner_list_below_an_absent_field_is_silent(void **state)
{
    struct story story = client_side("{'spec':{'containers':[{'name':'a'}]}}");
    expect_silence(
        judge_story(
            *state, ASKS("Deployment.apps: [\".spec.containers[*].securityContext.capabilities.add[*]\"]"),
            &story),
        RULE_explicit_fields);
}

/* A manager that owns nothing in the list has declared nothing in its items. */
static void owner_of_other_fields_does_not_count(void **state)
{
    static const char whole[] =
        ".spec.selector .spec.containers[name=a]. .spec.containers[name=a].name .spec.replicas";
    struct story story = {
        .manager = "flux",
        .old = {.body = "'spec':{}", .entries = {APPLIES("flux", whole), UPDATES("hpa", ".spec.x")}},
        .new =
            {.body = "'spec':{}",
             .entries = {APPLIES("flux", whole, .time = NOW), UPDATES("hpa", ".spec.x")}},
    };
    expect_finding(
        judge_story(*state, RESOURCES, &story), RULE_explicit_fields, ACTION_WARN,
        ".spec.containers[*].resources.requests");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(rule_is_off_by_default),
        IN_COURT(undeclared_fields_fire),
        IN_COURT(declared_fields_are_silent),
        IN_COURT(list_that_is_not_declared_is_silent),
        IN_COURT(inner_list_that_is_not_declared_is_silent),
        IN_COURT(inner_list_below_an_absent_field_is_silent),
        IN_COURT(owner_of_other_fields_does_not_count),
        IN_COURT(partial_server_side_apply_is_silent),
        IN_COURT(below_an_atomic_field_is_silent),
        IN_COURT(kinds_are_matched_by_glob),
        IN_COURT(other_writes_are_silent),
        IN_COURT(field_of_another_owner_is_silent),
        IN_COURT(many_fields_are_counted),
    };
    return cmocka_run_group_tests_name("explicit-fields", tests, NULL, NULL);
}
