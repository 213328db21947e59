/*
 * Writes to the subresource status are judged for their metadata alone: a label that is taken through it is
 * taken, and what controllers do with a status is theirs.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define TEAM ".metadata.labels.team"

/* Flux declares a label; a person writes the status. */
static struct story write_status(void)
{
    return (struct story){
        .subresource = "status",
        .manager = "kubectl-patch",
        .old =
            {.body = "'spec':{'a':1},'status':{'b':1}",
             .metadata = "'labels':{'team':'a'}",
             .entries =
                 {APPLIES("kustomize-controller", ".spec.a " TEAM),
                  UPDATES("lb", ".status.b", .subresource = "status")}},
        .new =
            {.body = "'spec':{'a':1},'status':{'b':2}",
             .metadata = "'labels':{'team':'a'}",
             .entries =
                 {APPLIES("kustomize-controller", ".spec.a " TEAM),
                  UPDATES("kubectl-patch", ".status.b", .subresource = "status", .time = NOW)}},
    };
}

static void expect_nothing_of(void **state, const struct story *story)
{
    static const char *const policies[] = {BASELINE, STRICT};
    for (size_t i = 0; i < ARRAY_SIZE(policies); i++)
        expect_nothing(judge_story(*state, policies[i], story));
}

/* By any owner, and with any other fault of the object. */
static void status_is_nobodys_business(void **state)
{
    struct story story = write_status();
    expect_nothing_of(state, &story);
    story.old.entries[1] = (struct entry)APPLIES("other", ".status.b", .subresource = "status");
    expect_nothing_of(state, &story);
    story.manager = NULL;
    expect_nothing_of(state, &story);
    story.old.managed_fields = story.new.managed_fields = "5";
    expect_nothing_of(state, &story);
}

/* The label is judged, and not the status. */
static void label_is_taken(void **state)
{
    struct story story = write_status();
    story.new.metadata = "'labels':{'team':'b'}";
    story.new.entries[0] = (struct entry)APPLIES("kustomize-controller", ".spec.a");
    story.new.entries[1] =
        (struct entry)UPDATES("kubectl-patch", ".status.b " TEAM, .subresource = "status", .time = NOW);
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    assert_int_equal(verdict->finding_count, 1);
    const struct finding *finding = finding_of(verdict, RULE_ownership_conflict);
    assert_true(finding->action >= ACTION_WARN);
    assert_int_equal(finding->field_total, 1);
    expect_text(finding->fields[0], TEAM);
}

/* A writer without a name is found by its entry, as elsewhere. */
static void annotation_of_ones_own_is_silent(void **state)
{
    struct story story = write_status();
    story.user = "system:serviceaccount:lb:lb";
    story.manager = NULL;
    story.new.annotations = "'example.com/lb':'public'";
    story.new.entries[1] = (struct entry)UPDATES(
        "lb", ".status.b .metadata.annotations.{example.com/lb}", .subresource = "status", .time = NOW);
    expect_nothing_of(state, &story);
}

static void waiver_without_effect_is_reported(void **state)
{
    struct story story = write_status();
    story.new.annotations = "'applyguard.io/waive':'ownership-conflict'";
    story.new.entries[1] = (struct entry)UPDATES(
        "kubectl-patch", ".status.b .metadata.annotations.{applyguard.io/waive}", .subresource = "status",
        .time = NOW);
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_waiver, ACTION_WARN,
        ".metadata.annotations.applyguard.io/waive");
    expect_finding(
        judge_story(*state, STRICT "waivers: {rules: [ownership-conflict]}\n", &story), RULE_waiver,
        ACTION_AUDIT, ".metadata.annotations.applyguard.io/waive");
}

/* A request for another subresource is not judged, nor is one that creates. */
static void other_subresources_are_not_judged(void **state)
{
    struct story story = write_status();
    story.new.annotations = "'applyguard.io/waive':'ownership-conflict'";
    story.subresource = "resize";
    expect_silence(judge_story(*state, STRICT, &story), RULE_waiver);
    story.subresource = "status";
    story.operation = "CREATE";
    expect_silence(judge_story(*state, STRICT, &story), RULE_waiver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(status_is_nobodys_business),        IN_COURT(label_is_taken),
        IN_COURT(annotation_of_ones_own_is_silent),  IN_COURT(waiver_without_effect_is_reported),
        IN_COURT(other_subresources_are_not_judged),
    };
    return cmocka_run_group_tests_name("status_writes", tests, NULL, NULL);
}
