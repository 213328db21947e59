/*
 * multiple-appliers: several tools declare the same fields, so none of them can remove one alone.
 */
#include "base/array_size.h"
#include "policy/fieldset/fieldset_overlap.h"
#include "tests/unit/review_builder.h"

#define SPEC "'spec':{'a':1,'b':2,'l':[{'name':'x','v':1,'w':2}],'args':['1']}"

/* flux applies to an object with another applier's entry. */
static struct story beside(struct entry other, const char *fields)
{
    return (struct story){
        .manager = "flux",
        .old = {.body = SPEC, .entries = {other}},
        .new = {.body = SPEC, .entries = {APPLIES("flux", fields, .time = NOW), other}},
    };
}

static const struct finding *expect_several(void **state, const struct story *story, const char *fields)
{
    expect_finding(judge_story(*state, STRICT, story), RULE_multiple_appliers, ACTION_WARN, fields);
    return expect_finding(judge_story(*state, BASELINE, story), RULE_multiple_appliers, ACTION_AUDIT, fields);
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_multiple_appliers);
}

/* Two server-side appliers with the same values: no conflict, and no way to remove. */
static void shared_fields_fire(void **state)
{
    struct story story =
        beside((struct entry)APPLIES("argocd", ".spec.a .spec.args"), ".spec.a .spec.b .spec.args");
    expect_text(
        expect_several(state, &story, ".spec.a .spec.args")->message,
        "Deployment default/web: Flux sets a and 1 more field, which argocd also sets; keep each in one "
        "manifest");
}

/* Each upgrade would say it again otherwise: old shared fields are reported to a manager that comes to share
 * them.
 */
static void later_applies_are_not_warned(void **state)
{
    struct story story = beside((struct entry)APPLIES("argocd", ".spec.a .spec.b"), ".spec.a .spec.b");
    story.old.entries[1] = (struct entry)APPLIES("flux", ".spec.a .spec.b", .time = "2026-01-01T00:00:01Z");
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_multiple_appliers, ACTION_AUDIT, ".spec.a .spec.b");
    story.old.entries[1].fields = ".spec.a";
    expect_several(state, &story, ".spec.a .spec.b");
    /* The other one is at it, too. */
    story.old.entries[1] = (struct entry)APPLIES("flux", ".spec.a .spec.b");
    expect_several(state, &story, ".spec.a .spec.b");
}

/* A tool that compares by a dry run, at each interval, gets no finding about fields that it only would share;
 * who asks what an apply would do is. */
static void comparison_is_not_warned(void **state)
{
    static const char *const tools[] = {"helm-controller", "argocd-controller"};
    for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
        struct story story = beside((struct entry)UPDATES("helm", ".spec.a"), ".spec.a");
        story.manager = story.new.entries[0].manager = tools[i];
        expect_several(state, &story, ".spec.a");
        story.dry_run = true;
        expect_finding(judge_story(*state, STRICT, &story), RULE_multiple_appliers, ACTION_AUDIT, ".spec.a");
    }
    struct story story = beside((struct entry)APPLIES("argocd", ".spec.a"), ".spec.a");
    story.dry_run = true;
    expect_several(state, &story, ".spec.a");
}

/* Flux moves to itself what kubectl applied, right after the dry run in which both own it. */
static void absorbed_fields_are_silent(void **state)
{
    struct story story = beside((struct entry)APPLIES("kubectl", ".spec.a"), ".spec.a");
    story.manager = story.new.entries[0].manager = "kustomize-controller";
    expect_quiet(state, &story);
    story.new.entries[1] = (struct entry)APPLIES("argocd", ".spec.a");
    expect_several(state, &story, ".spec.a");
}

/* A field that three own is one field; only who shares is named. */
static void several_others_are_named(void **state)
{
    struct story story = beside((struct entry)APPLIES("argocd", ".spec.a"), ".spec.a .spec.b");
    story.new.entries[2] = (struct entry)APPLIES("tanka", ".spec.c");
    story.new.entries[3] = (struct entry)UPDATES("helm", ".spec.a .spec.b");
    expect_part(expect_several(state, &story, ".spec.a .spec.b")->message, "which argocd and Helm also set;");
}

/* An operator has no manifest in which a field could stay. */
static void operators_are_advised_otherwise(void **state)
{
    struct story story =
        beside((struct entry)APPLIES("widget-operator", ".spec.a .spec.b"), ".spec.a .spec.b");
    expect_part(
        expect_several(state, &story, ".spec.a .spec.b")->message,
        "which widget-operator also sets; let only one of them set each");
    story = beside((struct entry)APPLIES("argocd", ".spec.a"), ".spec.a");
    expect_part(expect_several(state, &story, ".spec.a")->message, "also sets; keep it in one manifest");
}

/* A long list is counted, and not printed. */
static void many_fields_are_counted(void **state)
{
    char fields[2048] = "", body[2048] = "'spec':{'x':0";
    for (int i = 0; i < 50; i++) {
        snprintf(fields + strlen(fields), sizeof(fields) - strlen(fields), "%s.spec.f%d", i ? " " : "", i);
        snprintf(body + strlen(body), sizeof(body) - strlen(body), ",'f%d':1", i);
    }
    strcat(body, "}");
    struct story story = beside((struct entry)APPLIES("argocd", fields), fields);
    story.old.body = story.new.body = body;
    const struct finding *finding = finding_of(judge_story(*state, BASELINE, &story), RULE_multiple_appliers);
    assert_int_equal(finding->field_total, 50);
    assert_int_equal(finding->field_count, FINDING_FIELDS_MAX);
    expect_part(finding->message, "f0 and 49 more fields");
}

/* Keys of list items, and that containers are there, say nothing of two configurations. */
static void keys_and_memberships_are_silent(void **state)
{
    struct story story = beside(
        (struct entry)APPLIES("argocd", ".spec.l[name=x]. .spec.l[name=x].name .spec.l[name=x].v"),
        ".spec.l[name=x]. .spec.l[name=x].name .spec.l[name=x].w");
    expect_quiet(state, &story);
    story = beside((struct entry)UPDATES("helm", ".spec.l. .spec.b"), ".spec.l");
    story.new.entries[2] = (struct entry)UPDATES("my-operator", ".spec.l[name=x].v");
    story.new.entries[1].fields = ".spec.l .spec.b";
    expect_quiet(state, &story);
}

/* Whatever else stands under the same name is the same tool, and kubectl's two ways are mixed-apply's. */
static void same_tool_is_silent(void **state)
{
    static const struct entry same[] = {
        UPDATES("flux", ".spec.a"),
        APPLIES("flux", ".spec.a", .subresource = "scale"),
        UPDATES("kubectl-client-side-apply", ".spec.a"),
    };
    for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
        struct story story = beside(same[i], ".spec.a");
        expect_quiet(state, &story);
    }
}

/* Controllers, people and bookkeeping are no appliers. */
static void others_than_appliers_are_silent(void **state)
{
    static const struct entry others[] = {
        UPDATES("my-operator", ".spec.a"),
        UPDATES("kubectl-edit", ".spec.a"),
        APPLIES("kubectl-last-applied", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"),
        APPLIES("argocd", ".spec.a", .subresource = "status"),
        APPLIES("argocd", ".spec.a", .api_version = "apps/v1beta1"),
    };
    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        struct story story = beside(others[i], ".spec.a");
        expect_quiet(state, &story);
    }
}

/* The versions of an autoscaler call a field by one name, and the ones that differ by two. */
static void versions_of_an_autoscaler_share_fields(void **state)
{
    struct story story = beside(
        (struct entry)APPLIES("argocd", ".spec.a .spec.metrics", .api_version = "autoscaling/v2"), ".spec.a");
    story.group = "autoscaling";
    story.kind = "HorizontalPodAutoscaler";
    story.new.entries[0].api_version = "autoscaling/v1";
    expect_several(state, &story, ".spec.a");
}

/* Only an applier can mend it. */
static void other_writers_are_not_reported(void **state)
{
    struct story story = beside((struct entry)APPLIES("argocd", ".spec.a"), ".spec.a");
    story.manager = "kubectl-edit";
    story.new.entries[0].time = NULL;
    story.new.entries[2] = (struct entry)UPDATES("kubectl-edit", ".spec.b", .time = NOW);
    expect_quiet(state, &story);
}

/* ownership-conflict says of two managers in a fight that only one should declare the field. */
static void fighters_are_left_to_the_conflict(void **state)
{
    struct story story = beside((struct entry)APPLIES("argocd", ".spec.a .spec.b"), ".spec.a .spec.b");
    story.new.body = "'spec':{'a':1,'b':3}";
    story.new.entries[1].fields = ".spec.a";
    expect_finding(judge_story(*state, BASELINE, &story), RULE_ownership_conflict, ACTION_WARN, ".spec.b");
    expect_quiet(state, &story);
    /* Where the conflict is said more softly, there is still something to say. */
    expect_finding(
        judge_story(*state, STRICT "rules: {ownership-conflict: {action: audit}}\n", &story),
        RULE_multiple_appliers, ACTION_WARN, ".spec.a");
    /* So it is where neither is said aloud. */
    struct court *court = *state;
    court->ceiling = MODE_AUDIT;
    const struct verdict *verdict =
        judge_story(court, STRICT "rules: {ownership-conflict: {action: audit}}\n", &story);
    assert_int_equal(finding_of(verdict, RULE_multiple_appliers)->policy_action, ACTION_WARN);
}

/* `count` of them apply a field that the writer applies. */
static struct story beside_many(int count)
{
    static char names[FIELDSET_OVERLAP_MAX][24];
    struct story story = beside((struct entry)APPLIES("argocd", ".spec.a"), ".spec.a");
    for (int i = 0; i < count; i++) {
        snprintf(names[i], sizeof(names[i]), "tool-%d", i);
        story.new.entries[i + 1] = (struct entry)APPLIES(names[i], ".spec.a");
    }
    return story;
}

/* More appliers than can be compared are named as such, and nothing is claimed of them. */
static void too_many_appliers_are_unjudged(void **state)
{
    struct story story = beside_many(FIELDSET_OVERLAP_MAX);
    expect_quiet(state, &story);
    expect_part(
        finding_of(judge_story(*state, BASELINE, &story), RULE_unjudged)->message, "too many to be compared");
    story = beside_many(FIELDSET_OVERLAP_MAX - 1);
    expect_silence(judge_story(*state, BASELINE, &story), RULE_unjudged);
    expect_count(judge_story(*state, BASELINE, &story), RULE_multiple_appliers, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(shared_fields_fire),
        IN_COURT(later_applies_are_not_warned),
        IN_COURT(comparison_is_not_warned),
        IN_COURT(absorbed_fields_are_silent),
        IN_COURT(several_others_are_named),
        IN_COURT(operators_are_advised_otherwise),
        IN_COURT(many_fields_are_counted),
        IN_COURT(keys_and_memberships_are_silent),
        IN_COURT(same_tool_is_silent),
        IN_COURT(others_than_appliers_are_silent),
        IN_COURT(versions_of_an_autoscaler_share_fields),
        IN_COURT(other_writers_are_not_reported),
        IN_COURT(fighters_are_left_to_the_conflict),
        IN_COURT(too_many_appliers_are_unjudged),
    };
    return cmocka_run_group_tests_name("multiple-appliers", tests, NULL, NULL);
}
