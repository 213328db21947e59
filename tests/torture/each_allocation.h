/*
 * each_allocation.h: makes each allocation of an attempt fail in turn: that one alone, and all from it on.
 *
 * The output is then right, or says that memory ran out, and nothing leaks. A program includes it once.
 */
#ifndef APPLYGUARD_TESTS_TORTURE_EACH_ALLOCATION_H
#define APPLYGUARD_TESTS_TORTURE_EACH_ALLOCATION_H

#include "tests/torture/block_arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/*
 * Fails the test if what it says is not the truth. False: it says that memory ran out. The allocation of this
 * `number` fails, or none if that is 0; after stop_failing none does.
 */
typedef bool failing_attempt(void *data, size_t number);

/* Attempts in which an allocation failed: what was tried is a figure of tests/README.md. */
static size_t fault_points;

static inline void stop_failing(void)
{
    blocks.fail_from = 0;
}

/* False if there were fewer allocations. */
static inline bool attempt_with_failing(failing_attempt *attempt, void *data, size_t number, bool once)
{
    size_t live = blocks.live;
    blocks.calls = blocks.failures = 0;
    blocks.fail_from = number;
    blocks.fail_once = once;
    bool is_whole = attempt(data, number);
    stop_failing();
    assert_true(is_whole || blocks.failures);
    assert_int_equal(blocks.live, live);
    fault_points += blocks.failures != 0;
    return blocks.failures != 0;
}

/* Fails every allocation of an attempt, or about `bound` of them, spread evenly, if there are more. */
static inline void fail_each_allocation(failing_attempt *attempt, void *data, size_t bound)
{
    attempt_with_failing(attempt, data, 0, false);
    size_t number, stride = 1 + blocks.calls / bound;
    for (number = 1; attempt_with_failing(attempt, data, number, true);)
        number += stride;
    for (number = 1; attempt_with_failing(attempt, data, number, false);)
        number += stride;
}

/* A bound: `usual`, unless APPLYGUARD_TORTURE=all asks for every allocation. */
static inline size_t failures_of_each(size_t usual)
{
    const char *wanted = getenv("APPLYGUARD_TORTURE");
    return wanted && strcmp(wanted, "all") == 0 ? SIZE_MAX : usual;
}

/* For the end of a program that has a figure. */
static inline int tell_fault_points(void **state)
{
    (void)state;
    printf("fault points: %zu\n", fault_points);
    return 0;
}

#endif
