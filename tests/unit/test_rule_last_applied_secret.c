/*
 * last-applied-secret: a Secret's data must not be readable in an annotation, and nobody else be scolded for
 * it.
 */
#include "tests/unit/review_builder.h"

#define OWNS_ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"
#define APPLIER UPDATES("kubectl-client-side-apply", OWNS_ANNOTATION, .time = NOW)

static struct story secret(const char *last_applied)
{
    return (struct story){
        .manager = "kubectl-client-side-apply",
        .group = "",
        .version = "v1",
        .kind = "Secret",
        .new = {.body = "'data':{'a':'aHVudGVyMg=='}", .last_applied = last_applied, .entries = {APPLIER}},
    };
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_last_applied_secret);
}

/* data and stringData alike; the message names the Secret and none of what is in it. */
static void declared_data_fires(void **state)
{
    struct story story = secret("{'data':{'a':'aHVudGVyMg=='}}");
    const struct verdict *verdict = judge_story(*state, BASELINE, &story);
    expect_text(
        expect_finding(verdict, RULE_last_applied_secret, ACTION_WARN, "")->message,
        "kubectl-client-side-apply writes the data of Secret default/web into last-applied-configuration; "
        "apply it "
        "server-side and remove the annotation");
    story = secret("{'stringData':{'a':'hunter2'}}");
    expect_finding(judge_story(*state, STRICT, &story), RULE_last_applied_secret, ACTION_DENY, "");
}

/* kubectl keeps the annotation up to date under server-side apply too, as long as it is there. */
static void bookkeeping_fires(void **state)
{
    struct story story = secret("{'data':{'a':'aHVudGVyMg=='}}");
    story.manager = "kubectl-last-applied";
    story.new.entries[0] = (struct entry)APPLIES("kubectl-last-applied", OWNS_ANNOTATION, .time = NOW);
    expect_finding(judge_story(*state, BASELINE, &story), RULE_last_applied_secret, ACTION_WARN, "");
}

/* A Secret that another tool fills is declared without data. */
static void no_data_is_silent(void **state)
{
    static const char *const annotations[] = {
        "{'type':'Opaque'}", "{'data':{}}", "{'data':null,'stringData':{}}", "{'data':'x'}", "[1]",
    };
    for (size_t i = 0; i < sizeof(annotations) / sizeof(annotations[0]); i++) {
        struct story story = secret(annotations[i]);
        expect_quiet(state, &story);
    }
}

/* Whoever labels the Secret did not write the annotation. */
static void other_writes_are_silent(void **state)
{
    struct story story = secret("{'data':{'a':'aHVudGVyMg=='}}");
    story.manager = "kubectl-label";
    story.old = story.new;
    expect_quiet(state, &story);
}

/* The data of a ConfigMap is no secret. */
static void other_kinds_are_silent(void **state)
{
    struct story story = secret("{'data':{'a':'x'}}");
    story.kind = "ConfigMap";
    expect_quiet(state, &story);
    story = secret("{'data':{'a':'x'}}");
    story.group = "example.com";
    expect_quiet(state, &story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(declared_data_fires),     IN_COURT(bookkeeping_fires),      IN_COURT(no_data_is_silent),
        IN_COURT(other_writes_are_silent), IN_COURT(other_kinds_are_silent),
    };
    return cmocka_run_group_tests_name("last-applied-secret", tests, NULL, NULL);
}
