/* Only connections that are too slow are cut: an API server's idle connection must never be taken for an
 * attack.
 */
#include "webhook/http/limits.h"
#include "webhook/http/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const struct observation idle = {.is_http = true};
static const struct observation headers = {.is_http = true, .received = 20};
static const struct observation body = {.is_http = true, .headers_complete = true, .received = 500};

/* Sees the same thing every second; returns after how many milliseconds the connection is over its limit, or
 * `most`. */
static uint64_t time_until_cut(
    struct progress *progress, const struct observation *seen, uint64_t start, uint64_t most)
{
    for (uint64_t passed = 0; passed < most; passed += SWEEP_INTERVAL_MS) {
        progress_observe(progress, seen, start + passed);
        if (progress_is_over_limit(progress, seen->received, start + passed))
            return passed;
    }
    return most;
}

/* The client keeps a connection for 90 s and does not repeat a POST that we cut. */
static void idle_connections_outlive_the_client(void **state)
{
    (void)state;
    struct progress progress = progress_start(0);
    uint64_t cut = time_until_cut(&progress, &idle, 1000, 1000000);
    assert_true(cut > 100000);
    assert_true(cut <= IDLE_LIMIT_MS + 2 * SWEEP_INTERVAL_MS);
}

/* Each request restarts the time, even one that came and went between two sweeps. */
static void a_request_between_sweeps_restarts_the_idle_time(void **state)
{
    (void)state;
    struct progress progress = progress_start(0);
    struct observation seen = idle;
    assert_int_equal(time_until_cut(&progress, &seen, 0, IDLE_LIMIT_MS), IDLE_LIMIT_MS);
    seen.written = 300;
    assert_int_equal(time_until_cut(&progress, &seen, IDLE_LIMIT_MS, IDLE_LIMIT_MS), IDLE_LIMIT_MS);
}

/* A connection that never becomes TLS, and headers that never end, are gone soon. */
static void silence_and_half_headers_are_cut(void **state)
{
    (void)state;
    const struct observation nothing = {.is_http = false};
    struct progress progress = progress_start(0);
    assert_true(time_until_cut(&progress, &nothing, 0, 60000) <= HANDSHAKE_LIMIT_MS + 2 * SWEEP_INTERVAL_MS);
    progress = progress_start(0);
    progress_observe(&progress, &idle, 0);
    assert_true(
        time_until_cut(&progress, &headers, 50000, 60000) <= HEADERS_LIMIT_MS + 2 * SWEEP_INTERVAL_MS);
}

/* Being long idle must not count against the request that follows. */
static void a_request_after_a_long_pause_has_its_full_time(void **state)
{
    (void)state;
    struct progress progress = progress_start(0);
    assert_int_equal(time_until_cut(&progress, &idle, 0, 100000), 100000);
    assert_true(time_until_cut(&progress, &headers, 100000, 60000) >= HEADERS_LIMIT_MS);
}

/* A body that drips is cut; one that flows may take as long as its size needs. */
static void bodies_are_measured_by_what_has_come(void **state)
{
    (void)state;
    struct progress progress = progress_start(0);
    struct observation flowing = body;
    assert_true(time_until_cut(&progress, &body, 0, 60000) <= TRANSFER_LIMIT_MS + 2 * SWEEP_INTERVAL_MS);
    progress = progress_start(0);
    for (uint64_t now = 0; now <= 25000; now += 1000) {
        flowing.received = (size_t)(now * TRANSFER_BYTES_PER_MS);
        progress_observe(&progress, &flowing, now);
        assert_false(progress_is_over_limit(&progress, flowing.received, now));
    }
    assert_true(progress_is_over_limit(&progress, flowing.received, 40000));
}

/* A client that sends request after request but reads no answer is cut too. */
static void answers_that_nobody_reads_are_cut(void **state)
{
    (void)state;
    const struct observation answering = {
        .is_http = true, .is_writing = true, .headers_complete = true, .received = 8000, .written = 3000000};
    struct progress progress = progress_start(0);
    progress_observe(&progress, &body, 0);
    uint64_t cut = time_until_cut(&progress, &answering, 1000, 100000);
    assert_true(cut > TRANSFER_LIMIT_MS + 3000000 / TRANSFER_BYTES_PER_MS - 2000);
    assert_true(cut < TRANSFER_LIMIT_MS + 3000000 / TRANSFER_BYTES_PER_MS + 2000);
}

/* H2O's goodbye to a client that is gone ends as well. */
static void connections_that_http_left_are_cut(void **state)
{
    (void)state;
    const struct observation gone = {.is_http = false, .is_writing = true};
    struct progress progress = progress_start(0);
    progress_observe(&progress, &idle, 0);
    assert_true(time_until_cut(&progress, &gone, 1000, 60000) <= CLOSING_LIMIT_MS + 2 * SWEEP_INTERVAL_MS);
    assert_int_equal(progress.phase, PHASE_CLOSING);
}

/* A refused body may go on for a while, for the sake of the answer, however much of it comes. */
static void refused_bodies_are_cut(void **state)
{
    (void)state;
    struct observation refused = {.is_http = true, .is_refused = true, .headers_complete = true};
    struct progress progress = progress_start(0);
    progress_observe(&progress, &body, 0);
    assert_true(time_until_cut(&progress, &refused, 1000, 60000) <= CLOSING_LIMIT_MS + 2 * SWEEP_INTERVAL_MS);
    assert_int_equal(progress.phase, PHASE_CLOSING);
}

/* A process that was frozen does not blame its clients for it, and no excuse reaches into the future. */
static void time_that_we_lost_is_excused(void **state)
{
    (void)state;
    struct progress progress = progress_start(0);
    progress_observe(&progress, &headers, 1000);
    progress_excuse(&progress, 60000, 65000);
    progress_observe(&progress, &headers, 65000);
    assert_false(progress_is_over_limit(&progress, headers.received, 65000));
    assert_true(progress_is_over_limit(&progress, headers.received, 65000 + HEADERS_LIMIT_MS));
    progress_excuse(&progress, 1000000, 66000);
    assert_false(progress_is_over_limit(&progress, headers.received, 66000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_connections_outlive_the_client),
        cmocka_unit_test(a_request_between_sweeps_restarts_the_idle_time),
        cmocka_unit_test(silence_and_half_headers_are_cut),
        cmocka_unit_test(a_request_after_a_long_pause_has_its_full_time),
        cmocka_unit_test(bodies_are_measured_by_what_has_come),
        cmocka_unit_test(answers_that_nobody_reads_are_cut),
        cmocka_unit_test(connections_that_http_left_are_cut),
        cmocka_unit_test(refused_bodies_are_cut),
        cmocka_unit_test(time_that_we_lost_is_excused),
    };
    return cmocka_run_group_tests_name("webhook progress", tests, NULL, NULL);
}
