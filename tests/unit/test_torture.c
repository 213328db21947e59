/*
 * Memory runs out at every single allocation in turn, for recorded reviews and for policies: what is answered
 * then is the truth or nothing. Of hostile input: see test_torture_hostile.c.
 *
 * Run from the top folder, where the recorded reviews and the policies are.
 */
#include "tests/torture/failing_memory.h"

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
        fault_points += has_failed;
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
    for_each_file("tests/fuzz/corpus/fuzz_policy/*", check_policy);
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
        cmocka_unit_test(policies_are_loaded_whole_or_refused),
        cmocka_unit_test(policies_are_printed_whole_or_not_at_all),
        cmocka_unit_test(the_embedded_policy_is_whole_or_absent),
    };
    return cmocka_run_group_tests_name("torture", tests, NULL, tell_fault_points);
}
