/*
 * Which annotations lower a finding to audit: our own, applyguard.io/waive. One that counts too easily lets
 * anybody excuse himself; one that does not count makes people turn rules off.
 */
#include "tests/unit/review_builder.h"

#define WAIVED "'applyguard.io/waive':'ownership-conflict'"
#define OWNED " .metadata.annotations.{applyguard.io/waive}"
#define MAY_BE_WAIVED STRICT "waivers: {rules: [ownership-conflict]}\n"

static bool is_waived(void **state, const char *annotation)
{
    struct story story = plain_edit();
    char annotations[256];
    snprintf(annotations, sizeof(annotations), "'applyguard.io/waive':%s", annotation);
    story.old.annotations = story.new.annotations = annotations;
    const struct verdict *verdict = judge_story(*state, MAY_BE_WAIVED, &story);
    assert_int_equal(count_findings(verdict, RULE_ownership_conflict), 1);
    return verdict->allowed;
}

/* The annotation is a list of whole rule names, with commas and blanks. */
static void waiver_names_rules(void **state)
{
    assert_true(is_waived(state, "'ownership-conflict'"));
    assert_true(is_waived(state, "' ownership-conflict '"));
    assert_true(is_waived(state, "'explicit-strategy,ownership-conflict'"));
    assert_true(is_waived(state, "'a, ownership-conflict,'"));
    assert_true(is_waived(state, "',,\\townership-conflict'"));
    assert_false(is_waived(state, "''"));
    assert_false(is_waived(state, "'*'"));
    assert_false(is_waived(state, "'all'"));
    assert_false(is_waived(state, "'ownership'"));
    assert_false(is_waived(state, "'ownership-conflicts'"));
    assert_false(is_waived(state, "'ownership-conflict;x'"));
    assert_false(is_waived(state, "'Ownership-Conflict'"));
    assert_false(is_waived(state, "'explicit-strategy'"));
    assert_false(is_waived(state, "5"));
    assert_false(is_waived(state, "['ownership-conflict']"));
}

static void expect_waived(void **state, const struct story *story, bool waived)
{
    const struct finding *finding = expect_finding(
        judge_story(*state, MAY_BE_WAIVED, story), RULE_ownership_conflict,
        waived ? ACTION_AUDIT : ACTION_DENY, ".spec.a");
    expect_text(finding->waived_by, waived ? "applyguard.io/waive" : "");
}

/* Only where the policy lets it. */
static void waiver_needs_the_policy(void **state)
{
    struct story story = plain_edit();
    story.old.annotations = story.new.annotations = WAIVED;
    assert_false(judge_story(*state, STRICT, &story)->allowed);
    assert_false(judge_story(*state, STRICT "waivers: {rules: [explicit-strategy]}\n", &story)->allowed);
    expect_waived(state, &story, true);
}

/* An edit cannot excuse itself, nor can it by taking the annotation off. */
static void edit_is_judged_by_what_stood_before(void **state)
{
    struct story story = plain_edit();
    story.new.annotations = WAIVED;
    expect_waived(state, &story, false);
    story.old.annotations = "'applyguard.io/waive':'explicit-strategy'";
    expect_waived(state, &story, false);
    story.old.annotations = WAIVED;
    expect_waived(state, &story, true);
    story.new.annotations = NULL;
    expect_waived(state, &story, false);
}

/* A controller's write does not count as a manifest, either. */
static void controller_is_judged_by_what_stood_before(void **state)
{
    struct story story = plain_edit();
    story.manager = "my-operator";
    story.user = "system:serviceaccount:ops:operator";
    story.new.entries[0] = (struct entry)UPDATES("my-operator", ".spec.a");
    story.new.annotations = WAIVED;
    const struct verdict *verdict = judge_story(*state, MAY_BE_WAIVED, &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.a");
}

/* An applier has it in the manifest: it counts with the apply that brings it. */
static void manifest_may_waive_for_its_own_apply(void **state)
{
    struct story story = plain_edit();
    story.manager = "helm";
    story.new.entries[0] = (struct entry)APPLIES("helm", ".spec.a");
    expect_waived(state, &story, false);
    story.new.annotations = WAIVED;
    story.new.entries[0] = (struct entry)APPLIES("helm", ".spec.a" OWNED);
    expect_waived(state, &story, true);
}

/* Not in the manifest: a webhook may have added it, or a client that sends managedFields. */
static void applier_must_own_the_waiver(void **state)
{
    struct story story = plain_edit();
    story.manager = "helm";
    story.new.annotations = WAIVED;
    story.new.entries[0] = (struct entry)APPLIES("helm", ".spec.a");
    expect_waived(state, &story, false);
    story.new.entries[1] = (struct entry)APPLIES("flux", OWNED);
    expect_waived(state, &story, false);
    story.old.annotations = WAIVED;
    expect_waived(state, &story, true);
}

static bool is_waived_by(void **state, const char *waivers)
{
    struct story story = plain_edit();
    story.old.annotations = story.new.annotations = WAIVED;
    char policy[512];
    snprintf(policy, sizeof(policy), STRICT "waivers: {%s}\n", waivers);
    return judge_story(*state, policy, &story)->allowed;
}

#define SCOPED(members) "scoped: [{rules: [ownership-conflict], " members "}]"

/* Only on the objects that a scope lists, for its own rules, and until its day has passed. */
static void waiver_has_a_scope(void **state)
{
    assert_true(is_waived_by(state, "scoped: [{rules: [ownership-conflict]}]"));
    assert_false(is_waived_by(state, "scoped: [{rules: [explicit-strategy]}]"));
    assert_true(is_waived_by(state, SCOPED("namespaces: [default], kinds: [Deployment.apps], names: [web]")));
    assert_true(is_waived_by(state, SCOPED("namespaces: [x, \"def*\"]")));
    assert_false(is_waived_by(state, SCOPED("namespaces: [x]")));
    assert_false(is_waived_by(state, SCOPED("namespaces: [default], kinds: [DaemonSet.apps]")));
    assert_false(is_waived_by(state, SCOPED("names: [\"web-*\"]")));
    assert_true(is_waived_by(state, SCOPED("names: [a]}, {rules: [ownership-conflict], names: [web]")));
    assert_true(is_waived_by(state, SCOPED("names: [a]") ", rules: [ownership-conflict]"));
    struct court *court = *state;
    assert_true(is_waived_by(state, SCOPED("expires: 1970-01-02")));
    court->now = 2 * INT64_C(86400) - 1;
    assert_true(is_waived_by(state, SCOPED("expires: 1970-01-02")));
    court->now++;
    assert_false(is_waived_by(state, SCOPED("expires: 1970-01-02")));
    assert_true(is_waived_by(state, SCOPED("expires: 9999-12-31")));
}

/* A created object has no past to be judged by. */
static void waiver_counts_at_creation(void **state)
{
    static const char policy[] = STRICT "rules: {oversized-annotations: {warnBytes: 1, denyBytes: 2}}\n"
                                        "waivers: {rules: [oversized-annotations]}\n";
    struct story story = {
        .manager = "kubectl-create",
        .new = {
            .body = "'spec':{}",
            .annotations = "'applyguard.io/waive':'oversized-annotations'",
            .entries = {UPDATES("kubectl-create", ".spec.a")}}};
    const struct finding *finding =
        expect_finding(judge_story(*state, policy, &story), RULE_oversized_annotations, ACTION_AUDIT, "");
    expect_text(finding->waived_by, "applyguard.io/waive");
}

/* A finding that is audited anyway is not called waived. */
static void waiver_without_effect_is_not_named(void **state)
{
    struct story story = plain_edit();
    story.old.annotations = story.new.annotations = WAIVED;
    const struct verdict *verdict =
        judge_story(*state, "profile: audit\nwaivers: {rules: [ownership-conflict]}\n", &story);
    expect_text(expect_finding(verdict, RULE_ownership_conflict, ACTION_AUDIT, ".spec.a")->waived_by, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(waiver_names_rules),
        IN_COURT(waiver_needs_the_policy),
        IN_COURT(edit_is_judged_by_what_stood_before),
        IN_COURT(controller_is_judged_by_what_stood_before),
        IN_COURT(manifest_may_waive_for_its_own_apply),
        IN_COURT(applier_must_own_the_waiver),
        IN_COURT(waiver_has_a_scope),
        IN_COURT(waiver_counts_at_creation),
        IN_COURT(waiver_without_effect_is_not_named),
    };
    return cmocka_run_group_tests_name("waivers", tests, NULL, NULL);
}
