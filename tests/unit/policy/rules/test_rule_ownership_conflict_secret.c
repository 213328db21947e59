/*
 * ownership-conflict: values of a Secret that an applier declares as stringData, and that others change as
 * data. The applier's entry keeps the names, so it loses nothing, and its next apply writes the values again.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

/* The values of `a` before and after, in base64, and what the writer owns afterwards. */
static struct story changing(struct entry writer, const char *before, const char *after)
{
    return (struct story){
        .version = "v1",
        .group = "",
        .kind = "Secret",
        .manager = writer.manager,
        .old = {.body = before, .entries = {APPLIES("kubectl", ".stringData.a .stringData.b")}},
        .new = {.body = after, .entries = {APPLIES("kubectl", ".stringData.a .stringData.b"), writer}},
    };
}

#define OLD "'data':{'a':'MQ==','b':'Mg=='}"
#define NEW "'data':{'a':'OQ==','b':'Mg=='}"

static void expect_conflict(void **state, const struct story *story, enum action action)
{
    const struct verdict *verdict = judge_story(*state, STRICT, story);
    expect_finding(verdict, RULE_ownership_conflict, action, ".data.a");
}

static void expect_none(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_ownership_conflict);
}

static void changed_values_are_a_conflict(void **state)
{
    static const struct {
        struct entry writer;
        const char *user;
        enum action action;
    } cases[] = {
        {UPDATES("kubectl-edit", ".data.a", .time = NOW), NULL, ACTION_DENY},
        {UPDATES("rotator", ".data.a", .time = NOW), "system:serviceaccount:a:rotator", ACTION_WARN},
        {APPLIES("kustomize-controller", ".data.a", .time = NOW), NULL, ACTION_WARN},
        {APPLIES("team-b", ".data.a", .time = NOW), NULL, ACTION_DENY},
        {APPLIES("team-b", ".stringData.a", .time = NOW), NULL, ACTION_DENY},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = changing(cases[i].writer, OLD, NEW);
        story.user = cases[i].user;
        expect_conflict(state, &story, cases[i].action);
    }
    const struct story story = changing(cases[0].writer, OLD, NEW);
    expect_text(
        finding_of(judge_story(*state, STRICT, &story), RULE_ownership_conflict)->message,
        "Secret default/web: kubectl edit changes .data.a, which kubectl apply --server-side manages: the "
        "next apply fails or undoes this; change the manifest");
}

/* An apply that takes the name by force takes the value as well. */
static void names_that_are_taken_are_a_conflict(void **state)
{
    struct story story = changing((struct entry)APPLIES("team-b", ".stringData.a", .time = NOW), OLD, NEW);
    story.new.entries[0].fields = ".stringData.b";
    expect_conflict(state, &story, ACTION_DENY);
}

static void removed_values_are_a_conflict(void **state)
{
    struct story story = changing((struct entry){.manager = "kubectl-patch"}, OLD, "'data':{'b':'Mg=='}");
    story.new.entries[1] = (struct entry){0};
    expect_conflict(state, &story, ACTION_DENY);
    story.manager = NULL;
    expect_conflict(state, &story, ACTION_DENY);
    story.user = "system:serviceaccount:a:rotator";
    expect_conflict(state, &story, ACTION_AUDIT);
}

static void other_changes_are_silent(void **state)
{
    const struct entry edit = UPDATES("kubectl-edit", ".data.c", .time = NOW);
    struct story story = changing(edit, OLD, "'data':{'a':'MQ==','b':'Mg==','c':'Mw=='}");
    expect_none(state, &story);
    /* The value was not there before. */
    story = changing((struct entry)UPDATES("kubectl-edit", ".data.a"), "'data':{'b':'Mg=='}", NEW);
    expect_none(state, &story);
    /* Something in flight changed it: the writer does not own it. */
    story = changing((struct entry)UPDATES("kubectl-label", ".metadata.labels.x", .time = NOW), OLD, NEW);
    expect_none(state, &story);
    /* The applier itself, under either operation. */
    story = changing((struct entry){0}, OLD, NEW);
    story.manager = "kubectl";
    story.new.entries[0].time = NOW;
    expect_none(state, &story);
    /* stringData of another kind is a field as any other. */
    story = changing((struct entry)UPDATES("kubectl-edit", ".data.a", .time = NOW), OLD, NEW);
    story.group = "example.com";
    expect_none(state, &story);
    /* The policy lets this field change hands. */
    story.group = "";
    expect_silence(
        judge_story(*state, STRICT "rules: {ownership-conflict: {ignoreFields: ['.data.a']}}\n", &story),
        RULE_ownership_conflict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(changed_values_are_a_conflict),
        IN_COURT(names_that_are_taken_are_a_conflict),
        IN_COURT(removed_values_are_a_conflict),
        IN_COURT(other_changes_are_silent),
    };
    return cmocka_run_group_tests_name("ownership-conflict of Secrets", tests, NULL, NULL);
}
