/*
 * Whatever reviews were posted, /metrics is text that Prometheus reads: each line is a family's help or type
 * or one of its samples, no series comes twice, labels hold nothing that would need to be escaped, and there
 * are no more label sets than are allowed. The input is a JSON list of reviews.
 */
#include "base/json.h"
#include "fuzz.h"
#include "tests/fuzz/server.h"

#include <string.h>

#define REVIEWS_MAX 16
#define SERIES_MAX 16384

/* Those that server.c allows, and "other". */
#define LABEL_SETS_MAX 6

struct scrape {
    struct slice family;
    struct slice series[SERIES_MAX];
    size_t count;
    size_t label_sets;
};

static void post(struct slice body)
{
    struct exchange answer = exchange_post("/validate", body);
    exchange_free(&answer);
}

static void post_all(struct slice list, struct arena *arena)
{
    const yyjson_alc allocator = arena_yyjson(arena);
    yyjson_doc *document = json_read(list, YYJSON_READ_NUMBER_AS_RAW, arena, NULL);
    size_t index, count, length;
    yyjson_val *review;
    yyjson_arr_foreach(yyjson_doc_get_root(document), index, count, review)
    {
        char *text = index < REVIEWS_MAX
            ? yyjson_val_write_opts(review, YYJSON_WRITE_NOFLAG, &allocator, &length, NULL)
            : NULL;
        if (text)
            post((struct slice){text, length});
    }
}

/* Takes the longest run of these off. */
static struct slice take(struct slice *rest, const char *characters)
{
    size_t length = 0;
    while (length < rest->length && rest->bytes[length] && strchr(characters, rest->bytes[length]))
        length++;
    struct slice taken = slice_until(*rest, length);
    *rest = slice_from(*rest, length);
    return taken;
}

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

static struct slice take_name(struct slice *rest)
{
    struct slice name = take(rest, LOWER UPPER DIGITS "_");
    promise(name.length && !memchr(DIGITS, name.bytes[0], sizeof(DIGITS) - 1), "a name is one of Prometheus");
    return name;
}

static void take_character(struct slice *rest, char character)
{
    promise(rest->length && rest->bytes[0] == character, "a sample is as the format has it");
    *rest = slice_from(*rest, 1);
}

static void take_labels(struct slice *rest)
{
    if (!rest->length || rest->bytes[0] != '{')
        return;
    do {
        *rest = slice_from(*rest, 1);
        take_name(rest);
        take_character(rest, '=');
        take_character(rest, '"');
        take(rest, LOWER UPPER DIGITS "-._+/: ");
        take_character(rest, '"');
    } while (rest->length && rest->bytes[0] == ',');
    take_character(rest, '}');
}

static void read_sample(struct scrape *scrape, struct slice line)
{
    struct slice rest = line;
    struct slice name = take_name(&rest);
    promise(slice_starts_with(name, scrape->family), "a sample stands with its family");
    take_labels(&rest);
    promise(scrape->count < SERIES_MAX, "so many series fit");
    scrape->series[scrape->count++] = slice_until(line, line.length - rest.length);
    scrape->label_sets += slice_equal(name, SLICE("applyguard_object_reviews_total"));
    take_character(&rest, ' ');
    promise(take(&rest, DIGITS).length > 0, "a sample has a value");
    if (rest.length) {
        take_character(&rest, '.');
        promise(take(&rest, DIGITS).length > 0 && !rest.length, "a value is a number");
    }
}

static void read_line(struct scrape *scrape, struct slice line)
{
    if (slice_starts_with(line, SLICE("# TYPE "))) {
        struct slice rest = slice_from(line, strlen("# TYPE "));
        scrape->family = take_name(&rest);
        promise(
            slice_equal(rest, SLICE(" counter")) || slice_equal(rest, SLICE(" gauge")) ||
                slice_equal(rest, SLICE(" histogram")),
            "a family has a type");
    } else if (!slice_starts_with(line, SLICE("# HELP "))) {
        read_sample(scrape, line);
    }
}

static int compare(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

static void check_scrape(struct slice text, bool is_open_metrics)
{
    static struct scrape scrape;
    memset(&scrape, 0, sizeof(scrape));
    const struct slice end = SLICE("# EOF\n");
    if (is_open_metrics) {
        promise(
            text.length > end.length && slice_equal(slice_from(text, text.length - end.length), end),
            "what OpenMetrics awaits ends with its mark");
        text = slice_until(text, text.length - end.length);
    }
    while (text.length) {
        size_t length = slice_find(text, '\n');
        promise(length < text.length, "each line ends");
        read_line(&scrape, slice_until(text, length));
        text = slice_from(text, length + 1);
    }
    qsort(scrape.series, scrape.count, sizeof(*scrape.series), compare);
    for (size_t i = 1; i < scrape.count; i++)
        promise(!slice_equal(scrape.series[i - 1], scrape.series[i]), "no series comes twice");
    promise(scrape.label_sets <= (size_t)2 * LABEL_SETS_MAX, "there are no more label sets than are allowed");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct slice requests[] = {
        SLICE_LITERAL("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
        SLICE_LITERAL("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                      "Accept: application/openmetrics-text\r\n\r\n")};
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    post_all((struct slice){(const char *)data, size}, arena);
    arena_destroy(arena);
    for (size_t i = 0; i < 2; i++) {
        struct exchange scraped = exchange(DOOR_PLAIN, requests[i], 1, false);
        promise(scraped.count == 1 && scraped.answers[0].status == 200, "metrics are served");
        check_scrape(scraped.answers[0].body, i == 1);
        exchange_free(&scraped);
    }
    return 0;
}
