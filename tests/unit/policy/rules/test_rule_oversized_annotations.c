/*
 * oversized-annotations: past 262,144 bytes every apply fails. Counted as the API server counts: the bytes of
 * all keys and values.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define LIMIT 262144
#define WARN_BYTES 131072
#define DENY_BYTES 235929

/* Annotations of exactly `bytes` bytes in all, most of them in one called `name`. */
static char *annotations_of(const char *name, size_t bytes)
{
    size_t value = bytes - strlen(name) - strlen("k") - strlen("v");
    char *text = malloc(strlen(name) + value + 32);
    assert_non_null(text);
    int length = sprintf(text, "'k':'v','%s':'", name);
    memset(text + length, 'x', value);
    strcpy(text + (size_t)length + value, "'");
    return text;
}

static const struct verdict *judge_sizes(void **state, const char *policy, size_t before, size_t after)
{
    char *old_annotations = before ? annotations_of("big", before) : NULL;
    char *annotations = annotations_of("big", after);
    const struct verdict *verdict = judge_story(
        *state, policy,
        &(struct story){
            .manager = "kubectl-annotate",
            .old = {.body = before ? "" : NULL, .annotations = old_annotations},
            .new = {.body = "", .annotations = annotations},
        });
    free(old_annotations);
    free(annotations);
    return verdict;
}

static void expect_action(void **state, const char *policy, size_t before, size_t after, enum action action)
{
    const struct verdict *verdict = judge_sizes(state, policy, before, after);
    if (action == ACTION_OFF)
        expect_silence(verdict, RULE_oversized_annotations);
    else
        expect_finding(verdict, RULE_oversized_annotations, action, "");
}

/* The byte at which it warns, and the byte at which strict denies. */
static void thresholds_are_exact(void **state)
{
    expect_action(state, STRICT, 0, WARN_BYTES - 1, ACTION_OFF);
    expect_action(state, STRICT, 0, WARN_BYTES, ACTION_WARN);
    expect_action(state, STRICT, 0, DENY_BYTES - 1, ACTION_WARN);
    expect_action(state, STRICT, 0, DENY_BYTES, ACTION_DENY);
    expect_action(state, STRICT, 0, LIMIT, ACTION_DENY);
    expect_action(state, BASELINE, 0, WARN_BYTES, ACTION_WARN);
    expect_action(state, BASELINE, 0, LIMIT, ACTION_WARN);
    expect_action(state, "profile: audit\n", 0, LIMIT, ACTION_AUDIT);
}

/* The policy may set both. */
static void thresholds_are_settings(void **state)
{
    static const char policy[] = STRICT "rules: {oversized-annotations: {warnBytes: 100, denyBytes: 200}}\n";
    expect_action(state, policy, 0, 99, ACTION_OFF);
    expect_action(state, policy, 0, 100, ACTION_WARN);
    expect_action(state, policy, 0, 199, ACTION_WARN);
    expect_action(state, policy, 0, 200, ACTION_DENY);
    /* Both at one size: no warning comes before. */
    static const char at_once[] = STRICT "rules: {oversized-annotations: {warnBytes: 200, denyBytes: 200}}\n";
    expect_action(state, at_once, 0, 199, ACTION_OFF);
    expect_action(state, at_once, 0, 200, ACTION_DENY);
}

/* A request that leaves them as large, or shrinks them, is not scolded for what others made. */
static void growth_is_reported_and_size_alone_is_audited(void **state)
{
    expect_action(state, STRICT, DENY_BYTES + 1, DENY_BYTES + 1, ACTION_AUDIT);
    expect_action(state, STRICT, DENY_BYTES + 9, DENY_BYTES + 1, ACTION_AUDIT);
    expect_action(state, STRICT, DENY_BYTES + 1, DENY_BYTES + 2, ACTION_DENY);
    expect_action(state, STRICT, WARN_BYTES + 1, WARN_BYTES + 2, ACTION_WARN);
    expect_action(state, STRICT, DENY_BYTES, WARN_BYTES - 1, ACTION_OFF);
}

/* How full, what takes the room, and what to do about it. */
static void message_names_the_largest(void **state)
{
    const struct verdict *verdict = judge_sizes(state, BASELINE, 0, WARN_BYTES);
    expect_text(
        finding_of(verdict, RULE_oversized_annotations)->message,
        "Deployment default/web: annotations use 50 % of the allowed 256 KiB, mostly big; "
        "make it smaller");
    char *annotations = annotations_of(LAST_APPLIED_ANNOTATION, LIMIT);
    verdict = judge_story(*state, BASELINE, &(struct story){.new = {.body = "", .annotations = annotations}});
    free(annotations);
    expect_text(
        finding_of(verdict, RULE_oversized_annotations)->message,
        "Deployment default/web: annotations use 100 % of the allowed 256 KiB, mostly "
        "last-applied-configuration; use --server-side");
}

/* kubectl apply --server-side is the way out: while the annotation is there the API server keeps it up to
 * date. */
static void server_side_apply_is_not_denied(void **state)
{
    char *annotations = annotations_of(LAST_APPLIED_ANNOTATION, LIMIT);
    struct story story = {
        .manager = "kubectl",
        .new =
            {.body = "", .annotations = annotations, .entries = {APPLIES("kubectl", ".spec.a", .time = NOW)}},
    };
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_finding(verdict, RULE_oversized_annotations, ACTION_WARN, "");
    expect_part(
        finding_of(verdict, RULE_oversized_annotations)->message,
        "server-side apply needs none, so delete that annotation");
    story.new.entries[0].operation = "Update";
    expect_finding(judge_story(*state, STRICT, &story), RULE_oversized_annotations, ACTION_DENY, "");
    free(annotations);
}

/* The largest may come before a smaller one. */
static void the_largest_is_found_wherever_it_is(void **state)
{
    static const char policy[] = "rules: {oversized-annotations: {warnBytes: 9}}\n";
    static const char *const annotations[] = {
        "'a':'1','big':'12345','c':'12'", "'big':'12345','a':'1','c':'12'", "'a':'1','c':'12','big':'12345'"};
    for (size_t i = 0; i < ARRAY_SIZE(annotations); i++) {
        struct story story = {.new = {.body = "", .annotations = annotations[i]}};
        expect_part(
            finding_of(judge_story(*state, policy, &story), RULE_oversized_annotations)->message,
            "mostly big;");
    }
}

/* With many annotations, none is most of the size. */
static void of_many_the_largest_is_not_called_most(void **state)
{
    const struct story story = {.new = {.body = "", .annotations = "'a':'123','b':'1234','c':'123'"}};
    expect_text(
        finding_of(
            judge_story(*state, "rules: {oversized-annotations: {warnBytes: 9}}\n", &story),
            RULE_oversized_annotations)
            ->message,
        "Deployment default/web: annotations use 0 % of the allowed 256 KiB, the largest is b; delete some "
        "of them or make them smaller");
}

/* Characters are counted by their bytes, as the API server counts them. */
static void bytes_are_counted_not_characters(void **state)
{
    static const char policy[] = "rules: {oversized-annotations: {warnBytes: 9}}\n";
    expect_silence(
        judge_story(
            *state, policy, &(struct story){.new = {.body = "", .annotations = "'k\xc3\xa9':'vv\xc3\xa9'"}}),
        RULE_oversized_annotations);
    expect_count(
        judge_story(
            *state, policy,
            &(struct story){.new = {.body = "", .annotations = "'k\xc3\xa9':'vv\xc3\xa9\xc3\xa9'"}}),
        RULE_oversized_annotations, 1);
}

/* No annotations, or something else in their place, are no bytes. */
static void nothing_is_nothing(void **state)
{
    static const char policy[] = "rules: {oversized-annotations: {warnBytes: 1}}\n";
    static const char *const metadata[] = {
        NULL, "'annotations':null", "'annotations':{}", "'annotations':'x'"};
    for (size_t i = 0; i < ARRAY_SIZE(metadata); i++) {
        struct story story = {.new = {.body = "", .metadata = metadata[i]}};
        expect_silence(judge_story(*state, policy, &story), RULE_oversized_annotations);
    }
}

/* A Scale or an Eviction is not the object, and what is deleted needs no apply. */
static void other_requests_are_silent(void **state)
{
    static const char policy[] = "rules: {oversized-annotations: {warnBytes: 1}}\n";
    struct story story = {.old.body = "", .new = {.body = "", .annotations = "'k':'v'"}};
    expect_count(judge_story(*state, policy, &story), RULE_oversized_annotations, 1);
    static const char *const subresources[] = {"scale", "eviction", "unheard-of"};
    for (size_t i = 0; i < ARRAY_SIZE(subresources); i++) {
        story.subresource = subresources[i];
        expect_nothing(judge_story(*state, policy, &story));
    }
    story.subresource = NULL;
    story.operation = "DELETE";
    expect_nothing(judge_story(*state, policy, &story));
    story.operation = "CONNECT";
    expect_nothing(judge_story(*state, policy, &story));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(thresholds_are_exact),
        IN_COURT(thresholds_are_settings),
        IN_COURT(growth_is_reported_and_size_alone_is_audited),
        IN_COURT(message_names_the_largest),
        IN_COURT(server_side_apply_is_not_denied),
        IN_COURT(the_largest_is_found_wherever_it_is),
        IN_COURT(of_many_the_largest_is_not_called_most),
        IN_COURT(bytes_are_counted_not_characters),
        IN_COURT(nothing_is_nothing),
        IN_COURT(other_requests_are_silent),
    };
    return cmocka_run_group_tests_name("oversized-annotations", tests, NULL, NULL);
}
