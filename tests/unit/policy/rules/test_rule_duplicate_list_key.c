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

/* kubectl apply of the second configuration to an object that it made of the first; `container` is what is
 * left. */
static struct story applied_again(const char *first, const char *second, const char *container)
{
    struct story story = applied(second);
    story.old = applied(first).new;
    story.old.entries[0].time = NULL;
    story.new.body = container;
    return story;
}

#define BODY(members) "'spec':{'template':{'spec':{'containers':[{'name':'c'" members "}]}}}"
#define ENV_PATH POD_PATH ".containers[name=\"c\"].env[name=\"A\"]"

/* The object has the duplicate already: this apply, which may be urgent, makes nothing worse. */
static void items_that_were_repeated_before_are_audited(void **state)
{
    struct story story =
        applied_again(CONTAINER(SAME_ENV), CONTAINER(SAME_ENV ",'image':'b'"), BODY("," SAME_ENV));
    const struct finding *finding =
        expect_finding(judge_story(*state, STRICT, &story), RULE_duplicate_list_key, ACTION_AUDIT, ENV_PATH);
    expect_text(
        finding->message,
        "Deployment default/web: the manifest still lists c's env[name=\"A\"] twice, and deleting one "
        "removes "
        "both; delete it with a server-side apply");
    /* Another list, or one item more, is new. */
    story = applied_again(
        CONTAINER("'env':[{'name':'A','value':'1'},{'name':'B'}]"), CONTAINER(SAME_ENV), BODY("," SAME_ENV));
    expect_finding(judge_story(*state, STRICT, &story), RULE_duplicate_list_key, ACTION_DENY, ENV_PATH);
}

/* Client-side apply deletes by the key, and does not see that the manifest still has an item with it. */
static void losing_both_items_fires(void **state)
{
    /* The entry before owns the item, too. */
    static const char item_fields[] = ".spec.template.spec.containers[name=\"c\"].env[name=\"A\"].name";
    struct story story = applied_again(
        CONTAINER(SAME_ENV ",'image':'b'"), CONTAINER("'env':[{'name':'A','value':'2'}],'image':'b'"),
        BODY(",'image':'b'"));
    story.old.entries[0].fields = item_fields;
    const struct finding *finding =
        expect_finding(judge_story(*state, STRICT, &story), RULE_duplicate_list_key, ACTION_DENY, ENV_PATH);
    expect_text(
        finding->message,
        "Deployment default/web: kubectl apply removes c's env[name=\"A\"], which the manifest had twice and "
        "still has; use --server-side --force-conflicts");
    expect_finding(judge_story(*state, BASELINE, &story), RULE_duplicate_list_key, ACTION_WARN, ENV_PATH);
    /* Others are still there. */
    story.new.body = BODY(",'env':[{'name':'B'}],'image':'b'");
    expect_finding(judge_story(*state, STRICT, &story), RULE_duplicate_list_key, ACTION_DENY, ENV_PATH);
    /* Argo CD syncs again, and sets the item again. */
    story.manager = story.old.entries[0].manager = story.new.entries[0].manager = "argocd-controller";
    finding =
        expect_finding(judge_story(*state, STRICT, &story), RULE_duplicate_list_key, ACTION_WARN, ENV_PATH);
    expect_part(finding->message, "still has; apply it again");
}

static void items_that_are_not_lost_are_silent(void **state)
{
    static const char one[] = CONTAINER("'env':[{'name':'A','value':'2'}],'image':'b'");
    /* One of them stays. */
    struct story story =
        applied_again(CONTAINER(SAME_ENV), one, BODY(",'env':[{'name':'A','value':'2'}],'image':'b'"));
    expect_quiet(state, &story);
    /* The manifest has none any more. */
    story =
        applied_again(CONTAINER(SAME_ENV), CONTAINER("'env':[{'name':'B'}]"), BODY(",'env':[{'name':'B'}]"));
    expect_quiet(state, &story);
    /* It was there once. */
    story = applied_again(one, CONTAINER("'env':[{'name':'A'},{'name':'B'}]"), BODY(",'image':'b'"));
    expect_quiet(state, &story);
    /* There is no such container: something else is wrong. */
    story = applied_again(CONTAINER(SAME_ENV), one, "'spec':{'template':{'spec':{'containers':[]}}}");
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
        IN_COURT(items_that_were_repeated_before_are_audited),
        IN_COURT(losing_both_items_fires),
        IN_COURT(items_that_are_not_lost_are_silent),
        IN_COURT(long_lists_are_judged),
    };
    return cmocka_run_group_tests_name("duplicate-list-key", tests, NULL, NULL);
}
