/*
 * The memory of takeovers: counts what came about and nothing twice, forgets in time, and never grows.
 */
#include "policy/analysis/takeover_history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define WINDOW 600

static int open_takeover_history(void **state)
{
    *state = takeover_history_create((struct siphash_seed){{7, 11}});
    return *state ? 0 : -1;
}

static int close_takeover_history(void **state)
{
    takeover_history_destroy(*state);
    return 0;
}

static struct takeover change_of(const char *field, const char *version, const char *parties)
{
    return (struct takeover){slice_of(field), slice_of(version), slice_of(parties), SLICE("taker")};
}

/* Notes `count` changes of the field, one a second, each of another version and other parties. */
static void note_many(void **state, const char *field, int count, int64_t start)
{
    for (int i = 0; i < count; i++) {
        char version[32], parties[48];
        snprintf(version, sizeof(version), "%lld", (long long)start + i);
        snprintf(parties, sizeof(parties), "%s from %d at %lld", i % 2 ? "a" : "b", i, (long long)start);
        struct takeover change = change_of(field, version, parties);
        takeover_history_note(*state, &change, start + i);
    }
}

/* How often, if it changed hands once more at `now`. */
static size_t count_at(void **state, const char *field, int64_t now)
{
    struct takeover change = change_of(field, "a new version", "new parties");
    return takeover_history_count(*state, &change, now, WINDOW);
}

static void changes_are_counted_by_field(void **state)
{
    assert_int_equal(count_at(state, "f", 1000), 1);
    note_many(state, "f", 3, 1000);
    note_many(state, "g", 1, 1000);
    assert_int_equal(count_at(state, "f", 1003), 4);
    assert_int_equal(count_at(state, "g", 1003), 2);
    assert_int_equal(count_at(state, "h", 1003), 1);
}

/* Asking changes nothing. */
static void asking_is_not_noting(void **state)
{
    note_many(state, "f", 1, 1000);
    for (int i = 0; i < 5; i++)
        assert_int_equal(count_at(state, "f", 1003), 2);
}

/* Each change counts for as long as the window, and no longer. */
static void changes_are_forgotten_after_the_window(void **state)
{
    note_many(state, "f", 3, 1000);
    assert_int_equal(count_at(state, "f", 1000 + WINDOW - 1), 4);
    assert_int_equal(count_at(state, "f", 1000 + WINDOW), 3);
    assert_int_equal(count_at(state, "f", 1002 + WINDOW), 1);
}

/* A clock that was set back by a day does not make yesterday's peace a fight. */
static void clock_set_back_forgets(void **state)
{
    note_many(state, "f", 3, 100000);
    assert_int_equal(count_at(state, "f", 100000 - 86400), 1);
    assert_int_equal(count_at(state, "f", 99999), 4);
}

/* The API server asks again: of the same version of the object, or of a newer one with nothing lost
 * meanwhile. */
static void what_is_asked_again_counts_once(void **state)
{
    struct takeover first = change_of("f", "5", "a from b at 1");
    struct takeover same_version = change_of("f", "5", "c from b at 1");
    struct takeover newer_version = change_of("f", "6", "a from b at 1");
    takeover_history_note(*state, &first, 1000);
    assert_int_equal(takeover_history_count(*state, &first, 1000, WINDOW), 1);
    assert_int_equal(takeover_history_count(*state, &same_version, 1000, WINDOW), 1);
    assert_int_equal(takeover_history_count(*state, &newer_version, 1000, WINDOW), 1);
    takeover_history_note(*state, &same_version, 1000);
    takeover_history_note(*state, &newer_version, 1001);
    assert_int_equal(count_at(state, "f", 1002), 2);
    struct takeover taken_back = change_of("f", "7", "b from a at 2");
    struct takeover taken_again = change_of("f", "8", "a from b at 3");
    takeover_history_note(*state, &taken_back, 1002);
    takeover_history_note(*state, &taken_again, 1003);
    assert_int_equal(count_at(state, "f", 1003), 4);
}

/* An object without a version is not taken for the one before. */
static void no_version_is_no_evidence(void **state)
{
    struct takeover first = change_of("f", "", "a from b");
    struct takeover second = change_of("f", "", "b from a");
    takeover_history_note(*state, &first, 1000);
    takeover_history_note(*state, &second, 1000);
    assert_int_equal(count_at(state, "f", 1000), 3);
}

/* The latest takeovers of a field are kept. */
static void count_has_a_bound(void **state)
{
    note_many(state, "f", 3 * TAKEOVERS_MAX, 1000);
    assert_int_equal(count_at(state, "f", 1000 + 3 * TAKEOVERS_MAX - 10 + WINDOW), 10);
    assert_int_equal(count_at(state, "f", 1100), TAKEOVERS_MAX);
    int64_t last = 1000 + 3 * TAKEOVERS_MAX - 1;
    assert_int_equal(count_at(state, "f", last + WINDOW - 1), 2);
}

static void assume(void **state, const struct takeover_unseen *unseen, size_t count, bool are_takes)
{
    takeover_history_assume(*state, unseen, count, are_takes);
}

/* Requests that were not seen count only if they are assumed to be takes, and each writer cannot take twice.
 */
static void unseen_requests_may_count(void **state)
{
    const uint64_t a = takeover_writer_of(SLICE("a")), b = takeover_writer_of(SLICE("b"));
    const struct takeover_unseen mixed[] = {{1001, a}, {1002, b}, {1002, 0}, {1003 + WINDOW, 0}};
    const struct takeover_unseen same[] = {{1001, a}, {1002, a}, {1002, a}};
    struct takeover_unseen many[TAKEOVER_UNSEEN_MAX];
    for (size_t i = 0; i < TAKEOVER_UNSEEN_MAX; i++)
        many[i] = (struct takeover_unseen){1001, i};
    note_many(state, "f", 1, 1000);
    assume(state, mixed, 4, false);
    assert_int_equal(count_at(state, "f", 1003), 2);
    assume(state, mixed, 4, true);
    assert_int_equal(count_at(state, "f", 1003), 5);
    assert_int_equal(count_at(state, "other", 1003), 4);
    assume(state, same, 3, true);
    assert_int_equal(count_at(state, "f", 1003), 4);
    assert_int_equal(count_at(state, "other", 1003), 2);
    assume(state, many, TAKEOVER_UNSEEN_MAX, true);
    assert_int_equal(count_at(state, "f", 1003), TAKEOVERS_MAX);
    assume(state, NULL, 0, false);
    assert_int_equal(count_at(state, "f", 1003), 2);
}

/* A possible change counts as an unseen request does, once for all writers that the request may have. */
static void possible_changes_may_count(void **state)
{
    struct takeover one = change_of("f", "5", "a from b"), other = change_of("f", "5", "c from b");
    takeover_history_note_possible(*state, true);
    takeover_history_note(*state, &one, 1000);
    takeover_history_note(*state, &other, 1000);
    takeover_history_note_possible(*state, false);
    assert_int_equal(count_at(state, "f", 1001), 1);
    assume(state, NULL, 0, true);
    assert_int_equal(count_at(state, "f", 1001), 2);
    note_many(state, "f", 2, 1001);
    assert_int_equal(count_at(state, "f", 1003), 4);
}

static bool was_taken(void **state, const char *writer)
{
    return takeover_history_was_taken(*state, SLICE("f"), slice_of(writer), 1010, WINDOW);
}

/* A manager may have taken a field only by a request of its own, or of an unknown writer. */
static void who_may_have_taken_it(void **state)
{
    const struct takeover_unseen by_a[] = {{1005, takeover_writer_of(SLICE("a"))}}, unknown[] = {{1005, 0}};
    note_many(state, "f", 1, 1000);
    assert_true(was_taken(state, "taker"));
    assert_false(was_taken(state, "a"));
    assume(state, by_a, 1, true);
    assert_true(was_taken(state, "taker") && was_taken(state, "a") && !was_taken(state, "b"));
    assume(state, by_a, 1, false);
    assert_true(was_taken(state, "taker") && !was_taken(state, "a"));
    assume(state, unknown, 1, true);
    assert_true(was_taken(state, "b"));
    assume(state, NULL, 0, true);
    assert_false(was_taken(state, "a"));
    takeover_history_note_possible(*state, true);
    note_many(state, "f", 2, 1006);
    takeover_history_note_possible(*state, false);
    assert_true(was_taken(state, "taker") && !was_taken(state, "a"));
}

/* If two fields changed hands equally often, the latest one stays. */
static void the_latest_stays(void **state)
{
    char field[32];
    for (int i = 0; i < 10 * TAKEOVER_FIELDS_MAX; i++) {
        snprintf(field, sizeof(field), "long ago %d", i);
        note_many(state, field, 1, 1000);
    }
    note_many(state, "now", 1, 1400);
    for (int i = 0; i < TAKEOVER_FIELDS_MAX; i++) {
        snprintf(field, sizeof(field), "before %d", i);
        note_many(state, field, 1, 1200);
    }
    assert_int_equal(count_at(state, "now", 1401), 2);
}

/* Many fields at peace do not push out one that is fought over now. */
static void oldest_give_way(void **state)
{
    char field[32];
    for (int i = 0; i < 10 * TAKEOVER_FIELDS_MAX; i++) {
        snprintf(field, sizeof(field), "field %d", i);
        note_many(state, field, 1, 1000 + i / 100);
        if (i % 100 == 0)
            note_many(state, "fought over", 2, 1000 + i / 100);
    }
    int64_t now = 1000 + 10 * TAKEOVER_FIELDS_MAX / 100;
    assert_int_equal(count_at(state, "fought over", now), TAKEOVERS_MAX);
    assert_int_equal(count_at(state, field, now), 2);
    assert_int_equal(count_at(state, "field 0", now), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_takeover_history, close_takeover_history)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(changes_are_counted_by_field),
        TEST(asking_is_not_noting),
        TEST(changes_are_forgotten_after_the_window),
        TEST(clock_set_back_forgets),
        TEST(what_is_asked_again_counts_once),
        TEST(no_version_is_no_evidence),
        TEST(count_has_a_bound),
        TEST(unseen_requests_may_count),
        TEST(possible_changes_may_count),
        TEST(who_may_have_taken_it),
        TEST(the_latest_stays),
        TEST(oldest_give_way),
    };
    return cmocka_run_group_tests_name("takeover history", tests, NULL, NULL);
}
