/*
 * waiver: who waives what is news for the audit log, at the moment it is set, and only then.
 */
#include "base/count.h"
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

static void expect_message(void **state, const char *policy, const char *annotations, const char *message)
{
    struct story story = annotate(NULL, annotations);
    const struct verdict *verdict = judge_story(*state, policy, &story);
    expect_count(verdict, RULE_waiver, 1);
    const struct finding *finding = finding_of(verdict, RULE_waiver);
    assert_int_equal(finding->action, ACTION_AUDIT);
    expect_text(finding->message, message);
}

static void waiver_is_reported_with_its_user(void **state)
{
    expect_message(
        state, WAIVABLE, "'applyguard.io/waive':'explicit-strategy'",
        "Deployment default/web: bob sets the annotation applyguard.io/waive, which waives explicit-strategy "
        "from the next request on");
    expect_message(
        state, WAIVABLE, "'applyguard.io/waive':'explicit-strategy,,explicit-selector ,'",
        "Deployment default/web: bob sets the annotation applyguard.io/waive, which waives "
        "explicit-strategy, explicit-selector from the next request on");
}

static void names_that_waive_nothing_are_reported(void **state)
{
    expect_message(
        state, WAIVABLE, "'applyguard.io/waive':'ownership-conflict'",
        "Deployment default/web: bob sets the annotation applyguard.io/waive, which has no effect: the "
        "policy does not allow waiving ownership-conflict");
    expect_message(
        state, WAIVABLE, "'applyguard.io/waive':'explicit-stratgy, explicit-selector'",
        "Deployment default/web: bob sets the annotation applyguard.io/waive, which waives explicit-selector "
        "from the next request on; there is no rule explicit-stratgy");
    expect_message(
        state, BASELINE, "'applyguard.io/waive':'all'",
        "Deployment default/web: bob sets the annotation applyguard.io/waive, which has no effect: there is "
        "no rule all");
    expect_message(
        state, WAIVABLE, "'applyguard.io/waive':'a,b,c'",
        "Deployment default/web: bob sets the annotation applyguard.io/waive, which has no effect: there is "
        "no rule a, b, c");
    expect_message(
        state, WAIVABLE, "'applyguard.io/waive':'a,b,c,d,e'",
        "Deployment default/web: bob sets the annotation applyguard.io/waive, which has no effect: there is "
        "no rule a, b, c and 2 more");
}

/* An annotation may hold anything; what cannot be a rule's name is not repeated. */
static void values_are_not_printed(void **state)
{
    expect_message(
        state, WAIVABLE, "'applyguard.io/waive':'there-is-no-rule-that-has-as-long-a-name-as-this'",
        "Deployment default/web: bob sets the annotation applyguard.io/waive, which has no effect: there is "
        "no rule there-is-no-rule-that-has-as-long-a-name-as-this");
    expect_message(
        state, WAIVABLE, "'applyguard.io/waive':'there-is-no-rule-that-has-as-long-a-name-as-these'",
        "Deployment default/web: bob sets the annotation applyguard.io/waive, which has no effect: there is "
        "no rule …");
    expect_message(
        state, WAIVABLE, "'applyguard.io/waive':'hunter2'",
        "Deployment default/web: bob sets the annotation applyguard.io/waive, which has no effect: there is "
        "no rule …");
}

/* In a manifest it counts at once. */
static void applied_waiver_counts_at_once(void **state)
{
    struct story story = annotate(NULL, "'applyguard.io/waive':'explicit-strategy'");
    story.manager = "helm";
    story.new.entries[0] = (struct entry)APPLIES("helm", ".metadata.annotations.{applyguard.io/waive}");
    const struct finding *finding =
        expect_finding(judge_story(*state, WAIVABLE, &story), RULE_waiver, ACTION_AUDIT, OWN);
    expect_text(
        finding->message,
        "Deployment default/web: bob sets the annotation applyguard.io/waive, which waives "
        "explicit-strategy");
    story.old = (struct object_story){0};
    expect_finding(judge_story(*state, WAIVABLE, &story), RULE_waiver, ACTION_AUDIT, OWN);
}

static void other_tools_are_reported_where_they_are_honoured(void **state)
{
    expect_message(
        state, WAIVABLE, "'kustomize.toolkit.fluxcd.io/ssa':'Ignore'",
        "Deployment default/web: bob sets the annotation kustomize.toolkit.fluxcd.io/ssa, which waives "
        "conflicts here as it does in Flux");
    expect_message(
        state, WAIVABLE, "'kluctl.io/force-apply':'true'",
        "Deployment default/web: bob sets the annotation kluctl.io/force-apply, which has no effect: it "
        "counts only in a manifest applied by Kluctl");
    expect_message(
        state, WAIVABLE, "'kluctl.io/force-apply-field-1':'spec[?(@.a)]'",
        "Deployment default/web: bob sets the annotation kluctl.io/force-apply-field-1, which has no effect: "
        "applyguard cannot read what it asks of Kluctl");
}

/* What has stood there, what is taken off, what no policy honours and what says nothing is no news. */
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
    for (size_t i = 0; i < COUNT(cases); i++) {
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

/* A policy may deny waivers; names of users are foreign text. */
static void waivers_may_be_denied(void **state)
{
    struct story story = annotate(NULL, "'applyguard.io/waive':'explicit-strategy'");
    story.user = "e\x1b[2Jvil";
    const struct verdict *verdict = judge_story(*state, BASELINE "rules: {waiver: {action: deny}}\n", &story);
    assert_false(verdict->allowed);
    expect_part(finding_of(verdict, RULE_waiver)->message, "e\\x1b[2Jvil sets ");
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
        IN_COURT(applied_waiver_counts_at_once),
        IN_COURT(other_tools_are_reported_where_they_are_honoured),
        IN_COURT(silence),
        IN_COURT(changed_waiver_is_news),
        IN_COURT(waivers_may_be_denied),
        IN_COURT(many_annotations_are_reported_in_part),
    };
    return cmocka_run_group_tests_name("rule_waiver", tests, NULL, NULL);
}
