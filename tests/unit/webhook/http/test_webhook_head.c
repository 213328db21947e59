/* The head of a request is taken if it can be read in one way only, wherever the buffer behind it ends. */
#include "webhook/http/head.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define START "POST /validate HTTP/1.1\r\nHost: x\r\n"
#define LENGTH "Content-Length: 2\r\n"
#define CHUNKED "Transfer-Encoding: chunked\r\n"

/* A block of the exact size, so that a read behind it is seen. */
static enum head check(struct slice head)
{
    char *copy = malloc(head.length ? head.length : 1);
    if (head.length)
        memcpy(copy, head.bytes, head.length);
    enum head result = head_check((struct slice){copy, head.length});
    free(copy);
    return result;
}

static void expect(enum head expected, const char *head)
{
    assert_int_equal(check(slice_of(head)), expected);
}

/* Heads as clients and probes send them. */
static void what_is_plain(void **state)
{
    (void)state;
    expect(HEAD_PLAIN, START LENGTH "\r\n{}");
    expect(HEAD_PLAIN, START LENGTH "\r\n{}\r\n folded\nContent-Length: 3\r\n\r\n");
    expect(HEAD_PLAIN, "\r\n" START LENGTH "\r\n{}");
    expect(HEAD_PLAIN, "GET /healthz HTTP/1.1\r\n\r\n");
    expect(
        HEAD_PLAIN,
        START "Contents: 1\r\nContent-Lengths: 2\r\nHosts: a\r\nTransfer-Encodings: b\r\n" LENGTH "\r\n");
    expect(HEAD_PLAIN, START "X:\r\nT:\r\nc:\r\nh:\r\n\r\n");
}

/* A length is stated once, by one header, on one line. */
static void what_is_ambiguous(void **state)
{
    (void)state;
    expect(HEAD_AMBIGUOUS, START LENGTH LENGTH "\r\n{}");
    expect(HEAD_AMBIGUOUS, START LENGTH "content-LENGTH: 3\r\n\r\n{}");
    expect(HEAD_AMBIGUOUS, START LENGTH CHUNKED "\r\n");
    expect(HEAD_AMBIGUOUS, START CHUNKED LENGTH "\r\n");
    expect(HEAD_AMBIGUOUS, START CHUNKED CHUNKED "\r\n");
    expect(HEAD_AMBIGUOUS, START "Host: y\r\n\r\n");
    expect(HEAD_AMBIGUOUS, START "X: a\r\n b\r\n\r\n");
    expect(HEAD_AMBIGUOUS, START "X: a\r\n\tb\r\n\r\n");
    expect(HEAD_AMBIGUOUS, START "X: a\n" LENGTH "\r\n{}");
    expect(HEAD_AMBIGUOUS, START LENGTH "\n{}");
    expect(HEAD_AMBIGUOUS, "GET / HTTP/1.1\n\n");
    expect(HEAD_AMBIGUOUS, "\n" START LENGTH "\r\n{}");
}

static void what_has_no_length(void **state)
{
    (void)state;
    expect(HEAD_WITHOUT_LENGTH, START CHUNKED "\r\n2\r\n{}\r\n0\r\n\r\n");
    expect(HEAD_WITHOUT_LENGTH, START "TRANSFER-encoding:\tCHUNKED\r\n\r\n");
}

/* A head that is cut off is never plain, and nothing behind it is read. */
static void what_is_cut_off(void **state)
{
    (void)state;
    struct slice whole = SLICE(START LENGTH "\r\n");
    for (size_t length = 0; length < whole.length; length++)
        assert_int_equal(check(slice_until(whole, length)), HEAD_AMBIGUOUS);
    assert_int_equal(check(whole), HEAD_PLAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_plain),
        cmocka_unit_test(what_is_ambiguous),
        cmocka_unit_test(what_has_no_length),
        cmocka_unit_test(what_is_cut_off),
    };
    return cmocka_run_group_tests_name("webhook head", tests, NULL, NULL);
}
