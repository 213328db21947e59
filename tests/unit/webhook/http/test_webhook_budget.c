/* The budget: the parts of a limit never add up to more than the whole, and a request beyond it is refused.
 */
#include "webhook/http/budget.h"
#include "webhook/server/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MIB ((size_t)1 << 20)

static struct budget_needs needs_of(size_t limit)
{
    return (struct budget_needs){
        .limit = limit, .loops = 2, .connections = 1024, .max_body_bytes = DEFAULT_MAX_BODY_BYTES};
}

/* However large the limit and many the loops: a body of the largest fits, is judged, and all fits the limit.
 */
static void parts_fit_the_whole(void **state)
{
    (void)state;
    size_t planned = 0;
    for (size_t limit = MIB; limit < 4096 * MIB; limit += 7 * MIB) {
        for (size_t loops = 1; loops <= 64; loops *= 2) {
            struct budget budget;
            struct budget_needs needs = needs_of(limit);
            struct error error = {0};
            needs.loops = loops;
            if (budget_plan(&budget, &needs, &error) != 0) {
                assert_non_null(strstr(error.message, "--memory-limit"));
                continue;
            }
            planned++;
            assert_true(budget.total + loops * DEFAULT_MAX_BODY_BYTES < limit);
            assert_true(budget.bodies + budget.largest_review == budget.total);
            assert_true(budget.large_bodies < budget.bodies);
            assert_true(budget.large_bodies > 2 * DEFAULT_MAX_BODY_BYTES);
            assert_true(budget.largest_review >= 8 * DEFAULT_MAX_BODY_BYTES);
            assert_true(needs.connections >= loops && needs.connections <= 1024);
        }
    }
    assert_true(planned > 1000);
}

/* Connections that may send certificates may take their size in addition, so there are fewer of them. */
static void certificates_take_room(void **state)
{
    (void)state;
    struct budget budget;
    struct error error = {0};
    struct budget_needs without = needs_of(128 * MIB), with = needs_of(128 * MIB);
    without.loops = with.loops = 1;
    with.certificates_bytes = 64 << 10;
    assert_int_equal(budget_plan(&budget, &without, &error), 0);
    assert_int_equal(budget_plan(&budget, &with, &error), 0);
    assert_true(without.connections > 10 && without.connections < 1024);
    assert_true(with.connections < without.connections);
    assert_true(with.connections > without.connections / 2);
}

/* A pod as the chart makes it, with 7/8 of 256 MiB, can serve; with a quarter of that it cannot, and says
 * why. */
static void the_chart_fits(void **state)
{
    (void)state;
    struct budget budget;
    struct error error = {0};
    struct budget_needs needs = needs_of(MEMORY_OF_CONTAINER(256 * MIB));
    assert_true(budget_loops(needs.limit, needs.max_body_bytes) >= 4);
    needs.loops = budget_loops(needs.limit, needs.max_body_bytes);
    assert_int_equal(budget_plan(&budget, &needs, &error), 0);
    assert_true(needs.connections > 150);
    needs = needs_of(64 * MIB);
    assert_int_equal(budget_plan(&budget, &needs, &error), -1);
    assert_non_null(strstr(error.message, "64 MiB"));
    assert_int_equal(budget.limit, 0);
    assert_true(budget_take(&budget, 4096 * MIB, budget.bodies));
}

/* The smallest limits equal the ones in the chart's values. */
static void the_least_is_as_stated(void **state)
{
    (void)state;
    for (size_t loops = 1; loops <= 4; loops++) {
        struct budget budget;
        struct error error = {0};
        struct budget_needs needs = needs_of((100 + 18 * loops) * MIB);
        needs.loops = loops;
        assert_int_equal(budget_plan(&budget, &needs, &error), 0);
        needs.limit -= MIB;
        assert_int_equal(budget_plan(&budget, &needs, &error), -1);
    }
}

/* Without a limit nothing is refused; the memory in use is still known, and goes back to the system
 * afterwards. */
static void no_limit_refuses_nothing(void **state)
{
    (void)state;
    struct budget budget;
    struct error error = {0};
    struct budget_needs needs = needs_of(0);
    assert_int_equal(budget_plan(&budget, &needs, &error), 0);
    assert_int_equal(needs.connections, 1024);
    for (unsigned i = 0; i < 1000; i++)
        assert_true(budget_take(&budget, 100 * MIB, budget.large_bodies));
    assert_true(budget_in_use(&budget) == 100000 * MIB);
    assert_false(budget_has_calmed(&budget));
    budget_give_back(&budget, 100000 * MIB);
    assert_true(budget_has_calmed(&budget));
}

/* A refused amount is not taken; what was given back can be had again; the part for judging stays for
 * judging.
 */
static void ceilings_are_kept(void **state)
{
    (void)state;
    struct budget budget = {
        .limit = 100, .total = 64, .bodies = 32, .large_bodies = 28, .largest_review = 32};
    assert_true(budget_take(&budget, 28, budget.large_bodies));
    assert_false(budget_take(&budget, 1, budget.large_bodies));
    assert_true(budget_take(&budget, 4, budget.bodies));
    assert_false(budget_take(&budget, 1, budget.bodies));
    assert_true(budget_take(&budget, 0, 0));
    assert_true(budget_take(&budget, 32, budget.total));
    assert_false(budget_take(&budget, 1, budget.total));
    assert_false(budget_take(&budget, SIZE_MAX / 2, budget.total));
    assert_int_equal(budget_in_use(&budget), 64);
    budget_give_back(&budget, 40);
    assert_false(budget_take(&budget, 5, budget.large_bodies));
    assert_true(budget_take(&budget, 4, budget.large_bodies));
    budget_give_back(&budget, 28);
    assert_int_equal(budget_in_use(&budget), 0);
}

/* A small review asks for nothing; a large one for as much as it may need, and no more than there can be. */
static void reviews_ask_by_their_size(void **state)
{
    (void)state;
    const struct budget budget = {.largest_review = 64 * MIB};
    assert_int_equal(budget_of_review(&budget, 0), 0);
    assert_int_equal(budget_of_review(&budget, 64 << 10), 0);
    assert_true(budget_of_review(&budget, MIB) >= 13 * MIB);
    assert_int_equal(budget_of_review(&budget, 16 * MIB), 64 * MIB);
}

/* That memory can go back to the system is said once, when a tight time is over, and not before. */
static void calm_is_reported_once(void **state)
{
    (void)state;
    struct budget budget = {.total = 1000, .bodies = 1000, .tight = 250};
    assert_true(budget_take(&budget, 100, budget.total));
    budget_give_back(&budget, 100);
    assert_false(budget_has_calmed(&budget));
    assert_true(budget_take(&budget, 500, budget.total));
    assert_false(budget_has_calmed(&budget));
    budget_give_back(&budget, 500);
    assert_true(budget_has_calmed(&budget));
    assert_false(budget_has_calmed(&budget));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_fit_the_whole),
        cmocka_unit_test(certificates_take_room),
        cmocka_unit_test(the_chart_fits),
        cmocka_unit_test(the_least_is_as_stated),
        cmocka_unit_test(no_limit_refuses_nothing),
        cmocka_unit_test(ceilings_are_kept),
        cmocka_unit_test(reviews_ask_by_their_size),
        cmocka_unit_test(calm_is_reported_once),
    };
    return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
