/* A loop that does not turn is stuck after ten looks, and nothing else makes one look so. */
#include "webhook/http/heartbeat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Looks a second apart at a loop that has had so many beats; the looks until it was stuck, 0: it was not. */
static unsigned look(struct heartbeat *heartbeat, uint64_t beats, uint64_t *now, unsigned looks)
{
    for (unsigned i = 1; i <= looks; i++) {
        *now += HEARTBEAT_INTERVAL_MS;
        heartbeat_look(heartbeat, beats, *now);
        if (heartbeat_is_stuck(heartbeat))
            return i;
    }
    return 0;
}

static void stuck_after_ten_looks_until_it_turns(void **state)
{
    (void)state;
    struct heartbeat heartbeat = {0};
    uint64_t now = 5000;
    assert_int_equal(look(&heartbeat, 1, &now, 1), 0);
    assert_int_equal(look(&heartbeat, 1, &now, 100), HEARTBEAT_LOOKS);
    assert_int_equal(look(&heartbeat, 1, &now, 100), 1);
    assert_int_equal(look(&heartbeat, 2, &now, 1), 0);
    assert_int_equal(look(&heartbeat, 2, &now, HEARTBEAT_LOOKS - 1), 0);
    assert_int_equal(look(&heartbeat, 3, &now, 1), 0);
}

/* A beat in time, however rare, is enough. */
static void slow_is_not_stuck(void **state)
{
    (void)state;
    struct heartbeat heartbeat = {0};
    uint64_t now = 5000;
    for (uint64_t beats = 1; beats < 50; beats++)
        assert_int_equal(look(&heartbeat, beats, &now, HEARTBEAT_LOOKS), 0);
}

/* The process was stopped for a day: that is one look, in any order of going on. */
static void time_alone_is_nothing(void **state)
{
    (void)state;
    struct heartbeat heartbeat = {0};
    uint64_t now = 5000;
    look(&heartbeat, 1, &now, 1);
    for (unsigned day = 1; day < HEARTBEAT_LOOKS; day++) {
        now += 86400 * 1000;
        heartbeat_look(&heartbeat, 1, now);
        assert_false(heartbeat_is_stuck(&heartbeat));
    }
}

/* Each signal wakes the thread that looks. */
static void looks_that_come_too_soon_are_none(void **state)
{
    (void)state;
    struct heartbeat heartbeat = {0};
    uint64_t now = 5000;
    look(&heartbeat, 1, &now, 1);
    for (unsigned i = 0; i < 1000; i++)
        heartbeat_look(&heartbeat, 1, now + i % HEARTBEAT_INTERVAL_MS);
    assert_false(heartbeat_is_stuck(&heartbeat));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stuck_after_ten_looks_until_it_turns),
        cmocka_unit_test(slow_is_not_stuck),
        cmocka_unit_test(time_alone_is_nothing),
        cmocka_unit_test(looks_that_come_too_soon_are_none),
    };
    return cmocka_run_group_tests_name("webhook heartbeat", tests, NULL, NULL);
}
