/*
 * Schedules of CronJobs and names of time zones: what the API server takes, and nothing else.
 */
#include "base/array_size.h"
#include "policy/analysis/combinations_schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* Each was sent to Kubernetes 1.33 and 1.36. */
static void schedules_are_those_of_cron(void **state)
{
    (void)state;
    static const char *const valid[] = {
        "0 3 * * *",  "*/5 * * * *", "*/90 * * * *", "5/10 * * * *",       "1,,2 * * * *", ", * * * *",
        "0 0 * * 6",  "0 0 * * SUN", "0 0 * JAN *",  "0 9-17 * * MON-fri", "0 0 ? * *",    " 0  3 * * * ",
        "+5 0 1 * *", "005 0 1 * *", "0 0 30 2 *",   "*-5 0 1 * *",        "@daily",       "@midnight",
        "@every 1h",  "@every -1h",  "0\t3 * * *",
    };
    static const char *const invalid[] = {
        "",
        "0 3 * *",
        "0 0 3 * * *",
        "60 3 * * *",
        "0 24 * * *",
        "0 0 32 * *",
        "0 0 0 * *",
        "0 0 * 13 *",
        "0 0 * * 7",
        "0 0 * * sunday",
        "0 0 L * *",
        "0 0 * * 5L",
        "0 0 * * 5#2",
        "*/0 * * * *",
        "5-1 * * * *",
        "3- * * * *",
        "-3 * * * *",
        "0 0 1-5-6 * *",
        "0 0 1/2/3 * *",
        "*5 0 1 * *",
        "H 3 * * *",
        "0 22-6 * * *",
        "0 9-17 * * FRI-MON",
        "@reboot",
        "@Daily",
        "@every",
        "@every x",
        "TZ=UTC 0 3 * * *",
        "CRON_TZ=UTC 0 3 * * *",
        "99999999999999999999 * * * *",
        "*/ * * * *",
        "0 0 jan * *",
    };
    for (size_t i = 0; i < ARRAY_SIZE(valid); i++)
        assert_true(schedule_is_valid(slice_of(valid[i])));
    for (size_t i = 0; i < ARRAY_SIZE(invalid); i++)
        assert_false(schedule_is_valid(slice_of(invalid[i])));
}

/* The API server knows which zones exist; some forms no zone has. */
static void zones_have_names(void **state)
{
    (void)state;
    static const char *const valid[] = {
        "UTC",
        "CET",
        "Etc/UTC",
        "Etc/GMT+1",
        "GMT+0",
        "Europe/Berlin",
        "America/North_Dakota/New_Salem",
        "EST5EDT",
        "America/Argentina/ComodRivadavia",
        "Zone/That/May/Be",
        "posix/Europe/Berlin",
    };
    static const char *const invalid[] = {
        "",
        "Local",
        "local",
        "GMT+1",
        "UTC+2",
        "+01:00",
        "../UTC",
        "Europe/",
        "/Europe",
        "Europe//Berlin",
        " UTC",
        "Europe/Berlin ",
        "europe/berlin",
        "Europe/Berlin (CET)",
        "Averyveryverylongname",
    };
    for (size_t i = 0; i < ARRAY_SIZE(valid); i++)
        assert_true(time_zone_may_be(slice_of(valid[i])));
    for (size_t i = 0; i < ARRAY_SIZE(invalid); i++)
        assert_false(time_zone_may_be(slice_of(invalid[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_are_those_of_cron),
        cmocka_unit_test(zones_have_names),
    };
    return cmocka_run_group_tests_name("combinations_schedule", tests, NULL, NULL);
}
