/* The process in /metrics: alerts take a start time that changes for another start. */
#include "webhook/telemetry/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

/* The kernel's clocks are read one after the other: every tenth pair or so differs from the one before. */
#define READINGS 2000

static void a_process_starts_once(void **state)
{
    (void)state;
    const uint64_t started = process_read().started_microseconds;
    const uint64_t now = (uint64_t)time(NULL);
    assert_in_range(started / 1000000, now - 3600, now + 1);
    for (int i = 0; i < READINGS; i++)
        assert_int_equal(process_read().started_microseconds, started);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_process_starts_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
