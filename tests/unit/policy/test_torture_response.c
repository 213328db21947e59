/*
 * However many findings a review has at each action, its answer and its report are JSON, and count them all:
 * an API server takes an answer that is no JSON for a webhook that failed.
 */
#include "tests/torture/hostile.h"

#include "base/array_size.h"
#include "base/json.h"
#include "policy/config/config.h"
#include "policy/judge.h"
#include "policy/verdict/encode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* An action for each class that loses. */
static const char policy_text[] =
    "apiVersion: applyguard.io/v1\n"
    "kind: Policy\n"
    "profile: baseline\n"
    "managers:\n"
    "- {name: 'deny-*', class: applier}\n"
    "- {name: 'warn-*', class: controller}\n"
    "- {name: 'audit-*', class: adhoc}\n"
    "rules:\n"
    "  ownership-conflict:\n"
    "    takeover: {adhoc-from-applier: deny, adhoc-from-controller: warn, adhoc-from-adhoc: audit}\n"
    "  managedfields-health: {action: 'off'}\n"
    "  managedfields-rewritten: {action: 'off'}\n";

static const char *const names[ACTION_COUNT] = {
    [ACTION_AUDIT] = "audit-%zu", [ACTION_WARN] = "warn-%zu", [ACTION_DENY] = "deny-%zu"};

static struct policy *load(void)
{
    struct error error = {0};
    struct policy *policy = policy_load(slice_of(policy_text), &error);
    if (!policy)
        fail_msg("line %u: %s", error.line, error.message);
    return policy;
}

/* So many managers lose a field each. */
static void add_previous_owners(struct hostile_review *review, enum action action, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct buffer *entries = &review->old.entries;
        buffer_string(entries, entries->length ? ",{\"manager\":\"" : "{\"manager\":\"");
        buffer_number(entries, names[action], i);
        buffer_string(
            entries,
            "\",\"operation\":\"Apply\",\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\","
            "\"fieldsV1\":{\"f:");
        buffer_number(entries, names[action], i);
        buffer_string(entries, "\":{}}}");
        for (int side = 0; side < 2; side++) {
            struct buffer *body = side ? &review->new.body : &review->old.body;
            buffer_string(body, body->length ? ",\"" : "\"");
            buffer_number(body, names[action], i);
            buffer_string(body, side ? "\":2" : "\":1");
        }
    }
}

static yyjson_val *parse(struct slice text, struct arena *arena)
{
    yyjson_doc *document = text.bytes ? json_read(text, YYJSON_READ_NOFLAG, arena, NULL) : NULL;
    if (!document)
        fail_msg("not JSON: %.*s", (int)text.length, text.bytes);
    return yyjson_doc_get_root(document);
}

/* The number in the text before the words; 0: they are not there. */
static size_t count_before(struct slice text, const char *words)
{
    const char *at = text.length ? memmem(text.bytes, text.length, words, strlen(words)) : NULL;
    size_t number = 0, factor = 1;
    for (; at && at > text.bytes && at[-1] >= '0' && at[-1] <= '9'; at--, factor *= 10)
        number += factor * (size_t)(at[-1] - '0');
    return number;
}

static size_t count_warned(yyjson_val *response)
{
    yyjson_val *warnings = json_member(response, SLICE("warnings")), *warning;
    size_t warned = 0, i, count;
    assert_true(yyjson_arr_size(warnings) <= WARNINGS_MAX);
    yyjson_arr_foreach(warnings, i, count, warning)
    {
        size_t more = i + 1 == count ? count_before(json_text(warning), " more warning") : 0;
        warned += more ? more : 1;
    }
    return warned;
}

static size_t count_lines(struct slice text)
{
    size_t lines = text.length > 0;
    for (size_t i = 0; i < text.length; i++)
        lines += text.bytes[i] == '\n';
    return lines;
}

static size_t count_denied(yyjson_val *response)
{
    struct slice message = json_text(json_member(json_member(response, SLICE("status")), SLICE("message")));
    size_t more = count_before(message, " more");
    return count_lines(message) - (more > 0) + more;
}

static size_t count_audited(yyjson_val *response, struct arena *arena)
{
    yyjson_val *annotations = json_member(response, SLICE("auditAnnotations"));
    if (!annotations)
        return 0;
    yyjson_val *findings = parse(json_text(json_member(annotations, SLICE("findings"))), arena);
    size_t count = yyjson_arr_size(findings);
    yyjson_val *more = json_member(yyjson_arr_get_last(findings), SLICE("more"));
    return more ? count - 1 + yyjson_get_uint(more) : count;
}

static size_t count_reported(yyjson_val *report)
{
    yyjson_val *dropped = json_member(report, SLICE("dropped"));
    size_t count = yyjson_arr_size(json_member(report, SLICE("findings")));
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++)
        count += yyjson_get_uint(json_member(dropped, slice_of(action_name((enum action)action))));
    return count;
}

static void check_counts(const struct policy *policy, struct arena *arena, const size_t counts[ACTION_COUNT])
{
    const struct judge_options options = {.ceiling = MODE_ENFORCE};
    const struct verdict *verdict = NULL;
    struct hostile_review review = {0};
    struct error error = {0};
    size_t total = 0;
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++) {
        add_previous_owners(&review, (enum action)action, counts[action]);
        total += counts[action];
    }
    struct buffer body = hostile_assemble(&review);
    arena_reset(arena);
    assert_int_equal(judge(policy, buffer_slice(&body), &options, arena, &verdict, &error), JUDGE_OK);
    yyjson_val *response = json_member(parse(encode_response(verdict, arena), arena), SLICE("response"));
    yyjson_val *report = parse(encode_verdict(verdict, SLICE("review.json"), arena), arena);
    assert_int_equal(yyjson_get_bool(json_member(response, SLICE("allowed"))), !counts[ACTION_DENY]);
    assert_int_equal(count_warned(response), counts[ACTION_WARN]);
    assert_int_equal(count_denied(response), counts[ACTION_DENY]);
    assert_int_equal(count_audited(response, arena), total);
    assert_int_equal(count_reported(report), total);
    buffer_free(&body);
}

/* Around what is listed, and around what an answer has lines for. */
static const size_t sizes[] = {
    0,
    1,
    2,
    WARNINGS_MAX - 1,
    WARNINGS_MAX,
    WARNINGS_MAX + 1,
    VERDICT_FINDINGS_MAX - 1,
    VERDICT_FINDINGS_MAX,
    VERDICT_FINDINGS_MAX + 1};

static void every_number_of_findings_is_answered(void **state)
{
    (void)state;
    struct policy *policy = load();
    struct arena *arena = arena_create();
    for (size_t audit = 0; audit < ARRAY_SIZE(sizes); audit++)
        for (size_t warn = 0; warn < ARRAY_SIZE(sizes); warn++)
            for (size_t deny = 0; deny < ARRAY_SIZE(sizes); deny++)
                check_counts(
                    policy, arena,
                    (const size_t[ACTION_COUNT]){
                        [ACTION_AUDIT] = sizes[audit],
                        [ACTION_WARN] = sizes[warn],
                        [ACTION_DENY] = sizes[deny]});
    arena_destroy(arena);
    policy_free(policy);
}

static void thousands_of_findings_are_answered(void **state)
{
    (void)state;
    struct policy *policy = load();
    struct arena *arena = arena_create();
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++) {
        size_t counts[ACTION_COUNT] = {0};
        counts[action] = 5000;
        check_counts(policy, arena, counts);
        counts[ACTION_WARN] = counts[ACTION_WARN] ? counts[ACTION_WARN] : 1;
        check_counts(policy, arena, counts);
    }
    arena_destroy(arena);
    policy_free(policy);
}

/* For each hostile review, too. */
static void hostile_reviews_are_answered(void **state)
{
    (void)state;
    const struct judge_options options = {.ceiling = MODE_ENFORCE};
    struct error error = {0};
    struct policy *policy = policy_load(slice_of(hostile_policy), &error);
    struct arena *arena = arena_create();
    assert_non_null(policy);
    for (size_t i = 0; i < hostile_case_count; i++) {
        const struct verdict *verdict = NULL;
        struct buffer body = hostile_body(&hostile_cases[i], (size_t)128 * 1024);
        arena_reset(arena);
        assert_int_equal(judge(policy, buffer_slice(&body), &options, arena, &verdict, &error), JUDGE_OK);
        parse(encode_response(verdict, arena), arena);
        parse(encode_verdict(verdict, SLICE("review.json"), arena), arena);
        buffer_free(&body);
    }
    arena_destroy(arena);
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_findings_is_answered),
        cmocka_unit_test(thousands_of_findings_are_answered),
        cmocka_unit_test(hostile_reviews_are_answered),
    };
    return cmocka_run_group_tests_name("torture response", tests, NULL, NULL);
}
