/*
 * Whatever a review looks like, it takes no more memory than so many times its bytes: what it takes is new to
 * the loop that judges it, and new memory is what a large review costs most. `slow` measures the time.
 */
#include "tests/torture/hostile.h"

#include "base/arena.h"
#include "policy/judge.h"
#include "policy/verdict/encode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Several times what an arena keeps, in memory. */
#define REVIEW_BYTES ((size_t)1024 * 1024)

/* The memory that the arena has taken when the review is answered. */
static size_t memory_for(const struct policy *policy, struct slice body)
{
    const struct judge_options options = {.ceiling = MODE_ENFORCE, .now = 1800000000};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    struct arena *arena = arena_create();
    assert_non_null(arena);
    assert_int_equal(judge(policy, body, &options, arena, &verdict, &error), JUDGE_OK);
    assert_true(encode_response(verdict, arena).bytes);
    size_t taken = arena_taken(arena);
    arena_destroy(arena);
    return taken;
}

static void memory_is_bounded_by_the_bytes(void **state)
{
    (void)state;
    struct error error = {0};
    struct policy *policy = policy_load(slice_of(hostile_policy), &error);
    assert_non_null(policy);
    for (size_t i = 0; i < hostile_case_count; i++) {
        struct buffer body = hostile_body(&hostile_cases[i], REVIEW_BYTES);
        size_t taken = memory_for(policy, buffer_slice(&body));
        if (taken > body.length * HOSTILE_MEMORY_PER_BYTE + ARENA_KEEP_BYTES)
            fail_msg("%s: %zu bytes for %zu", hostile_cases[i].name, taken, body.length);
        buffer_free(&body);
    }
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_bounded_by_the_bytes)};
    return cmocka_run_group_tests_name("torture_memory", tests, NULL, NULL);
}
