/*
 * duplicate-list-key: two items with one key. kubectl apply removes both when one is dropped, and server-side
 * apply refuses them.
 */
#include "base/array_size.h"
#include "tests/unit/policy/rules/declared_lists_story.h"

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_duplicate_list_key);
}

/* Lists in which the API server lets the same key pass, in every kind of container. */
static void same_keys_fire(void **state)
{
    static const struct {
        const char *configuration;
        const char *fields;
    } cases[] = {
        {CONTAINER(SAME_ENV), POD_PATH ".containers[name=\"c\"].env[name=\"A\"]"},
        {POD("'initContainers':[{'name':'i'," SAME_ENV "}]"),
         POD_PATH ".initContainers[name=\"i\"].env[name=\"A\"]"},
        {POD("'ephemeralContainers':[{'name':'e'," SAME_ENV "}]"),
         POD_PATH ".ephemeralContainers[name=\"e\"].env[name=\"A\"]"},
        {CONTAINER("'ports':[{'containerPort':80,'name':'a'},{'containerPort':80,'name':'b'}]"),
         POD_PATH ".containers[name=\"c\"].ports[containerPort=80]"},
        {POD("'imagePullSecrets':[{'name':'a'},{'name':'b'},{'name':'a'}]"),
         POD_PATH ".imagePullSecrets[name=\"a\"]"},
        {POD("'hostAliases':[{'ip':'10.0.0.1','hostnames':['a']},{'ip':'10.0.0.1','hostnames':['b']}]"),
         POD_PATH ".hostAliases[ip=\"10.0.0.1\"]"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = applied(cases[i].configuration);
        expect_finding(
            judge_story(*state, BASELINE, &story), RULE_duplicate_list_key, ACTION_WARN, cases[i].fields);
        expect_finding(
            judge_story(*state, STRICT, &story), RULE_duplicate_list_key, ACTION_DENY, cases[i].fields);
    }
}

/* A protocol that is not written is TCP. */
static void default_of_a_key_counts(void **state)
{
    struct story story = applied(CONTAINER(
        "'ports':[{'containerPort':80,'protocol':'TCP'},{'containerPort':81},{'containerPort':80}]"));
    expect_count(judge_story(*state, STRICT, &story), RULE_duplicate_list_key, 1);
    story = applied(CONTAINER("'ports':[{'containerPort':80,'protocol':null},{'containerPort':80}]"));
    expect_count(judge_story(*state, STRICT, &story), RULE_duplicate_list_key, 1);
}

/* Wherever a kind keeps its pods, and what else has keyed lists. */
static void all_kinds_with_known_lists_fire(void **state)
{
    static const struct {
        const char *group;
        const char *kind;
        const char *configuration;
    } cases[] = {
        {"apps", "StatefulSet", CONTAINER(SAME_ENV)},
        {"apps", "DaemonSet", CONTAINER(SAME_ENV)},
        {"apps", "ReplicaSet", CONTAINER(SAME_ENV)},
        {"", "ReplicationController", CONTAINER(SAME_ENV)},
        {"batch", "Job", CONTAINER(SAME_ENV)},
        {"batch", "CronJob", "{'spec':{'jobTemplate':" CONTAINER(SAME_ENV) "}}"},
        {"", "Pod", "{'spec':{'containers':[{'name':'c'," SAME_ENV "}]}}"},
        {"", "PodTemplate", "{'template':{'spec':{'containers':[{'name':'c'," SAME_ENV "}]}}}"},
        {"", "ServiceAccount", "{'secrets':[{'name':'a'},{'name':'a'}]}"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = applied(cases[i].configuration);
        story.group = cases[i].group;
        story.kind = cases[i].kind;
        if (count_findings(judge_story(*state, STRICT, &story), RULE_duplicate_list_key) != 1)
            fail_msg("%s is not judged", cases[i].kind);
    }
}

/* kubectl apply replaces lists of custom resources whole; the API server knows whether they have keys. */
static void custom_resources_are_silent(void **state)
{
    struct story story = applied(CONTAINER(SAME_ENV));
    story.group = "example.com";
    expect_quiet(state, &story);
    story.group = "jobset.x-k8s.io";
    story.kind = "JobSet";
    expect_quiet(state, &story);
    story.group = "argoproj.io";
    story.kind = "Rollout";
    expect_quiet(state, &story);
}

/* Only what the request applies is its configuration. */
static void what_is_not_applied_is_silent(void **state)
{
    struct story story = applied(CONTAINER(SAME_ENV));
    story.old = story.new;
    expect_quiet(state, &story);
    story.old.last_applied = "{}";
    expect_count(judge_story(*state, STRICT, &story), RULE_duplicate_list_key, 1);
    story.manager = "kubectl-edit";
    story.new.entries[0].manager = "kubectl-edit";
    expect_quiet(state, &story);
}

/* A list as long as a request can carry, in one breath; the fields that are listed are bounded. */
static void long_lists_are_judged(void **state)
{
    enum { ITEMS = 100000 };
    char *list = long_list(
        "{'spec':{'template':{'spec':{'containers':[{'name':'c','env':[{'name':'0'},", ITEMS,
        "{'name':'%zu'}", "]}]}}}}");
    struct story story = applied(list);
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_duplicate_list_key, ACTION_DENY,
        POD_PATH ".containers[name=\"c\"].env[name=\"0\"]");
    free(list);
    list = long_list(
        "{'spec':{'template':{'spec':{'containers':[", ITEMS / 2,
        "{'name':'%zu','env':[{'name':'A'},{'name':'A'}]}", "]}}}}");
    story = applied(list);
    const struct finding *finding = finding_of(judge_story(*state, STRICT, &story), RULE_duplicate_list_key);
    assert_int_equal(finding->field_count, FINDING_FIELDS_MAX);
    assert_int_equal(finding->field_total, ITEMS / 2);
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(same_keys_fire),
        IN_COURT(default_of_a_key_counts),
        IN_COURT(all_kinds_with_known_lists_fire),
        IN_COURT(custom_resources_are_silent),
        IN_COURT(what_is_not_applied_is_silent),
        IN_COURT(long_lists_are_judged),
    };
    return cmocka_run_group_tests_name("duplicate-list-key", tests, NULL, NULL);
}
