/*
 * The worker: a turn that waits for an answer holds up none of the others, and ends at once when the worker
 * does.
 */
#include "webhook/api/api_worker.h"

#include "system/clock.h"
#include "tests/unit/kube/kube_fixture.h"

#include <semaphore.h>
#include <stdatomic.h>

#define ENOUGH_MS 60000u

/* A kind of work that waits for an answer, once. */
struct waiter {
    struct api_worker *worker;
    const char *path;
    unsigned turns;
    int result;
    long status;
    bool was_stopping; /* once it had its answer, or none */
    struct error error;
    atomic_bool is_waiting;
    atomic_bool has_ended;
};

static uint64_t wait_once(void *data)
{
    struct waiter *waiter = data;
    struct kube_response response;
    const struct kube_request request = {.method = "GET", .path = waiter->path, .timeout_ms = ENOUGH_MS};
    if (waiter->turns++)
        return UINT64_MAX;
    atomic_store(&waiter->is_waiting, true);
    waiter->result = api_worker_call(waiter->worker, &request, &response, &waiter->error);
    waiter->status = response.status;
    waiter->was_stopping = api_worker_is_stopping(waiter->worker);
    kube_response_release(&response);
    atomic_store(&waiter->is_waiting, false);
    atomic_store(&waiter->has_ended, true);
    return UINT64_MAX;
}

/* Another kind, which wants turns often while the first waits, and one more when it has ended. */
struct watcher {
    const struct waiter *waiter;
    unsigned turns_meanwhile;
    bool has_reported;
    sem_t meanwhile, after;
};

static uint64_t watch(void *data)
{
    struct watcher *watcher = data;
    if (atomic_load(&watcher->waiter->is_waiting)) {
        if (++watcher->turns_meanwhile == 3)
            sem_post(&watcher->meanwhile);
        return 5;
    }
    if (atomic_load(&watcher->waiter->has_ended) && !watcher->has_reported) {
        watcher->has_reported = true;
        sem_post(&watcher->after);
    }
    return UINT64_MAX;
}

struct fixture {
    struct waiter waiter;
    struct watcher watcher;
};

/* The watcher's turns come before the waiter's, so that only what it wants meanwhile brings it another. */
static void start(struct fixture *fixture, const char *path, void **state)
{
    struct error error = {0};
    struct api_worker *worker = api_worker_create(kube_fixture_client(*state), &error);
    assert_non_null(worker);
    *fixture = (struct fixture){.waiter = {.worker = worker, .path = path}};
    fixture->watcher.waiter = &fixture->waiter;
    sem_init(&fixture->watcher.meanwhile, 0, 0);
    sem_init(&fixture->watcher.after, 0, 0);
    api_worker_add(worker, watch, &fixture->watcher);
    api_worker_add(worker, wait_once, &fixture->waiter);
    assert_int_equal(api_worker_start(worker, &error), 0);
}

static void stop(struct fixture *fixture)
{
    api_worker_stop(fixture->waiter.worker);
    api_worker_free(fixture->waiter.worker);
    sem_destroy(&fixture->watcher.meanwhile);
    sem_destroy(&fixture->watcher.after);
}

static void wait_for(sem_t *semaphore)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += ENOUGH_MS / 1000;
    assert_int_equal(sem_timedwait(semaphore, &end), 0);
}

/* Protects calls with a deadline from a turn that waits; and the one that waits from a second turn in its
 * first.
 */
static void others_have_turns_while_one_waits(void **state)
{
    struct fixture fixture;
    start(&fixture, "/slow", state);
    wait_for(&fixture.watcher.meanwhile);
    stop(&fixture);
    assert_int_equal(fixture.waiter.turns, 1);
}

/* Protects the wish for a turn that came while another waited, and is due after that. */
static void what_they_want_meanwhile_is_not_forgotten(void **state)
{
    struct fixture fixture;
    start(&fixture, "/delay/200", state);
    wait_for(&fixture.watcher.after);
    stop(&fixture);
    assert_int_equal(fixture.waiter.result, 0);
    assert_int_equal(fixture.waiter.status, 200);
    assert_false(fixture.waiter.was_stopping);
}

/* Protects the grace period: the call ends without an answer, and its caller gets the reason. */
static void a_stop_ends_the_wait(void **state)
{
    struct fixture fixture;
    start(&fixture, "/slow", state);
    wait_for(&fixture.watcher.meanwhile);
    uint64_t begin = monotonic_milliseconds();
    stop(&fixture);
    assert_true(monotonic_milliseconds() - begin < ENOUGH_MS / 2);
    assert_int_equal(fixture.waiter.result, -1);
    assert_string_equal(fixture.waiter.error.message, "stopped");
    assert_true(fixture.waiter.was_stopping);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_have_turns_while_one_waits),
        cmocka_unit_test(what_they_want_meanwhile_is_not_forgotten),
        cmocka_unit_test(a_stop_ends_the_wait),
    };
    return cmocka_run_group_tests_name(
        "webhook api worker", tests, kube_fixture_setup, kube_fixture_teardown);
}
