/*
 * Whatever is written in the file of a policy's test: it is refused with its places, in the file's order, or
 * each case is a request and expects something.
 */
#include "commands/policytest/test_file.h"
#include "fuzz.h"
#include "tests/fuzz/printable.h"

/* Few, so that problems are dropped, too. */
#define PROBLEMS_MAX 8

static void check_refused(const struct policy_problems *problems)
{
    promise(problems->count > 0, "a refusal says why");
    for (size_t i = 0; i < problems->count; i++) {
        const struct error *error = &problems->items[i].error;
        promise(error->message[0] != '\0', "a problem has a sentence");
        check_printable(slice_of(error->message), 0);
        const struct error *before = i ? &problems->items[i - 1].error : NULL;
        promise(
            !before || before->line < error->line ||
                (before->line == error->line && before->column < error->column),
            "problems are told in the file's order");
    }
}

static void check_case(const struct test_case *each)
{
    bool is_recorded = each->review.path.length;
    promise(each->name.length > 0, "a case has a name");
    promise(is_recorded != (each->after.path.length > 0), "a case is one request");
    promise(is_recorded || each->writer.name.length, "somebody writes");
    promise(!each->owner_count || each->before.path.length, "owners own an object");
    promise(each->has_allowed || each->has_expected, "a case expects something");
    promise(each->expected_count <= TEST_EXPECTED_MAX, "no more is expected than can be found");
    promise(each->owner_count <= TEST_OWNERS_MAX, "there are not too many owners");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct policy_problem items[PROBLEMS_MAX];
    struct policy_problems problems = {.items = items, .capacity = PROBLEMS_MAX, .least = POLICY_BROKEN};
    struct policy_test test;
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    if (policy_test_read((struct slice){(const char *)data, size}, arena, &problems, &test)) {
        promise(test.policy.path.length && test.case_count, "a test has a policy and cases");
        for (size_t i = 0; i < test.case_count; i++)
            check_case(&test.cases[i]);
    } else {
        check_refused(&problems);
    }
    arena_destroy(arena);
    return 0;
}
