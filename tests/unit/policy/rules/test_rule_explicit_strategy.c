/*
 * explicit-strategy: a rollout strategy that the manifest leaves out comes from a default or an earlier edit.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "} "
#define BODY "'spec':{'strategy':{'type':'RollingUpdate'},'updateStrategy':{'type':'RollingUpdate'}}"

static struct story server_side(const char *fields)
{
    return (struct story){
        .manager = "kubectl", .new = {.body = BODY, .entries = {APPLIES("kubectl", fields)}}};
}

/* The entry of a client-side applier owns the defaulted strategy: only the annotation shows it. */
static struct story client_side(const char *annotation)
{
    return (struct story){
        .manager = "kubectl-client-side-apply",
        .new =
            {.body = BODY,
             .last_applied = annotation,
             .entries = {UPDATES(
                 "kubectl-client-side-apply", ANNOTATION ".spec.strategy.type .spec.updateStrategy.type")}},
    };
}

static size_t count(void **state, const struct story *story)
{
    return count_findings(judge_story(*state, STRICT, story), RULE_explicit_strategy);
}

/* A warning under every profile that speaks: it breaks nothing today. */
static void configuration_without_strategy_fires(void **state)
{
    struct story story = client_side("{'spec':{'selector':{},'replicas':1}}");
    expect_finding(
        judge_story(*state, BASELINE, &story), RULE_explicit_strategy, ACTION_WARN, ".spec.strategy.type");
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_explicit_strategy, ACTION_WARN, ".spec.strategy.type");
    expect_finding(
        judge_story(*state, "profile: audit\n", &story), RULE_explicit_strategy, ACTION_AUDIT,
        ".spec.strategy.type");
    story = server_side(".spec.selector .spec.replicas");
    expect_finding(
        judge_story(*state, BASELINE, &story), RULE_explicit_strategy, ACTION_WARN, ".spec.strategy.type");
    story.old.body = BODY;
    expect_finding(
        judge_story(*state, BASELINE, &story), RULE_explicit_strategy, ACTION_WARN, ".spec.strategy.type");
}

/* The next apply of the same manifest: the user has read this warning already. */
static void repeated_apply_is_audited(void **state)
{
    struct story story = client_side("{'spec':{'selector':{},'replicas':2}}");
    story.old = story.new;
    story.old.last_applied = "{'spec':{'selector':{},'replicas':1}}";
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_explicit_strategy, ACTION_AUDIT, ".spec.strategy.type");
    story = server_side(".spec.selector .spec.replicas");
    story.old.body = BODY;
    story.old.entries[0] = (struct entry)APPLIES("kubectl", ".spec.selector");
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_explicit_strategy, ACTION_AUDIT, ".spec.strategy.type");
    /* It goes on server-side with what it applied client-side. */
    story.old.entries[0] = (struct entry)UPDATES("kubectl-client-side-apply", ANNOTATION ".spec.selector");
    story.old.last_applied = story.new.last_applied = "{'spec':{'selector':{}}}";
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_explicit_strategy, ACTION_AUDIT, ".spec.strategy.type");
}

/* The request that drops it, or under which the value changes. */
static void dropped_or_changed_strategy_fires(void **state)
{
    struct story story = client_side("{'spec':{'selector':{},'replicas':1}}");
    story.old = story.new;
    story.old.last_applied = "{'spec':{'strategy':{'type':'Recreate'}}}";
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_explicit_strategy, ACTION_WARN, ".spec.strategy.type");
    story.old.last_applied = "{'spec':{'selector':{},'replicas':2}}";
    story.old.body = "'spec':{'strategy':{'type':'Recreate'}}";
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_explicit_strategy, ACTION_WARN, ".spec.strategy.type");
    story = server_side(".spec.selector .spec.replicas");
    story.old.body = BODY;
    story.old.entries[0] = (struct entry)APPLIES("kubectl", ".spec.selector .spec.strategy.type");
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_explicit_strategy, ACTION_WARN, ".spec.strategy.type");
}

/* A strategy without its type leaves the type to the default. */
static void strategy_without_type_fires(void **state)
{
    struct story story = client_side("{'spec':{'strategy':{'rollingUpdate':{'maxSurge':1}}}}");
    assert_int_equal(count(state, &story), 1);
    story = client_side("{'spec':{'strategy':{}}}");
    assert_int_equal(count(state, &story), 1);
    story = client_side("{'spec':{'strategy':{'type':null}}}");
    assert_int_equal(count(state, &story), 1);
    story = server_side(".spec.selector .spec.strategy.rollingUpdate.maxSurge");
    assert_int_equal(count(state, &story), 1);
}

/* A strategy of any type counts as declared. */
static void declared_strategy_is_silent(void **state)
{
    struct story story = client_side("{'spec':{'strategy':{'type':'Recreate'}}}");
    assert_int_equal(count(state, &story), 0);
    story = server_side(".spec.selector .spec.strategy.type");
    assert_int_equal(count(state, &story), 0);
}

/* An apply of replicas, or of one image, leaves the strategy to the applier of the rest. */
static void partial_server_side_apply_is_silent(void **state)
{
    static const char *const partial[] = {
        ".spec.replicas", ".spec.template.spec.containers[name=a].image", ".metadata.labels.a"};
    for (size_t i = 0; i < ARRAY_SIZE(partial); i++) {
        struct story story = server_side(partial[i]);
        story.old.body = BODY;
        assert_int_equal(count(state, &story), 0);
    }
}

/* Another owner has it, by what right is not known: not known is not wrong. */
static void strategy_of_another_owner_is_silent(void **state)
{
    struct story story = server_side(".spec.selector");
    story.old.body = BODY;
    story.new.entries[1] = (struct entry)APPLIES("flux", ".spec.strategy.type");
    assert_int_equal(count(state, &story), 0);
    story.new.entries[1] = (struct entry)UPDATES("before-first-apply", ".spec.strategy.type");
    assert_int_equal(count(state, &story), 0);
}

/* Edits, plain creates and controllers declare nothing. */
static void other_writes_are_silent(void **state)
{
    static const char *const writers[] = {"kubectl-create", "kubectl-edit", "operator"};
    for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
        struct story story = {
            .manager = writers[i],
            .new = {.body = BODY, .last_applied = "{}", .entries = {UPDATES(writers[i], ".spec.a")}},
        };
        assert_int_equal(count(state, &story), 0);
    }
}

struct kind_case {
    const char *group;
    const char *kind;
    const char *field; /* NULL: not judged */
};

/* Each kind has its own field. */
static void kinds_have_their_own_fields(void **state)
{
    static const struct kind_case cases[] = {
        {"apps", "Deployment", ".spec.strategy.type"},
        {"apps", "StatefulSet", ".spec.updateStrategy.type"},
        {"apps", "DaemonSet", ".spec.updateStrategy.type"},
        {"apps", "ReplicaSet", NULL},
        {"", "ReplicationController", NULL},
        {"batch", "Job", NULL},
        {"example.com", "Deployment", NULL},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = client_side("{'spec':{}}");
        story.group = cases[i].group;
        story.kind = cases[i].kind;
        const struct verdict *verdict = judge_story(*state, BASELINE, &story);
        if (cases[i].field)
            expect_finding(verdict, RULE_explicit_strategy, ACTION_WARN, cases[i].field);
        else
            expect_silence(verdict, RULE_explicit_strategy);
    }
    /* The other kind's field does not count. */
    struct story story = client_side("{'spec':{'strategy':{'type':'Recreate'}}}");
    story.kind = "DaemonSet";
    assert_int_equal(count(state, &story), 1);
}

/* A copied annotation declares nothing of the object that it was copied to. */
static void foreign_configuration_is_unknown(void **state)
{
    struct story story = client_side("{'metadata':{'name':'original'},'spec':{'selector':{},'replicas':1}}");
    assert_int_equal(count(state, &story), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(foreign_configuration_is_unknown),
        IN_COURT(configuration_without_strategy_fires),
        IN_COURT(repeated_apply_is_audited),
        IN_COURT(dropped_or_changed_strategy_fires),
        IN_COURT(strategy_without_type_fires),
        IN_COURT(declared_strategy_is_silent),
        IN_COURT(partial_server_side_apply_is_silent),
        IN_COURT(strategy_of_another_owner_is_silent),
        IN_COURT(other_writes_are_silent),
        IN_COURT(kinds_have_their_own_fields),
    };
    return cmocka_run_group_tests_name("explicit-strategy", tests, NULL, NULL);
}
