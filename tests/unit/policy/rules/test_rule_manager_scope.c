/*
 * manager-scope: a field manager gains a field that the policy does not let it own.
 */
#include "tests/unit/numbered.h"
#include "tests/unit/review_builder.h"

#define SCOPES(scopes) "rules: {manager-scope: {action: deny, scopes: [" scopes "]}}\n"
#define REPLICAS SCOPES("{manager: 'keda*', allow: [.spec.replicas]}")

/* The fields that the manager applies, and the ones that it applied before. */
static struct story applied(const char *manager, const char *before, const char *after)
{
    struct story story = {
        .manager = manager,
        .old = {.body = "", .entries = {UPDATES("kubectl-create", ".spec.x")}},
        .new =
            {.body = "",
             .entries = {APPLIES(manager, after, .time = NOW), UPDATES("kubectl-create", ".spec.x")}},
    };
    if (before)
        story.old.entries[1] = (struct entry)APPLIES(manager, before);
    return story;
}

static void expect_gained(void **state, const char *policy, struct story story, const char *fields)
{
    expect_finding(judge_story(*state, policy, &story), RULE_manager_scope, ACTION_DENY, fields);
}

static void expect_in_scope(void **state, const char *policy, struct story story)
{
    expect_silence(judge_story(*state, policy, &story), RULE_manager_scope);
}

/* Nobody has a scope until the policy gives one. */
static void rule_is_off_by_default(void **state)
{
    expect_in_scope(state, STRICT, applied("keda", NULL, ".spec.paused"));
    expect_in_scope(state, "rules: {manager-scope: {action: deny}}\n", applied("keda", NULL, ".spec.paused"));
}

/* allow: each field that is not below one of its paths is outside. */
static void fields_outside_fire(void **state)
{
    struct story story = applied("keda-operator", NULL, ".spec.replicas .spec.paused .metadata.labels.a");
    const struct finding *finding = expect_finding(
        judge_story(*state, REPLICAS, &story), RULE_manager_scope, ACTION_DENY,
        ".spec.paused .metadata.labels.a");
    expect_text(
        finding->message,
        "Deployment default/web: keda-operator sets paused and 1 more field, which the policy does not allow "
        "it to own; leave them to others");
    expect_in_scope(state, REPLICAS, applied("keda", NULL, ".spec.replicas"));
    expect_in_scope(state, REPLICAS, applied("flux", NULL, ".spec.paused"));
}

/* It does not gain fields that it owned before, under any operation: old fields are an old story. */
static void fields_of_before_are_silent(void **state)
{
    expect_in_scope(state, REPLICAS, applied("keda", ".spec.paused", ".spec.replicas .spec.paused"));
    struct story story = applied("keda", NULL, ".spec.replicas .spec.paused");
    story.old.entries[1] = (struct entry)UPDATES("keda", ".spec.paused");
    expect_in_scope(state, REPLICAS, story);
    story.old.entries[1] = (struct entry)UPDATES("other", ".spec.paused");
    expect_gained(state, REPLICAS, story, ".spec.paused");
}

/* deny: each field below one of its paths, even if another scope allows it. */
static void denied_fields_fire(void **state)
{
    static const char policy[] = SCOPES(
        "{manager: '*', deny: [.spec.replicas]}, {manager: keda, allow: [.spec.replicas, .spec.paused]}");
    expect_gained(state, policy, applied("keda", NULL, ".spec.replicas .spec.paused"), ".spec.replicas");
    expect_gained(state, policy, applied("flux", NULL, ".spec.replicas .spec.any"), ".spec.replicas");
    expect_in_scope(state, policy, applied("flux", NULL, ".spec.any"));
}

/* The paths of several scopes add up; only those for the kind count. */
static void scopes_add_up(void **state)
{
    static const char policy[] = SCOPES("{manager: keda, allow: [.spec.replicas]},"
                                        "{manager: 'k*', kinds: [Deployment.apps], allow: [.spec.paused]},"
                                        "{manager: keda, kinds: ['*.batch'], allow: [.spec.x]}");
    struct story story = applied("keda", NULL, ".spec.replicas .spec.paused");
    expect_in_scope(state, policy, story);
    story.kind = "StatefulSet";
    expect_gained(state, policy, story, ".spec.paused");
    static const char jobs_only[] = SCOPES("{manager: keda, kinds: ['*.batch'], allow: [.spec.x]}");
    expect_in_scope(state, jobs_only, story);
}

/* An apply of a field in a list item includes the item's key. */
static void key_fields_come_along(void **state)
{
    static const char policy[] = SCOPES("{manager: bot, allow: ['.spec.containers[*].image']}");
    expect_in_scope(
        state, policy, applied("bot", NULL, ".spec.containers[name=a].name .spec.containers[name=a].image"));
    expect_gained(
        state, policy,
        applied(
            "bot", NULL,
            ".spec.containers[name=a].name .spec.containers[name=a].image .spec.containers[name=a].tty"),
        ".spec.containers[name=\"a\"].tty");
}

/* The last-applied annotation comes with every client-side apply; a policy that denies it may still do so. */
static void last_applied_comes_along(void **state)
{
    struct story story = {
        .manager = "kubectl-client-side-apply",
        .new =
            {.body = "",
             .last_applied = "{}",
             .entries = {UPDATES(
                 "kubectl-client-side-apply",
                 ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "} .spec.replicas")}},
    };
    expect_in_scope(state, SCOPES("{manager: '*', allow: [.spec.replicas]}"), story);
    expect_count(
        judge_story(*state, SCOPES("{manager: '*', deny: [.metadata.annotations]}"), &story),
        RULE_manager_scope, 1);
}

/* A new item without a field in scope is reported instead of its fields; of one it had before, the fields. */
static void new_items_are_named_once(void **state)
{
    static const char item[] =
        ".spec.containers[name=a].name .spec.containers[name=a].image "
        ".spec.containers[name=a].env[name=B].name .spec.containers[name=a].env[name=B].value "
        ".spec.containers[name=b].image .spec.zone";
    expect_gained(
        state, REPLICAS, applied("keda", NULL, item),
        ".spec.containers[name=\"a\"] .spec.containers[name=\"b\"] .spec.zone");
    expect_gained(
        state, REPLICAS, applied("keda", ".spec.containers[name=a].name", item),
        ".spec.containers[name=\"a\"].image .spec.containers[name=\"a\"].env[name=\"B\"] "
        ".spec.containers[name=\"b\"] .spec.zone");
}

/* More than a finding lists is counted, items that collapse after the list is full as well. */
static void many_fields_are_counted(void **state)
{
    char fields[8192] = "";
    for (int i = 0; i < FINDING_FIELDS_MAX + 8; i++) {
        char field[64];
        snprintf(field, sizeof(field), "%s.spec.f%d", i ? " " : "", i);
        strcat(fields, field);
    }
    strcat(fields, " .spec.z[name=a].b .spec.z[name=a].c");
    struct story story = applied("keda", NULL, fields);
    const struct finding *finding = finding_of(judge_story(*state, REPLICAS, &story), RULE_manager_scope);
    assert_int_equal(finding->field_count, FINDING_FIELDS_MAX);
    assert_int_equal(finding->field_total, FINDING_FIELDS_MAX + 9);
}

/* An Update owns what it changed; who wrote it is known by the entry alone. */
static void updates_and_unnamed_writes_are_judged(void **state)
{
    struct story story = {
        .old = {.body = "", .entries = {APPLIES("flux", ".spec.replicas")}},
        .new =
            {.body = "",
             .entries = {APPLIES("flux", ".spec.replicas"), UPDATES("keda", ".spec.paused", .time = NOW)}},
    };
    expect_gained(state, REPLICAS, story, ".spec.paused");
    story.new = story.old;
    expect_in_scope(state, REPLICAS, story);
}

/* tool applies the fields, of which `before` is what its name had; the caller frees the texts. */
static struct story goes_over(const char *before, const char *fields)
{
    struct story story = {
        .manager = "tool",
        .old = {.body = "", .managed_fields = before},
        .new = {.body = "", .entries = {APPLIES("tool", fields, .time = NOW)}},
    };
    return story;
}

/* A manager that owned very many fields by Update and applies them gains none of them. */
static void many_fields_of_before_are_silent(void **state)
{
    enum { FIELDS = 3000 };
    char *fields = numbered("{'f:data':{", "'f:k#':{}", FIELDS, "}}");
    char *more = numbered("{'f:data':{", "'f:k#':{}", FIELDS + 40, "}}");
    struct story story = goes_over(NULL, fields);
    story.old.entries[0] = (struct entry)UPDATES("tool", fields);
    const struct verdict *verdict = judge_story(*state, SCOPES("{manager: tool, allow: [.spec]}"), &story);
    expect_silence(verdict, RULE_manager_scope);
    expect_silence(verdict, RULE_unjudged);
    story.new.entries[0].fields = more;
    const struct finding *finding = finding_of(
        judge_story(*state, SCOPES("{manager: tool, allow: [.spec]}"), &story), RULE_manager_scope);
    assert_int_equal(finding->field_total, 40);
    expect_part(finding->message, "sets .data.k3000 and 39 more fields");
    free(fields);
    free(more);
}

/* With more entries than can be searched, it is unknown which fields the manager had: that does not count as
 * a gain. */
static void unknown_is_no_gain(void **state)
{
    char *fields = numbered("{'f:data':{", "'f:k#':{}", 600, "}}");
    char *before = numbered(
        "[",
        "{'manager':'tool','operation':'Update','apiVersion':'apps/v#','fieldsType':'FieldsV1',"
        "'fieldsV1':{'f:x':{}}}",
        600, "]");
    struct story story = goes_over(before, fields);
    const struct verdict *verdict = judge_story(*state, SCOPES("{manager: tool, allow: [.data]}"), &story);
    expect_silence(verdict, RULE_manager_scope);
    verdict = judge_story(*state, SCOPES("{manager: tool, deny: [.data.k599]}"), &story);
    expect_silence(verdict, RULE_manager_scope);
    expect_part(finding_of(verdict, RULE_unjudged)->message, "too many fields of too many managers");
    assert_true(verdict->allowed);
    free(fields);
    free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(rule_is_off_by_default),
        IN_COURT(fields_outside_fire),
        IN_COURT(fields_of_before_are_silent),
        IN_COURT(denied_fields_fire),
        IN_COURT(scopes_add_up),
        IN_COURT(key_fields_come_along),
        IN_COURT(last_applied_comes_along),
        IN_COURT(new_items_are_named_once),
        IN_COURT(many_fields_are_counted),
        IN_COURT(updates_and_unnamed_writes_are_judged),
        IN_COURT(many_fields_of_before_are_silent),
        IN_COURT(unknown_is_no_gain),
    };
    return cmocka_run_group_tests_name("manager-scope", tests, NULL, NULL);
}
