/*
 * applyset: what `kubectl apply --prune --applyset` knows an object by must be right, or it prunes the wrong
 * ones.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define OF_WEB "applyset-zN5gMMt3uHLO5pHDCETR-9uiGqcPRNY0X24Hk0Rzcgo-v1"
#define OF_OTHER "applyset-bFRrRWrlN2_-2XHwMFs3DtE1F8t38m5-GJ3WC2oIgRQ-v1"
#define MEMBER_PATH ".metadata.labels.applyset.kubernetes.io/part-of"
#define PARENT_PATH ".metadata.labels.applyset.kubernetes.io/id"
#define TOOLING_PATH ".metadata.annotations.applyset.kubernetes.io/tooling"
#define MEMBER(id) "'labels':{'applyset.kubernetes.io/part-of':'" id "'}"
#define PARENT(id) "'labels':{'applyset.kubernetes.io/id':'" id "'}"
#define TOOLING(value) "'applyset.kubernetes.io/tooling':'" value "'"
#define OWNS_MEMBER_LABEL ".metadata.labels.{applyset.kubernetes.io/part-of} "
#define OWNS_PARENT_LABEL ".metadata.labels.{applyset.kubernetes.io/id} "

/* A Secret that kubectl applies server-side. */
static struct story secret(const char *metadata, const char *annotations, const char *owns)
{
    return (struct story){
        .group = "",
        .kind = "Secret",
        .manager = "kubectl",
        .new =
            {.body = "'data':{}",
             .metadata = metadata,
             .annotations = annotations,
             .entries = {APPLIES("kubectl", owns, .time = NOW)}},
    };
}

/* The same that had other labels and annotations before. */
static struct story changed(struct story story, const char *metadata, const char *annotations)
{
    story.old = story.new;
    story.old.metadata = metadata;
    story.old.annotations = annotations;
    story.old.entries[0].time = BEFORE;
    return story;
}

static void expect_reported(void **state, const struct story *story, const char *field)
{
    expect_finding(judge_story(*state, BASELINE, story), RULE_applyset, ACTION_WARN, field);
    expect_finding(judge_story(*state, STRICT, story), RULE_applyset, ACTION_DENY, field);
}

static void expect_silent(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_applyset);
}

static void expect_words(void **state, const struct story *story, const char *words)
{
    expect_text(finding_of(judge_story(*state, STRICT, story), RULE_applyset)->message, words);
}

/* A label that is not an ID belongs to no parent, so nothing prunes the object. */
static void member_of_no_set_fires(void **state)
{
    struct story story = secret(MEMBER("my-set"), NULL, OWNS_MEMBER_LABEL);
    expect_reported(state, &story, MEMBER_PATH);
    expect_words(
        state, &story,
        "Secret default/web: the label applyset.kubernetes.io/part-of is not the ID of an ApplySet, so no "
        "tool prunes it; let the tool set it");
    story.new.metadata = MEMBER("");
    expect_reported(state, &story, MEMBER_PATH);
    story.new.metadata = "'labels':{'applyset.kubernetes.io/part-of':7}";
    expect_reported(state, &story, MEMBER_PATH);
}

static void member_of_a_set_is_silent(void **state)
{
    struct story story = secret(MEMBER(OF_OTHER), NULL, OWNS_MEMBER_LABEL);
    expect_silent(state, &story);
    story = changed(story, MEMBER(OF_OTHER), NULL);
    expect_silent(state, &story);
}

/* Two sets that have the same object take it from each other, and the one prunes what the other declares. */
static void moving_to_another_set_fires(void **state)
{
    struct story story = changed(secret(MEMBER(OF_WEB), NULL, OWNS_MEMBER_LABEL), MEMBER(OF_OTHER), NULL);
    expect_reported(state, &story, MEMBER_PATH);
    expect_words(
        state, &story,
        "Secret default/web: kubectl apply --server-side moves it to another ApplySet, and the first one "
        "still declares it; remove the part-of label first");
}

/* Joining a set, leaving one, and coming right. */
static void joining_and_leaving_is_silent(void **state)
{
    struct story story = changed(secret(MEMBER(OF_WEB), NULL, OWNS_MEMBER_LABEL), NULL, NULL);
    expect_silent(state, &story);
    story = changed(secret(MEMBER(OF_WEB), NULL, OWNS_MEMBER_LABEL), MEMBER("my-set"), NULL);
    expect_silent(state, &story);
    story = changed(secret(NULL, NULL, ".data"), MEMBER(OF_WEB), NULL);
    expect_silent(state, &story);
    story = changed(secret("'labels':{'a':'b'}", NULL, ".data"), MEMBER("my-set"), NULL);
    expect_silent(state, &story);
}

/* If the label is taken from another manager, ownership-conflict has reported it already. */
static void move_that_is_a_conflict_is_reported_once(void **state)
{
    struct story story = changed(secret(MEMBER(OF_WEB), NULL, OWNS_MEMBER_LABEL), MEMBER(OF_OTHER), NULL);
    story.manager = "argocd";
    story.old.entries[0] = (struct entry)APPLIES("kubectl", OWNS_MEMBER_LABEL);
    story.new.entries[0] = (struct entry)APPLIES("argocd", OWNS_MEMBER_LABEL, .time = NOW);
    expect_silent(state, &story);
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_DENY, MEMBER_PATH);
    expect_count(
        judge_story(*state, "rules: {ownership-conflict: {action: audit}}\n", &story), RULE_applyset, 1);
}

/* An old fault is reported to the applier that declares it, and not to other writers. */
static void what_stands_is_reported_to_its_applier(void **state)
{
    struct story story = changed(secret(MEMBER("my-set"), NULL, OWNS_MEMBER_LABEL), MEMBER("my-set"), NULL);
    expect_reported(state, &story, MEMBER_PATH);
    story.new.entries[0] = (struct entry)APPLIES("kubectl", ".data", .time = NOW);
    expect_silent(state, &story);
    story = changed(secret(PARENT(OF_OTHER), NULL, OWNS_PARENT_LABEL), PARENT(OF_OTHER), NULL);
    expect_count(judge_story(*state, STRICT, &story), RULE_applyset, 2);
    story.manager = "kubectl-annotate";
    story.new.entries[1] = (struct entry)UPDATES("kubectl-annotate", ".metadata.annotations.a", .time = NOW);
    expect_silent(state, &story);
}

/* The same in the annotation of kubectl apply. */
static void what_stands_is_reported_to_a_client_side_applier(void **state)
{
    struct story story = changed(secret(MEMBER("my-set"), NULL, ".data"), MEMBER("my-set"), NULL);
    story.manager = "kubectl-client-side-apply";
    story.old.last_applied = "{'data':{'a':''},'metadata':{" MEMBER("my-set") "}}";
    story.new.last_applied = "{'data':{},'metadata':{" MEMBER("my-set") "}}";
    story.old.entries[0] = (struct entry)UPDATES(
        "kubectl-client-side-apply", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}");
    story.new.entries[0] = (struct entry)UPDATES(
        "kubectl-client-side-apply", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}", .time = NOW);
    expect_reported(state, &story, MEMBER_PATH);
    story.new.last_applied = "{'data':{}}";
    expect_silent(state, &story);
}

/* A copy has the ID of the object that it was copied from. */
static void parent_with_the_id_of_another_fires(void **state)
{
    struct story story = secret(PARENT(OF_OTHER), TOOLING("kubectl/v1.36.3"), OWNS_PARENT_LABEL);
    expect_reported(state, &story, PARENT_PATH);
    expect_words(
        state, &story,
        "Secret default/web: the label applyset.kubernetes.io/id does not match the object; let the tool set "
        "it");
    story.new.metadata = PARENT("anything");
    expect_reported(state, &story, PARENT_PATH);
    story.new.metadata = PARENT(OF_WEB);
    story.kind = "ConfigMap";
    expect_reported(state, &story, PARENT_PATH);
    story.kind = "Secret";
    story.group = "example.com";
    expect_reported(state, &story, PARENT_PATH);
}

static void parent_with_its_own_id_is_silent(void **state)
{
    struct story story = secret(PARENT(OF_WEB), TOOLING("kubectl/v1.36.3"), OWNS_PARENT_LABEL);
    expect_silent(state, &story);
    story.new.metadata = PARENT("applyset-RgzxHaUQct2U6euGplI7snuoH-uYLLKwpSpq8S74-1Y-v1");
    story.group = "example.com";
    story.kind = "ApplySet";
    expect_silent(state, &story);
    story.new.metadata = PARENT("applyset-fb95lmMx5tp5y6AfG53-ZOkHk10fOKqKuSMvx0HMKJI-v1");
    story.namespace = "";
    expect_silent(state, &story);
}

/* An object that the server has yet to name is not known by anything. */
static void parent_without_a_name_is_not_judged(void **state)
{
    struct story story = secret(PARENT(OF_OTHER), TOOLING("kubectl/v1.36.3"), OWNS_PARENT_LABEL);
    story.name = "";
    expect_silent(state, &story);
}

static void parent_without_tooling_fires(void **state)
{
    struct story story = secret(PARENT(OF_WEB), NULL, OWNS_PARENT_LABEL);
    expect_reported(state, &story, TOOLING_PATH);
    expect_words(
        state, &story,
        "Secret default/web: the annotation applyset.kubernetes.io/tooling is missing, so tools refuse the "
        "ApplySet; let the tool set it");
    static const char *const malformed[] = {
        TOOLING(""), TOOLING("kubectl"), TOOLING("kubectl/"), TOOLING("/v1")};
    for (size_t i = 0; i < ARRAY_SIZE(malformed); i++) {
        story.new.annotations = malformed[i];
        expect_reported(state, &story, TOOLING_PATH);
        expect_part(
            finding_of(judge_story(*state, STRICT, &story), RULE_applyset)->message,
            " is not of the form TOOL/VERSION, ");
    }
}

/* Versions as tools write them, and a tool whose name has a slash. */
static void tooling_of_any_tool_is_silent(void **state)
{
    static const char *const tools[] = {
        TOOLING("helm/v3"),
        TOOLING("kubectl/1.30"),
        TOOLING("configsync.gke.io/v1"),
        TOOLING("kro/devel"),
        TOOLING("example.com/tool/v1.0.0"),
        TOOLING("kubectl/v0.0.0-master+$Format:%H$")};
    for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
        struct story story = secret(PARENT(OF_WEB), tools[i], OWNS_PARENT_LABEL);
        expect_silent(state, &story);
    }
}

/* Removing the annotation brings a finding, once; removing it from an object that is not a parent does not.
 * */
static void taking_tooling_away_fires(void **state)
{
    struct story story =
        changed(secret(PARENT(OF_WEB), NULL, OWNS_PARENT_LABEL), PARENT(OF_WEB), TOOLING("kubectl/v1"));
    story.manager = "kubectl-annotate";
    story.new.entries[1] = (struct entry)UPDATES("kubectl-annotate", ".metadata.annotations.a", .time = NOW);
    expect_reported(state, &story, TOOLING_PATH);
    story.old.entries[1] =
        (struct entry)APPLIES("kubectl-applyset", ".metadata.annotations.{applyset.kubernetes.io/tooling}");
    story.new.entries[2] = (struct entry)APPLIES("kubectl-applyset", ".data");
    expect_silent(state, &story);
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_DENY, TOOLING_PATH);
    story.old.metadata = story.new.metadata = NULL;
    expect_silent(state, &story);
}

/* As the message of a move asks: without the label the object is never pruned. */
static void leaving_a_set_is_no_conflict(void **state)
{
    struct story story = changed(secret(NULL, NULL, ".data"), MEMBER(OF_WEB), NULL);
    story.manager = "kubectl-label";
    story.old.entries[0] = (struct entry)APPLIES("kubectl", OWNS_MEMBER_LABEL ".data");
    story.new.entries[0] = (struct entry)APPLIES("kubectl", ".data");
    expect_silence(judge_story(*state, STRICT, &story), RULE_ownership_conflict);
    expect_silent(state, &story);
    story.new.metadata = MEMBER(OF_OTHER);
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_DENY, MEMBER_PATH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(member_of_no_set_fires),
        IN_COURT(member_of_a_set_is_silent),
        IN_COURT(moving_to_another_set_fires),
        IN_COURT(joining_and_leaving_is_silent),
        IN_COURT(move_that_is_a_conflict_is_reported_once),
        IN_COURT(what_stands_is_reported_to_its_applier),
        IN_COURT(what_stands_is_reported_to_a_client_side_applier),
        IN_COURT(parent_with_the_id_of_another_fires),
        IN_COURT(parent_with_its_own_id_is_silent),
        IN_COURT(parent_without_a_name_is_not_judged),
        IN_COURT(parent_without_tooling_fires),
        IN_COURT(tooling_of_any_tool_is_silent),
        IN_COURT(taking_tooling_away_fires),
        IN_COURT(leaving_a_set_is_no_conflict),
    };
    return cmocka_run_group_tests_name("applyset", tests, NULL, NULL);
}
