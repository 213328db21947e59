/*
 * Memory runs out at every single allocation in turn: what is answered then is the truth or nothing.
 *
 * Run from the top folder, where the recorded reviews and the policies are. Of the hostile reviews some of
 * the allocations fail, all of them with APPLYGUARD_TORTURE=all, which takes long.
 */
#include "tests/torture/block_arena.h"
#include "tests/torture/hostile.h"

#include "policy/config/config.h"
#include "policy/judge.h"
#include "policy/verdict/encode.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What libyaml takes goes through these functions of its own, which a program may replace. */
void *yaml_malloc(size_t size);
void *yaml_realloc(void *memory, size_t size);
void yaml_free(void *memory);
unsigned char *yaml_strdup(const unsigned char *text);

void *yaml_malloc(size_t size)
{
    return block_allocate(size ? size : 1);
}

void *yaml_realloc(void *memory, size_t size)
{
    if (!memory)
        return yaml_malloc(size);
    return block_is_granted() ? realloc(memory, size ? size : 1) : NULL;
}

void yaml_free(void *memory)
{
    block_free(memory);
}

unsigned char *yaml_strdup(const unsigned char *text)
{
    if (!text)
        return NULL;
    size_t size = strlen((const char *)text) + 1;
    unsigned char *copy = yaml_malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

/* Bytes of a hostile review: enough for each trick to be one. */
#define HOSTILE_BYTES ((size_t)6 * 1024)

/* Allocations of a hostile review that fail in one run of the test, spread evenly. */
#define FAILURES_MAX 24

static const char policy_text[] =
    "apiVersion: applyguard.io/v1\n"
    "kind: Policy\n"
    "profile: strict\n"
    "managers:\n"
    "- {name: 'ci-*', operation: Update, class: applier}\n"
    "rules:\n"
    "  ownership-conflict: {ignoreFields: ['.spec.template.spec.containers[name=\"nginx\"].env[*]']}\n"
    "  explicit-fields: {action: warn, fields: {Deployment.apps: "
    "['.spec.template.spec.containers[*].image']}}\n"
    "  managedfields-health: {sharePercent: 0, minBytes: 0}\n"
    "  manager-identity: {action: deny, bindings: [{manager: '*', users: [nobody], groups: [none]}]}\n"
    "  manager-scope: {action: deny, scopes: [{manager: '*', allow: ['.spec.x[*].y'], deny: [.metadata]}]}\n"
    "  generic-manager: {names: ['*']}\n"
    "overrides:\n"
    "- match: {namespaces: ['kube-*'], groups: [none], serviceAccounts: ['a/*']}\n"
    "  rules: {ownership-conflict: {action: warn}}\n"
    "waivers: {rules: [explicit-strategy], honour: [kluctl, flux, argocd]}\n";

/* What the scale among the reviews is about. */
static const char scaled_text[] =
    "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\","
    "\"uid\":\"b92c57b6-62e2-46b1-bd31-46e59e75fdea\",\"managedFields\":[{\"manager\":\"kubectl\","
    "\"operation\":\"Apply\",\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\","
    "\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{}}}}]},\"spec\":{\"replicas\":3}}";

/* The allocations from the `number`th on fail, or that one alone. */
static void fail_at(size_t number, bool once)
{
    blocks.calls = 0;
    blocks.fail_from = number;
    blocks.fail_once = once;
}

static struct slice read_file(const char *path)
{
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    static char bytes[1024 * 1024];
    size_t length = fread(bytes, 1, sizeof(bytes), file);
    assert_true(length < sizeof(bytes));
    fclose(file);
    return (struct slice){bytes, length};
}

/* Calls `check` with each file of the pattern. */
static void for_each_file(const char *pattern, void (*check)(const char *path))
{
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check(found.gl_pathv[i]);
    globfree(&found);
}

/* What can be said of a review: nothing where there was no memory for it. */
struct said {
    struct slice response;
    struct slice report;
};

static struct said judge_in(struct arena *arena, const struct policy *policy, struct slice body)
{
    const struct judge_options options = {
        .ceiling = MODE_ENFORCE, .now = 1800000000, .scaled = slice_of(scaled_text)};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    enum judge_result result = judge(policy, body, &options, arena, &verdict, &error);
    if (result == JUDGE_OK)
        return (struct said){
            encode_response(verdict, arena), encode_verdict(verdict, SLICE("review.json"), arena)};
    assert_int_equal(result, JUDGE_OUT_OF_MEMORY);
    assert_true(error.message[0] != '\0');
    return (struct said){0};
}

static void assert_true_or_nothing(struct slice said, struct slice truth, const char *path, size_t number)
{
    if (said.bytes && !slice_equal(said, truth))
        fail_msg(
            "%s, allocation %zu fails: %.*s is not %.*s", path, number, (int)said.length, said.bytes,
            (int)truth.length, truth.bytes);
}

/* One of `stride` allocations, until there are fewer than `number`: then nothing failed. */
static void judge_with_each_failing(
    const struct policy *policy, const char *path, struct slice body, const struct said *truth, bool once,
    size_t stride)
{
    bool has_failed = true;
    for (size_t number = 1; has_failed; number += stride) {
        size_t live = blocks.live;
        fail_at(number, once);
        struct arena *arena = arena_create();
        struct said said = arena ? judge_in(arena, policy, body) : (struct said){0};
        has_failed = blocks.calls >= number;
        assert_true_or_nothing(said.response, truth->response, path, number);
        assert_true_or_nothing(said.report, truth->report, path, number);
        assert_true(has_failed || (said.response.bytes && said.report.bytes));
        arena_destroy(arena);
        assert_int_equal(blocks.live, live);
    }
    fail_at(0, false);
}

static void check_body(const char *name, struct slice body, size_t failures)
{
    struct error error = {0};
    struct policy *policy = policy_load(slice_of(policy_text), &error);
    if (!policy)
        fail_msg("line %u: %s", error.line, error.message);
    blocks.calls = 0;
    struct arena *arena = arena_create();
    struct said truth = judge_in(arena, policy, body);
    size_t stride = 1 + blocks.calls / failures;
    assert_true(truth.response.bytes && truth.report.bytes);
    judge_with_each_failing(policy, name, body, &truth, true, stride);
    judge_with_each_failing(policy, name, body, &truth, false, stride);
    arena_destroy(arena);
    policy_free(policy);
}

static void check_review(const char *path)
{
    check_body(path, read_file(path), SIZE_MAX);
}

/* An answer made without enough memory would let through what is to be refused, or the reverse. */
static void reviews_are_judged_right_or_not_at_all(void **state)
{
    (void)state;
    for_each_file("tests/reviews/*/review.json", check_review);
}

/* Whoever may write an object chooses where memory runs out: what is half made then must not be read. */
static void hostile_reviews_are_judged_right_or_not_at_all(void **state)
{
    (void)state;
    const char *wanted = getenv("APPLYGUARD_TORTURE");
    size_t failures = wanted && strcmp(wanted, "all") == 0 ? SIZE_MAX : FAILURES_MAX;
    for (size_t i = 0; i < hostile_case_count; i++) {
        struct buffer body = hostile_body(&hostile_cases[i], HOSTILE_BYTES);
        check_body(hostile_cases[i].name, buffer_slice(&body), failures);
        buffer_free(&body);
    }
}

/* The caller frees it. Empty if there is no policy. */
static struct slice print(const struct policy *policy)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    if (policy)
        assert_int_equal(policy_print(policy, out), 0);
    fclose(out);
    return (struct slice){bytes, length};
}

/* As policy_load, but looks for words about everything, as `policy check` does. */
static struct policy *load_telling_all(struct slice text, struct error *error)
{
    struct policy_problem items[100];
    struct policy_problems problems = {.items = items, .capacity = 100};
    struct policy *policy = policy_check(text, &problems);
    for (size_t i = problems.count; i; i--) {
        if (items[i - 1].kind == POLICY_BROKEN)
            *error = items[i - 1].error;
    }
    return policy;
}

static void load_with_each_failing(const char *path, struct slice text, struct slice truth, bool once)
{
    bool has_failed = true;
    for (size_t number = 1; has_failed; number++) {
        size_t live = blocks.live;
        struct error error = {0};
        fail_at(number, once);
        struct policy *policy = load_telling_all(text, &error);
        has_failed = blocks.calls >= number;
        fail_at(0, false);
        struct slice printed = print(policy);
        if (!policy)
            assert_true(error.message[0] != '\0' && (has_failed || !truth.length));
        else
            assert_true_or_nothing(printed, truth, path, number);
        free((void *)(uintptr_t)printed.bytes);
        policy_free(policy);
        assert_int_equal(blocks.live, live);
    }
}

static void check_policy(const char *path)
{
    struct slice text = read_file(path);
    struct error error = {0};
    struct policy *policy = policy_load(text, &error);
    struct slice truth = print(policy);
    policy_free(policy);
    load_with_each_failing(path, text, truth, true);
    load_with_each_failing(path, text, truth, false);
    free((void *)(uintptr_t)truth.bytes);
}

/* A policy that lacks what there was no memory for would be another policy. */
static void policies_are_loaded_whole_or_refused(void **state)
{
    (void)state;
    for_each_file("tests/policies/good/*.yaml", check_policy);
    for_each_file("tests/policies/useless/*.yaml", check_policy);
    for_each_file("tests/policies/bad/*.yaml", check_policy);
}

/* What `applyguard policy show` prints is taken for a policy file: it is whole, or it is said that it is not.
 */
static void policies_are_printed_whole_or_not_at_all(void **state)
{
    (void)state;
    struct policy *policy = policy_default();
    struct slice truth = print(policy);
    bool has_failed = true;
    for (size_t number = 1; has_failed; number++) {
        char *bytes = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&bytes, &length);
        fail_at(number, true);
        int result = policy_print(policy, out);
        has_failed = blocks.calls >= number;
        fail_at(0, false);
        fclose(out);
        assert_int_equal(result, has_failed ? -1 : 0);
        assert_true(slice_equal((struct slice){bytes, length}, has_failed ? SLICE("") : truth));
        free(bytes);
    }
    free((void *)(uintptr_t)truth.bytes);
    policy_free(policy);
}

/* The server starts with it, or says that it cannot. */
static void the_embedded_policy_is_whole_or_absent(void **state)
{
    (void)state;
    struct policy *policy = policy_default();
    struct slice truth = print(policy);
    policy_free(policy);
    const size_t live = blocks.live;
    bool has_failed = true;
    for (size_t number = 1; has_failed; number++) {
        fail_at(number, true);
        policy = policy_default();
        has_failed = blocks.calls >= number;
        fail_at(0, false);
        assert_true(policy || has_failed);
        struct slice printed = print(policy);
        if (policy)
            assert_true_or_nothing(printed, truth, "the embedded policy", number);
        free((void *)(uintptr_t)printed.bytes);
        policy_free(policy);
        assert_int_equal(blocks.live, live);
    }
    free((void *)(uintptr_t)truth.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reviews_are_judged_right_or_not_at_all),
        cmocka_unit_test(hostile_reviews_are_judged_right_or_not_at_all),
        cmocka_unit_test(policies_are_loaded_whole_or_refused),
        cmocka_unit_test(policies_are_printed_whole_or_not_at_all),
        cmocka_unit_test(the_embedded_policy_is_whole_or_absent),
    };
    return cmocka_run_group_tests_name("torture", tests, NULL, NULL);
}
