/*
 * waiver: who waives what is news for the audit log, at the moment it is set, and only then.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define WAIVABLE BASELINE "waivers: {rules: [explicit-strategy, explicit-selector], honour: [kluctl, flux]}\n"
#define OWN ".metadata.annotations.applyguard.io/waive"

static struct story annotate(const char *before, const char *after)
{
    return (struct story){
        .manager = "kubectl-annotate",
        .user = "bob",
        .old = {.body = "'spec':{}", .annotations = before},
        .new =
            {.body = "'spec':{}",
             .annotations = after,
             .entries = {UPDATES("kubectl-annotate", ".metadata.annotations.{applyguard.io/waive}")}},
    };
}

static void expect_action(
    void **state, const char *policy, const char *annotations, enum action action, const char *message)
{
    struct story story = annotate(NULL, annotations);
    const struct verdict *verdict = judge_story(*state, policy, &story);
    expect_count(verdict, RULE_waiver, 1);
    const struct finding *finding = finding_of(verdict, RULE_waiver);
    assert_int_equal(finding->action, action);
    expect_text(finding->message, message);
}

static void expect_message(void **state, const char *policy, const char *annotations, const char *message)
{
    expect_action(state, policy, annotations, ACTION_AUDIT, message);
}

static void expect_warning(void **state, const char *policy, const char *annotations, const char *message)
{
    expect_action(state, policy, annotations, ACTION_WARN, message);
}

static void waiver_is_reported_with_its_user(void **state)
{
    expect_message(
        state, WAIVABLE, "'applyguard.io/waive':'explicit-strategy'",
        "Deployment default/web: applyguard.io/waive waives explicit-strategy from the next "
        "request on");
    expect_message(
        state, WAIVABLE, "'applyguard.io/waive':'explicit-strategy,,explicit-selector ,'",
        "Deployment default/web: applyguard.io/waive waives explicit-strategy, "
        "explicit-selector from the next request on");
}

static void names_that_waive_nothing_are_reported(void **state)
{
    expect_warning(
        state, WAIVABLE, "'applyguard.io/waive':'ownership-conflict'",
        "Deployment default/web: applyguard.io/waive has no effect: the policy allows no "
        "waiver of ownership-conflict");
    expect_warning(
        state, WAIVABLE, "'applyguard.io/waive':'explicit-stratgy, explicit-selector'",
        "Deployment default/web: applyguard.io/waive waives explicit-selector from the next "
        "request on, but there is no rule explicit-stratgy (did you mean explicit-strategy?)");
    expect_warning(
        state, BASELINE, "'applyguard.io/waive':'all'",
        "Deployment default/web: applyguard.io/waive has no effect: there is no rule all");
    expect_warning(
        state, WAIVABLE, "'applyguard.io/waive':'a,b,c'",
        "Deployment default/web: applyguard.io/waive has no effect: there is no rule a, b, c");
    expect_warning(
        state, WAIVABLE, "'applyguard.io/waive':'a,b,c,d,e'",
        "Deployment default/web: applyguard.io/waive has no effect: there is no rule a, b, c "
        "and 2 more");
}

/* An annotation may hold anything; what cannot be a rule's name is not repeated. */
static void values_are_not_printed(void **state)
{
    expect_warning(
        state, WAIVABLE, "'applyguard.io/waive':'there-is-no-rule-that-has-as-long-a-name-as-this'",
        "Deployment default/web: applyguard.io/waive has no effect: there is no rule "
        "there-is-no-rule-that-has-as-long-a-name-as-this");
    expect_warning(
        state, WAIVABLE, "'applyguard.io/waive':'there-is-no-rule-that-has-as-long-a-name-as-these'",
        "Deployment default/web: applyguard.io/waive has no effect: there is no rule …");
    expect_warning(
        state, WAIVABLE, "'applyguard.io/waive':'hunter2'",
        "Deployment default/web: applyguard.io/waive has no effect: there is no rule …");
}

#define SCOPED(members)                                                                                      \
    BASELINE "waivers: {rules: [explicit-selector], scoped: [{rules: [explicit-strategy], " members "}]}\n"

static void scope_says_where_a_name_has_effect(void **state)
{
    static const char own[] = "'applyguard.io/waive':'explicit-strategy'";
    struct court *court = *state;
    court->now = INT64_C(10) * 86400;
    expect_message(
        state, SCOPED("names: [web], expires: 9999-12-31"), own,
        "Deployment default/web: applyguard.io/waive waives explicit-strategy from the next "
        "request on");
    expect_warning(
        state, SCOPED("names: [api]"), own,
        "Deployment default/web: applyguard.io/waive has no effect: the policy allows no "
        "waiver of explicit-strategy");
    expect_warning(
        state, SCOPED("names: [api], expires: 1970-01-01"), own,
        "Deployment default/web: applyguard.io/waive has no effect: the policy allows no "
        "waiver of explicit-strategy");
    expect_warning(
        state, SCOPED("expires: 1970-01-01}, {rules: [explicit-strategy], expires: 1970-01-02"),
        "'applyguard.io/waive':'waiver,explicit-strategy,explicit-selector,explicit-strategy,x'",
        "Deployment default/web: applyguard.io/waive waives explicit-selector from the next request "
        "on, but the policy allows no waiver of waiver, and the policy allowed a waiver of explicit-strategy "
        "until 1970-01-02, and there is no rule x");
}

/* A controller copies annotations from one object to another, and reads no warning. */
static void controller_is_not_warned(void **state)
{
    struct story story = annotate(NULL, "'applyguard.io/waive':'explicit-strategy'");
    story.manager = "kube-controller-manager";
    story.user = "system:serviceaccount:kube-system:deployment-controller";
    story.new.entries[0] =
        (struct entry)UPDATES("kube-controller-manager", ".metadata.annotations.{applyguard.io/waive}");
    expect_finding(judge_story(*state, BASELINE, &story), RULE_waiver, ACTION_AUDIT, OWN);
}

/* In a manifest it counts at once. */
static void applied_waiver_counts_at_once(void **state)
{
    struct story story = annotate(NULL, "'applyguard.io/waive':'explicit-strategy'");
    story.manager = "helm";
    story.new.entries[0] = (struct entry)APPLIES("helm", ".metadata.annotations.{applyguard.io/waive}");
    const struct finding *finding =
        expect_finding(judge_story(*state, WAIVABLE, &story), RULE_waiver, ACTION_AUDIT, OWN);
    expect_text(finding->message, "Deployment default/web: applyguard.io/waive waives explicit-strategy");
    story.old = (struct object_story){0};
    expect_finding(judge_story(*state, WAIVABLE, &story), RULE_waiver, ACTION_AUDIT, OWN);
}

static void other_tools_are_reported_where_they_are_honoured(void **state)
{
    expect_message(
        state, WAIVABLE, "'kustomize.toolkit.fluxcd.io/ssa':'Ignore'",
        "Deployment default/web: kustomize.toolkit.fluxcd.io/ssa waives conflicts here as it "
        "does in Flux");
    expect_message(
        state, WAIVABLE, "'kluctl.io/force-apply':'true'",
        "Deployment default/web: kluctl.io/force-apply has no effect: it counts only in a "
        "manifest applied by Kluctl");
    expect_message(
        state, WAIVABLE, "'kluctl.io/force-apply-field-1':'spec[?(@.a)]'",
        "Deployment default/web: kluctl.io/force-apply-field-1 has no effect: applyguard "
        "cannot read what it asks of Kluctl");
}

/* Written into the tool's entry by another request, it is not in the tool's manifest. */
static void entry_of_the_tool_is_not_believed(void **state)
{
    static const char ssa[] = ".metadata.annotations.{kustomize.toolkit.fluxcd.io/ssa}";
    struct story story = annotate(NULL, "'kustomize.toolkit.fluxcd.io/ssa':'IfNotPresent'");
    story.manager = "kubectl-patch";
    story.old.entries[0] = (struct entry)APPLIES("kustomize-controller", ".spec");
    story.new.entries[0] = (struct entry)APPLIES("kustomize-controller", ssa);
    expect_part(
        finding_of(judge_story(*state, WAIVABLE, &story), RULE_waiver)->message,
        " has no effect: it counts only in a manifest applied by Flux");
    story.manager = "kustomize-controller";
    expect_part(
        finding_of(judge_story(*state, WAIVABLE, &story), RULE_waiver)->message,
        " waives conflicts here as it does in Flux");
}

/* Waivers that were there before, that are removed, that no policy honors or that are empty bring no finding.
 * */
static void silence(void **state)
{
    static const char own[] = "'applyguard.io/waive':'explicit-strategy'";
    const struct {
        const char *before, *after;
    } cases[] = {
        {NULL, NULL},
        {NULL, "'applyguard.io/waive':''"},
        {NULL, "'applyguard.io/waive':5"},
        {NULL, "'applyguard.io/waived':'explicit-strategy'"},
        {own, own},
        {own, NULL},
        {NULL, "'kluctl.io/force-apply':'false'"},
        {NULL, "'kustomize.toolkit.fluxcd.io/ssa':'Ignored'"},
        {NULL, "'kustomize.toolkit.fluxcd.io/prune':'Disabled'"},
        {NULL, "'argocd.argoproj.io/sync-options':'ServerSideApply=true'"},
        {"'kluctl.io/force-apply':'true'", "'kluctl.io/force-apply':'true'"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = annotate(cases[i].before, cases[i].after);
        expect_silence(judge_story(*state, WAIVABLE, &story), RULE_waiver);
    }
    struct story story = annotate(NULL, "'kluctl.io/force-apply':'true'");
    expect_silence(judge_story(*state, BASELINE, &story), RULE_waiver);
}

static void changed_waiver_is_news(void **state)
{
    struct story story =
        annotate("'applyguard.io/waive':'explicit-strategy'", "'applyguard.io/waive':'explicit-selector'");
    expect_finding(judge_story(*state, WAIVABLE, &story), RULE_waiver, ACTION_AUDIT, OWN);
}

/* A policy may deny all waivers. */
static void waivers_may_be_denied(void **state)
{
    struct story story = annotate(NULL, "'applyguard.io/waive':'explicit-strategy'");
    const struct verdict *verdict = judge_story(*state, BASELINE "rules: {waiver: {action: deny}}\n", &story);
    assert_false(verdict->allowed);
    expect_part(
        finding_of(verdict, RULE_waiver)->message, "the policy allows no waiver of explicit-strategy");
    assert_false(judge_story(*state, WAIVABLE "rules: {waiver: {action: deny}}\n", &story)->allowed);
}

/* One request cannot fill the verdict with them. */
static void many_annotations_are_reported_in_part(void **state)
{
    char annotations[4096] = "'a':'b'";
    for (int i = 0; i < 60; i++)
        snprintf(
            annotations + strlen(annotations), sizeof(annotations) - strlen(annotations),
            ",'kluctl.io/force-apply-field-%d':'spec'", i);
    struct story story = annotate(NULL, annotations);
    expect_count(judge_story(*state, WAIVABLE, &story), RULE_waiver, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(waiver_is_reported_with_its_user),
        IN_COURT(names_that_waive_nothing_are_reported),
        IN_COURT(values_are_not_printed),
        IN_COURT(scope_says_where_a_name_has_effect),
        IN_COURT(controller_is_not_warned),
        IN_COURT(applied_waiver_counts_at_once),
        IN_COURT(other_tools_are_reported_where_they_are_honoured),
        IN_COURT(entry_of_the_tool_is_not_believed),
        IN_COURT(silence),
        IN_COURT(changed_waiver_is_news),
        IN_COURT(waivers_may_be_denied),
        IN_COURT(many_annotations_are_reported_in_part),
    };
    return cmocka_run_group_tests_name("rule_waiver", tests, NULL, NULL);
}
