/*
 * Memory runs out at one allocation after another, for recorded reviews and for policies: what is answered
 * then is the truth or nothing. Some of the allocations fail for each, all of them with
 * APPLYGUARD_TORTURE=all. For hostile input: see test_torture_hostile.c.
 *
 * Run from the top folder, where the recorded reviews and the policies are.
 */
#include "tests/torture/failing_memory.h"

/* Allocations that fail for each review and each policy, in each of the two ways. */
#define FAILURES_OF_EACH 32

static void check_review(const char *name, struct slice text)
{
    check_body(name, text, failures_of_each(FAILURES_OF_EACH));
}

/* An answer made without enough memory would let through what is to be refused, or the reverse. */
static void reviews_are_judged_right_or_not_at_all(void **state)
{
    (void)state;
    for_each_file("tests/reviews/*/review.json", check_review);
}

/* The caller frees it. Empty without a policy. */
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

struct loading {
    const char *path;
    struct slice text;
    struct slice truth; /* empty: the policy does not exist */
};

static bool load_again(void *data, size_t number)
{
    const struct loading *loading = data;
    struct error error = {0};
    struct policy *policy = load_telling_all(loading->text, &error);
    stop_failing();
    struct slice printed = print(policy);
    bool is_whole = policy || !loading->truth.length;
    if (!policy)
        assert_true(error.message[0] != '\0');
    else
        assert_true_or_nothing(printed, loading->truth, loading->path, number);
    free((void *)(uintptr_t)printed.bytes);
    policy_free(policy);
    return is_whole;
}

static void check_policy(const char *name, struct slice text)
{
    struct error error = {0};
    struct loading loading = {.path = name, .text = text};
    struct policy *policy = policy_load(loading.text, &error);
    loading.truth = print(policy);
    policy_free(policy);
    fail_each_allocation(load_again, &loading, failures_of_each(FAILURES_OF_EACH));
    free((void *)(uintptr_t)loading.truth.bytes);
}

/* A policy that lacks what there was no memory for would be another policy. */
static void policies_are_loaded_whole_or_refused(void **state)
{
    (void)state;
    for_each_file("tests/policies/good/*.yaml", check_policy);
    for_each_file("tests/policies/useless/*.yaml", check_policy);
    for_each_file("tests/policies/bad/*.yaml", check_policy);
    for_each_input("tests/fuzz/corpus/fuzz_policy", check_policy);
}

struct printing {
    const struct policy *policy;
    struct slice truth;
};

static bool print_again(void *data, size_t number)
{
    const struct printing *printing = data;
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    (void)number;
    assert_non_null(out);
    bool is_whole = policy_print(printing->policy, out) == 0;
    fclose(out);
    assert_true(is_whole != (blocks.failures > 0));
    assert_true(slice_equal((struct slice){bytes, length}, is_whole ? printing->truth : SLICE("")));
    free(bytes);
    return is_whole;
}

/* What `applyguard policy show` prints is taken for a policy file: it is whole, or it is said that it is not.
 */
static void policies_are_printed_whole_or_not_at_all(void **state)
{
    (void)state;
    struct policy *policy = policy_default();
    struct printing printing = {policy, print(policy)};
    fail_each_allocation(print_again, &printing, SIZE_MAX);
    free((void *)(uintptr_t)printing.truth.bytes);
    policy_free(policy);
}

static bool load_embedded_again(void *truth, size_t number)
{
    struct policy *policy = policy_default();
    stop_failing();
    bool is_whole = policy != NULL;
    struct slice printed = print(policy);
    if (policy)
        assert_true_or_nothing(printed, *(const struct slice *)truth, "the embedded policy", number);
    free((void *)(uintptr_t)printed.bytes);
    policy_free(policy);
    return is_whole;
}

/* The server starts with it, or says that it cannot. */
static void the_embedded_policy_is_whole_or_absent(void **state)
{
    (void)state;
    struct policy *policy = policy_default();
    struct slice truth = print(policy);
    policy_free(policy);
    fail_each_allocation(load_embedded_again, &truth, SIZE_MAX);
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
