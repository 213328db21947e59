/* Which side caused a standstill: the client, or a server that is behind. Each case is a state of a
 * connection as the kernel reports it. */
#include "webhook/http/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PATIENCE_MS 2000u
#define NOW 1000000u

/* A request that began `age` ago is slow to send, if only so much of it has come. */
static bool is_slow_to_send(uint64_t age, struct traffic seen)
{
    struct pace pace = {.begin = NOW - age};
    return pace_is_slow_to_send(&pace, &seen, NOW, PATIENCE_MS);
}

static bool is_slow_to_read(uint64_t age, struct traffic seen)
{
    struct pace pace = {.begin = NOW - age};
    return pace_is_slow_to_read(&pace, &seen, NOW, PATIENCE_MS);
}

/* Nothing has come: that is borne for as long as the patience, and not longer. */
static void silence(void **state)
{
    (void)state;
    assert_false(
        is_slow_to_send(1999, (struct traffic){.received_ago = 1999, .sent_ago = 1999, .read_ago = NOW}));
    assert_true(
        is_slow_to_send(2000, (struct traffic){.received_ago = 2000, .sent_ago = 2000, .read_ago = NOW}));
    /* Nor does what came before excuse it. */
    struct traffic much = {
        .received = 1 << 20, .pieces = 1000, .received_ago = 2000, .sent_ago = 2100, .read_ago = 2000};
    assert_true(is_slow_to_send(2100, much));
}

/* Bytes that the server has yet to read are its own fault. */
static void a_loop_that_is_behind(void **state)
{
    (void)state;
    struct traffic unread = {
        .received = 300, .pieces = 1, .received_ago = 9000, .sent_ago = 9000, .has_unread = true};
    assert_false(is_slow_to_send(9000, unread));
    /* It has just sent its part of the handshake, and the client had nothing to say before. */
    struct traffic waited = {.received = 300, .pieces = 1, .received_ago = 10, .sent_ago = 15};
    assert_false(is_slow_to_send(9000, waited));
    /* Nor has it had the time to say anything since. */
    waited.received_ago = 9000;
    assert_false(is_slow_to_send(9000, waited));
    /* A full window of the client came at once, and has only now been read. */
    struct traffic full = {.received = 32000, .pieces = 30, .received_ago = 8900, .sent_ago = 9000};
    assert_false(is_slow_to_send(9000, full));
    /* All of the answer is with the client, and only the server does not know. */
    assert_false(is_slow_to_read(9000, (struct traffic){.acknowledged = 4000, .sent_ago = 9000}));
}

/* Time in which the loop did not run does not count, and no more of it than there was. */
static void a_loop_that_stood_still(void **state)
{
    (void)state;
    struct traffic seen = {.received = 300, .pieces = 1, .sent_ago = 9000};
    struct pace pace = {.begin = NOW - 9000};
    assert_true(pace_is_slow_to_send(&pace, &seen, NOW, PATIENCE_MS));
    pace_excuse(&pace, 7500, NOW);
    assert_false(pace_is_slow_to_send(&pace, &seen, NOW, PATIENCE_MS));
    pace_excuse(&pace, 9000, NOW);
    assert_int_equal(pace.begin, NOW);
}

/* A request of 17 KiB may take a second more, even if nothing else comes. */
static void rate(void **state)
{
    (void)state;
    struct traffic seen = {.received = 16000, .pieces = 16, .received_ago = 1, .sent_ago = 99999};
    assert_false(is_slow_to_send(3000, seen));
    assert_true(is_slow_to_send(3001, seen));
    seen.received += 1600000;
    assert_false(is_slow_to_send(60000, seen));
}

/* A client that sends a few bytes at a time is slow at the end of the patience, even if some are always
 * unread. */
static void a_byte_now_and_then(void **state)
{
    (void)state;
    struct traffic seen = {
        .received = 5 * 255, .pieces = 5, .received_ago = 1, .sent_ago = 1, .has_unread = true};
    assert_false(is_slow_to_send(1999, seen));
    assert_true(is_slow_to_send(2000, seen));
    /* Four pieces are a handshake. */
    assert_false(is_slow_to_send(
        2000, (struct traffic){.received = 400, .pieces = 4, .received_ago = 1, .has_unread = true}));
}

/* Only what has come since the request began counts, and the count of pieces may wrap. */
static void since_it_began(void **state)
{
    (void)state;
    struct traffic before = {.received = 1 << 20, .acknowledged = 1 << 20, .pieces = UINT32_MAX - 1},
                   seen = before;
    struct pace pace = pace_start(&before, NOW - 2000);
    seen.pieces += 5;
    seen.received += 5;
    seen.acknowledged += 5;
    seen.sent_ago = 1;
    seen.has_unread = seen.has_unsent = true;
    assert_true(pace_is_slow_to_send(&pace, &seen, NOW, PATIENCE_MS));
    assert_true(pace_is_slow_to_read(&pace, &seen, NOW, PATIENCE_MS));
}

/* A client that does not read its answer is slow, however much it sends, and one that reads is not. */
static void answers(void **state)
{
    (void)state;
    struct traffic deaf = {
        .received = 1 << 20, .pieces = 900, .received_ago = 1, .has_unread = true, .has_unsent = true};
    deaf.sent_ago = 1999;
    assert_false(is_slow_to_read(1999, deaf));
    deaf.sent_ago = 2000;
    assert_true(is_slow_to_read(2000, deaf));
    /* Nor does a byte that is read now and then help. */
    deaf.sent_ago = 1;
    deaf.acknowledged = 16000;
    assert_false(is_slow_to_read(2999, deaf));
    assert_true(is_slow_to_read(3000, deaf));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silence),
        cmocka_unit_test(a_loop_that_is_behind),
        cmocka_unit_test(a_loop_that_stood_still),
        cmocka_unit_test(rate),
        cmocka_unit_test(a_byte_now_and_then),
        cmocka_unit_test(since_it_began),
        cmocka_unit_test(answers),
    };
    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
