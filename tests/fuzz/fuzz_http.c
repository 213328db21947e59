/*
 * Whatever bytes a connection brings to the server: what comes back are whole answers of HTTP, never a
 * redirect, of the statuses that are documented, an answer to a review has a uid, and the log stays printable
 * JSON. However the bytes are cut into pieces, the answers are the same; and afterwards the server still
 * serves.
 */
#include "fuzz.h"
#include "tests/fuzz/server.h"

#define PIECES 7

/* Each is a request at least so long. */
#define REQUEST_BYTES_MIN 16

/*
 * H2O refuses bytes that are not a request at once or, if they come in pieces, at the end of the head: which
 * it may never do. So one of the two may end with one more refusal.
 */
static void check_same(const struct exchange *a, const struct exchange *b)
{
    const struct exchange *longer = a->count > b->count ? a : b;
    size_t common = a->count > b->count ? b->count : a->count;
    for (size_t i = 0; i < common; i++)
        promise(
            a->answers[i].status == b->answers[i].status &&
                slice_equal(a->answers[i].body, b->answers[i].body),
            "the pieces do not change what is answered");
    promise(
        longer->count == common || (longer->count == common + 1 && longer->answers[common].status == 400),
        "the pieces do not change how much is answered");
}

static void check_serving(void)
{
    struct exchange probe =
        exchange(DOOR_REVIEWS, SLICE("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n"), 1, false);
    promise(probe.count == 1 && probe.answers[0].status == 200, "the server still serves");
    exchange_free(&probe);
}

static bool may_hold_head(struct slice bytes)
{
    return bytes.length >= 4 && memmem(bytes.bytes, bytes.length, "HEAD", 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice bytes = {(const char *)data, size};
    static unsigned count;
    if (size / REQUEST_BYTES_MIN >= ANSWERED_MAX)
        return 0;
    struct exchange whole = exchange(DOOR_REVIEWS, bytes, 1, may_hold_head(bytes));
    struct exchange cut = exchange(DOOR_REVIEWS, bytes, PIECES, may_hold_head(bytes));
    check_same(&whole, &cut);
    exchange_free(&whole);
    exchange_free(&cut);
    if (count++ % 64 == 0)
        check_serving();
    return 0;
}
