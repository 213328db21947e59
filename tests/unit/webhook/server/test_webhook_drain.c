/* The stages of a drain come in order, each has its time, and all end within the grace period. */
#include "base/array_size.h"
#include "base/durations.h"
#include "webhook/server/drain.h"
#include "webhook/server/settings.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* With the defaults: 10 s as before, 2 s of notice, and requests that were under way have until the very end.
 */
static void the_defaults_give_every_stage_its_time(void **state)
{
    (void)state;
    struct drain_plan plan = drain_plan(DEFAULT_DRAIN_DELAY_MS, DEFAULT_GRACE_PERIOD_MS);
    assert_int_equal(drain_stage(&plan, 0), STAGE_LAME_DUCK);
    assert_int_equal(drain_stage(&plan, 9999), STAGE_LAME_DUCK);
    assert_int_equal(drain_stage(&plan, 10000), STAGE_CLOSING);
    assert_int_equal(drain_stage(&plan, 11999), STAGE_CLOSING);
    assert_int_equal(drain_stage(&plan, 12000), STAGE_CUT_IDLE);
    assert_int_equal(drain_stage(&plan, 27999), STAGE_CUT_IDLE);
    assert_int_equal(drain_stage(&plan, 28000), STAGE_LATE);
    assert_int_equal(drain_stage(&plan, 29499), STAGE_LATE);
    assert_int_equal(drain_stage(&plan, 29500), STAGE_STOP);
}

/* Whatever the two times are, also with no time at all or a delay beyond the grace period: the kubelet must
 * not kill us. */
static void every_plan_is_in_order_and_in_time(void **state)
{
    (void)state;
    static const uint32_t times[] = {
        0, 1, 2, 3, 100, 1000, 2500, 10000, 30000, 60000, DURATION_LIMIT_MS, UINT32_MAX};
    enum { COUNT = ARRAY_SIZE(times) };
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++) {
            struct drain_plan plan = drain_plan(times[i], times[j]);
            if (plan.closing > plan.cut_idle || plan.cut_idle > plan.late || plan.late > plan.stop ||
                plan.stop > times[j] || plan.exit > times[j] || plan.closing > times[i])
                fail_msg(
                    "delay %u, grace %u: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, times[i],
                    times[j], plan.closing, plan.cut_idle, plan.late, plan.stop, plan.exit);
        }
}

/* Without a delay new connections are refused at once. */
static void no_delay_means_no_lame_duck(void **state)
{
    (void)state;
    struct drain_plan plan = drain_plan(0, DEFAULT_GRACE_PERIOD_MS);
    assert_int_equal(drain_stage(&plan, 0), STAGE_CLOSING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_give_every_stage_its_time),
        cmocka_unit_test(every_plan_is_in_order_and_in_time),
        cmocka_unit_test(no_delay_means_no_lame_duck),
    };
    return cmocka_run_group_tests_name("webhook drain", tests, NULL, NULL);
}
