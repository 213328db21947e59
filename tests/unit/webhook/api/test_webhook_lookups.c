/*
 * Look-ups: several at a time, one for all who ask the same, none that cannot end in time; and each caller
 * gets a result, in every case.
 */
#include "webhook/api/lookups.h"

#include "system/clock.h"
#include "tests/unit/kube/kube_fixture.h"

#include <pthread.h>
#include <semaphore.h>

#define ENOUGH_MS 60000u

struct asker {
    struct lookup_request request;
    sem_t is_reported;
};

struct fixture {
    struct api_worker *worker;
    struct lookups *lookups;
};

static struct fixture open_lookups(void **state)
{
    struct error error = {0};
    struct fixture fixture = {.worker = api_worker_create(kube_fixture_client(*state), &error)};
    assert_non_null(fixture.worker);
    fixture.lookups = lookups_create(fixture.worker, &error);
    assert_non_null(fixture.lookups);
    return fixture;
}

static void start(struct fixture *fixture)
{
    struct error error = {0};
    assert_int_equal(api_worker_start(fixture->worker, &error), 0);
}

static void close_lookups(struct fixture *fixture)
{
    lookups_stop(fixture->lookups);
    api_worker_stop(fixture->worker);
    lookups_free(fixture->lookups);
    api_worker_free(fixture->worker);
}

static void on_told(struct lookup_request *request)
{
    sem_post(&((struct asker *)(void *)request)->is_reported);
}

/* For an object of its own, by its number. */
static bool ask(
    struct fixture *fixture, struct asker *asker, const char *path, unsigned number, uint64_t milliseconds)
{
    *asker = (struct asker){.request.done = on_told};
    struct lookup_request *request = &asker->request;
    request->deadline = monotonic_milliseconds() + milliseconds;
    snprintf(request->path, sizeof(request->path), "%s", path);
    snprintf(request->uid, sizeof(request->uid), "u-%u", number);
    snprintf(request->resource_version, sizeof(request->resource_version), "%u", 1000 + number);
    sem_init(&asker->is_reported, 0, 0);
    return lookups_ask(fixture->lookups, request);
}

static void ask_all(
    struct fixture *fixture, struct asker *askers, unsigned count, const char *path, uint64_t ms)
{
    for (unsigned i = 0; i < count; i++)
        assert_true(ask(fixture, &askers[i], path, i, ms));
}

static enum lookup_outcome outcome_of(struct asker *asker)
{
    while (sem_wait(&asker->is_reported) != 0)
        ;
    sem_destroy(&asker->is_reported);
    looked_up_release(asker->request.object);
    return asker->request.outcome;
}

static void assert_outcomes(struct asker *askers, unsigned count, enum lookup_outcome outcome)
{
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(outcome_of(&askers[i]), outcome);
}

/* Protects scales that come together: the server answers none before as many are there as may be. */
static void several_are_under_way_at_a_time(void **state)
{
    struct asker askers[60];
    struct fixture fixture = open_lookups(state);
    assert_int_equal(LOOKUPS_PARALLEL, 16);
    start(&fixture);
    ask_all(&fixture, askers, 60, "/meet/16", ENOUGH_MS);
    assert_outcomes(askers, 60, LOOKUP_FETCHED);
    close_lookups(&fixture);
}

/* Protects the API server: one more than may be at a time never meet there. */
static void no_more_are_under_way_than_may_be(void **state)
{
    struct asker askers[40];
    struct fixture fixture = open_lookups(state);
    ask_all(&fixture, askers, 40, "/meet/17", 500);
    start(&fixture);
    for (unsigned i = 0; i < 40; i++)
        assert_int_not_equal(outcome_of(&askers[i]), LOOKUP_FETCHED);
    close_lookups(&fixture);
}

/* The object at "/web" of the file of this name, with the uid and the version of this number. */
static void write_object(const char *file, unsigned number)
{
    char text[128];
    snprintf(
        text, sizeof(text), "{\"/web\":{\"metadata\":{\"uid\":\"u-%u\",\"resourceVersion\":\"%u\"}}}", number,
        1000 + number);
    write_text(file, text);
}

static enum lookup_outcome ask_and_wait(struct fixture *fixture, const char *path, unsigned number)
{
    struct asker asker;
    assert_true(ask(fixture, &asker, path, number, ENOUGH_MS));
    return outcome_of(&asker);
}

/* Protects verdicts from forged reviews: what another path has is not kept for this one. */
static void an_object_is_kept_for_its_own_path(void **state)
{
    struct fixture fixture = open_lookups(state);
    write_object("theirs.json", 1);
    write_object("ours.json", 1);
    start(&fixture);
    assert_int_equal(ask_and_wait(&fixture, "/of/theirs/web", 1), LOOKUP_FETCHED);
    assert_int_equal(ask_and_wait(&fixture, "/of/ours/web", 1), LOOKUP_FETCHED);
    assert_int_equal(ask_and_wait(&fixture, "/of/ours/web", 1), LOOKUP_KEPT);
    close_lookups(&fixture);
}

/* Protects calls under way in the same way: no caller gets the answer for another path. */
static void no_call_is_shared_between_paths(void **state)
{
    struct asker askers[2];
    struct fixture fixture = open_lookups(state);
    write_object("theirs.json", 1);
    write_object("ours.json", 1);
    assert_true(ask(&fixture, &askers[0], "/of/theirs/web", 1, ENOUGH_MS));
    assert_true(ask(&fixture, &askers[1], "/of/ours/web", 1, ENOUGH_MS));
    start(&fixture);
    assert_outcomes(askers, 2, LOOKUP_FETCHED);
    close_lookups(&fixture);
}

/* Protects verdicts from reviews that name what is not there yet: the present object is not kept as that. */
static void an_object_is_kept_for_its_own_version(void **state)
{
    struct fixture fixture = open_lookups(state);
    write_object("web.json", 1);
    start(&fixture);
    assert_int_equal(ask_and_wait(&fixture, "/of/web/web", 2), LOOKUP_FETCHED);
    assert_int_equal(ask_and_wait(&fixture, "/of/web/web", 2), LOOKUP_FETCHED);
    assert_int_equal(ask_and_wait(&fixture, "/of/web/web", 1), LOOKUP_FETCHED);
    assert_int_equal(ask_and_wait(&fixture, "/of/web/web", 1), LOOKUP_KEPT);
    close_lookups(&fixture);
}

/* Protects the API server from one question twice: who asks for the same version waits for the same answer.
 */
static void one_question_is_for_all_who_ask_it(void **state)
{
    struct asker askers[10];
    unsigned counts[LOOKUP_OUTCOME_COUNT] = {0};
    struct fixture fixture = open_lookups(state);
    write_object("same-0.json", 0);
    write_object("same-1.json", 1);
    for (unsigned i = 0; i < 10; i++)
        assert_true(ask(&fixture, &askers[i], i % 2 ? "/of/same-1/web" : "/of/same-0/web", i % 2, ENOUGH_MS));
    start(&fixture);
    for (unsigned i = 0; i < 10; i++)
        counts[outcome_of(&askers[i])]++;
    assert_int_equal(counts[LOOKUP_FETCHED], 2);
    assert_int_equal(counts[LOOKUP_KEPT], 8);
    assert_int_equal(ask_and_wait(&fixture, "/of/same-0/web", 0), LOOKUP_KEPT);
    close_lookups(&fixture);
}

/* Protects a slow API server from questions whose answers are not needed any more; a call with enough time is
 * still made.
 */
static void none_is_begun_that_cannot_end_in_time(void **state)
{
    struct asker asker;
    struct fixture fixture = open_lookups(state);
    start(&fixture);
    assert_true(ask(&fixture, &asker, "/delay/400", 0, ENOUGH_MS));
    assert_int_equal(outcome_of(&asker), LOOKUP_FETCHED);
    assert_true(ask(&fixture, &asker, "/delay/0", 1, 399));
    assert_int_equal(outcome_of(&asker), LOOKUP_LATE);
    assert_true(ask(&fixture, &asker, "/delay/0", 2, ENOUGH_MS));
    assert_int_equal(outcome_of(&asker), LOOKUP_FETCHED);
    close_lookups(&fixture);
}

/* Protects from a slow hour: however long calls took, a look-up that may begin at once is begun. */
static void a_slow_api_server_is_asked_again(void **state)
{
    struct asker asker;
    struct fixture fixture = open_lookups(state);
    start(&fixture);
    assert_true(ask(&fixture, &asker, "/delay/1500", 0, ENOUGH_MS));
    assert_int_equal(outcome_of(&asker), LOOKUP_FETCHED);
    assert_true(ask(&fixture, &asker, "/delay/0", 1, LOOKUP_MS));
    assert_int_not_equal(outcome_of(&asker), LOOKUP_LATE);
    close_lookups(&fixture);
}

/* Protects memory from a crowd: what finds no room stays the asker's, who may go on without. */
static void too_many_find_no_room(void **state)
{
    static struct asker askers[LOOKUPS_MAX + 1];
    struct fixture fixture = open_lookups(state);
    ask_all(&fixture, askers, LOOKUPS_MAX, "/crowd", ENOUGH_MS);
    assert_false(ask(&fixture, &askers[LOOKUPS_MAX], "/crowd", LOOKUPS_MAX, ENOUGH_MS));
    start(&fixture);
    assert_outcomes(askers, LOOKUPS_MAX, LOOKUP_FETCHED);
    assert_true(ask(&fixture, &askers[0], "/crowd", LOOKUPS_MAX, ENOUGH_MS));
    assert_int_equal(outcome_of(&askers[0]), LOOKUP_FETCHED);
    close_lookups(&fixture);
}

/* Protects memory from large objects: together they take no more than was said, and the room comes back. */
static void large_objects_take_no_more_than_they_may(void **state)
{
    struct asker askers[12];
    struct fixture fixture = open_lookups(state);
    start(&fixture);
    ask_all(&fixture, askers, 12, "/large/1000000", ENOUGH_MS);
    unsigned fetched = 0;
    for (unsigned i = 0; i < 12; i++) {
        while (sem_wait(&askers[i].is_reported) != 0)
            ;
        fetched += askers[i].request.outcome == LOOKUP_FETCHED;
        assert_true(askers[i].request.object || strstr(askers[i].request.error.message, "too many large"));
    }
    assert_in_range(fetched, 1, LOOKUPS_OBJECTS_BYTES_MAX / 1000000);
    for (unsigned i = 0; i < 12; i++)
        looked_up_release(askers[i].request.object);
    assert_true(ask(&fixture, &askers[0], "/large/1000000", 100, ENOUGH_MS));
    assert_int_equal(outcome_of(&askers[0]), LOOKUP_FETCHED);
    close_lookups(&fixture);
}

/* Protects who reads the log: an answer without a body does not count as a lack of memory. */
static void an_empty_answer_is_told(void **state)
{
    struct asker asker;
    struct fixture fixture = open_lookups(state);
    start(&fixture);
    write_text("nothing.json", "{\"/web\":\"\"}");
    assert_true(ask(&fixture, &asker, "/of/nothing/web", 0, ENOUGH_MS));
    assert_int_equal(outcome_of(&asker), LOOKUP_FAILED);
    assert_string_equal(asker.request.error.message, "the API server's answer is empty");
    close_lookups(&fixture);
}

/* Protects the shutdown: waiting callers get their result before it goes on, and later ones are refused. */
static void a_stop_tells_everybody(void **state)
{
    struct asker askers[40];
    struct fixture fixture = open_lookups(state);
    start(&fixture);
    ask_all(&fixture, askers, 40, "/slow", ENOUGH_MS);
    lookups_stop(fixture.lookups);
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(sem_trywait(&askers[i].is_reported), 0);
    assert_int_equal(askers[39].request.outcome, LOOKUP_FAILED);
    assert_false(ask(&fixture, &askers[0], "/after", 0, ENOUGH_MS));
    close_lookups(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_are_under_way_at_a_time),
        cmocka_unit_test(no_more_are_under_way_than_may_be),
        cmocka_unit_test(one_question_is_for_all_who_ask_it),
        cmocka_unit_test(an_object_is_kept_for_its_own_path),
        cmocka_unit_test(no_call_is_shared_between_paths),
        cmocka_unit_test(an_object_is_kept_for_its_own_version),
        cmocka_unit_test(none_is_begun_that_cannot_end_in_time),
        cmocka_unit_test(a_slow_api_server_is_asked_again),
        cmocka_unit_test(too_many_find_no_room),
        cmocka_unit_test(large_objects_take_no_more_than_they_may),
        cmocka_unit_test(an_empty_answer_is_told),
        cmocka_unit_test(a_stop_tells_everybody),
    };
    return cmocka_run_group_tests(tests, kube_fixture_setup, kube_fixture_teardown);
}
