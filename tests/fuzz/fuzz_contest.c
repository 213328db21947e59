/*
 * Whatever reviews follow each other, with contested-field's memory between them: each is answered as
 * answer.h has it; the memory's secret seed changes no answer; a review that comes again, as the API server
 * asks again, is answered again as it was; and what is not allowed, or a dry run, leaves nothing behind. The
 * input is a JSON list of reviews.
 */
#include "base/json.h"
#include "fuzz.h"
#include "tests/fuzz/answer.h"

#define REVIEWS_MAX 4

/* Between one review and the next. */
#define STEP_SECONDS 7

struct sequence {
    struct slice reviews[REVIEWS_MAX];
    size_t count;
    enum mode ceiling;
    struct arena *arena;
};

static struct takeover_history *empty_history(uint64_t seed)
{
    struct siphash_seed secret = {0};
    memcpy(&secret, &seed, sizeof(seed));
    struct takeover_history *history = takeover_history_create(secret);
    promise(history != NULL, "there is memory");
    return history;
}

static struct reply ask_next(const struct sequence *sequence, size_t index, struct takeover_history *history)
{
    const struct question question = {
        policy_of_everything(),
        {
            .ceiling = sequence->ceiling,
            .now = FUZZ_NOW + STEP_SECONDS * (int64_t)index,
            .takeover_history = history,
        },
        sequence->reviews[index],
    };
    return ask(&question, sequence->arena);
}

/* Asks about each of them `times` times. */
static void ask_all(
    const struct sequence *sequence, uint64_t seed, unsigned times, struct reply replies[REVIEWS_MAX])
{
    struct takeover_history *history = empty_history(seed);
    for (size_t i = 0; i < sequence->count; i++)
        for (unsigned time = 0; time < times; time++)
            replies[i] = ask_next(sequence, i, history);
    takeover_history_destroy(history);
}

static void check_equal(
    const struct sequence *sequence, const struct reply *expected, const struct reply *replies,
    const char *what)
{
    for (size_t i = 0; i < sequence->count; i++)
        promise(slice_equal(expected[i].response, replies[i].response), what);
}

static bool leaves_a_trace(const struct reply *reply)
{
    return reply->verdict && reply->verdict->allowed && !reply->verdict->review->dry_run;
}

/* The replies as if requests that leave no trace had never come. */
static void check_traces(const struct sequence *sequence, const struct reply *expected)
{
    struct takeover_history *history = empty_history(1);
    for (size_t i = 0; i < sequence->count; i++) {
        if (!leaves_a_trace(&expected[i]))
            continue;
        promise(
            slice_equal(ask_next(sequence, i, history).response, expected[i].response),
            "what does not come about is not remembered");
    }
    takeover_history_destroy(history);
}

static void check_sequence(struct sequence *sequence, enum mode ceiling)
{
    struct reply once[REVIEWS_MAX], otherwise[REVIEWS_MAX], again[REVIEWS_MAX];
    sequence->ceiling = ceiling;
    ask_all(sequence, 1, 1, once);
    ask_all(sequence, 0x9e3779b97f4a7c15u, 1, otherwise);
    check_equal(sequence, once, otherwise, "the memory's seed changes no answer");
    ask_all(sequence, 1, 2, again);
    check_equal(sequence, once, again, "a review that comes again is answered as it was");
    check_traces(sequence, once);
}

/* Each review as compact JSON. */
static void read_reviews(struct sequence *sequence, yyjson_val *list)
{
    const yyjson_alc allocator = arena_yyjson(sequence->arena);
    size_t index, count;
    yyjson_val *review;
    yyjson_arr_foreach(list, index, count, review)
    {
        size_t length;
        char *text = sequence->count < REVIEWS_MAX
            ? yyjson_val_write_opts(review, YYJSON_WRITE_NOFLAG, &allocator, &length, NULL)
            : NULL;
        if (text)
            sequence->reviews[sequence->count++] = (struct slice){text, length};
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sequence sequence = {.arena = arena_create()};
    promise(sequence.arena != NULL, "there is memory");
    yyjson_doc *document =
        json_read((struct slice){(const char *)data, size}, YYJSON_READ_NUMBER_AS_RAW, sequence.arena, NULL);
    read_reviews(&sequence, yyjson_doc_get_root(document));
    if (sequence.count) {
        check_sequence(&sequence, MODE_WARN); /* everything is remembered */
        check_sequence(&sequence, MODE_ENFORCE);
    }
    arena_destroy(sequence.arena);
    return 0;
}
