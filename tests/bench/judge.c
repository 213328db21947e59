/*
 * judge: the time of judging a review, compared with parsing it, without network.
 *
 *   judge [--quick] [--growth] FILE...
 *
 * Each FILE is an AdmissionReview. In turn, yyjson alone parses it in place, it is judged under the default
 * policy, it is judged and answered, and it is judged under a shadow policy as well. Judging is all that it
 * takes longer than parsing just before, so a copy of the body counts as judging, and a machine that is
 * slower at times is so for both; the median of many rounds counts. The exit status is 1 if for one of the
 * reviews judging takes more than RATIO_MAX of the time of parsing, or if both policies take more than
 * SHADOW_RATIO_MAX of the time of one with parsing.
 *
 * With --growth the numbers are printed as CSV, none is held against it, and malloc gives nothing back to the
 * system: new pages for each review of many MiB would hide how judging grows.
 */
#include "measure.h"

#include "policy/judge.h"
#include "policy/verdict/encode.h"
#include "webhook/server/settings.h"

#include <limits.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define RATIO_MAX 1.0
#define SHADOW_RATIO_MAX 1.6

/* The time of one measurement: a clock that is asked too often measures itself. */
#define BYTES_AT_ONCE ((size_t)256 * 1024)

/* All reviews are gone through so often, for machines are slower for seconds at a time; each time as many
 * measurements are made as take so much time, but no fewer than these. */
#define PASSES 6
#define MEASURED_NANOSECONDS 2e8
#define MEASURED_NANOSECONDS_QUICK 2e7
#define ROUNDS_MIN 2

/* The subjects, measured in turn. */
enum step { PARSE, JUDGE, ANSWER, SHADOW };

/*
 * Copies of one body with yyjson's padding, as parsing in place destroys what it parses; and memory for
 * yyjson alone, which never goes back to the system in between. It is not malloc's, whose ways with large
 * blocks it would change.
 */
struct copies {
    struct slice body;
    size_t count;
    size_t stride;
    char *bytes;
    void *pool;
    size_t pool_bytes;
};

static struct copies copies_create(struct slice body)
{
    struct copies copies = {.body = body, .count = BYTES_AT_ONCE / (body.length + 1) + 1};
    copies.stride = (body.length + YYJSON_PADDING_SIZE + 63) & ~(size_t)63;
    copies.bytes = calloc(copies.count, copies.stride);
    copies.pool_bytes = yyjson_read_max_memory_usage(body.length, YYJSON_READ_INSITU);
    copies.pool = mmap(NULL, copies.pool_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!copies.bytes || copies.pool == MAP_FAILED)
        give_up("no memory");
    return copies;
}

static void copies_free(struct copies *copies)
{
    free(copies->bytes);
    munmap(copies->pool, copies->pool_bytes);
}

static void copies_restore(const struct copies *copies)
{
    for (size_t i = 0; i < copies->count; i++)
        memcpy(copies->bytes + i * copies->stride, copies->body.bytes, copies->body.length);
}

static void parse(const struct copies *copies, char *bytes)
{
    yyjson_alc allocator;
    yyjson_alc_pool_init(&allocator, copies->pool, copies->pool_bytes);
    if (!yyjson_read_opts(bytes, copies->body.length, YYJSON_READ_INSITU, &allocator, NULL))
        give_up("a review is not JSON");
}

static void judge_and_answer(
    const struct policy *policy, struct slice body, enum step last, struct arena *arena)
{
    static const struct judge_options options = {
        .ceiling = MODE_ENFORCE, .now = 1800000000, .in_place = true};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    if (judge(policy, body, &options, arena, &verdict, &error) != JUDGE_OK)
        give_up("%s", error.message);
    if (last == ANSWER && !encode_response(verdict, arena).bytes)
        give_up("no memory");
    if (last == SHADOW && judge_review(policy, verdict->decoded, &options, &verdict, &error) != JUDGE_OK)
        give_up("%s", error.message);
}

/* The figures of one review. */
static double measure(
    const struct policy *policy, const struct copies *copies, enum step step, struct arena *arena)
{
    size_t length = copies->body.length;
    copies_restore(copies);
    double start = cpu_nanoseconds();
    for (size_t i = 0; i < copies->count; i++) {
        char *bytes = copies->bytes + i * copies->stride;
        if (step == PARSE)
            parse(copies, bytes);
        else
            judge_and_answer(policy, (struct slice){bytes, length}, step, arena);
        arena_reset(arena);
    }
    return (cpu_nanoseconds() - start) / (double)copies->count;
}

/* Nanoseconds of one review. */
struct round {
    double parsing, judging, encoding;
    double ratio;  /* of judging to parsing */
    double shadow; /* of both policies to one, with parsing */
};

struct result {
    const char *name;
    size_t bytes;
    struct round *rounds;
    size_t count;
};

static struct round measure_round(
    const struct policy *policy, const struct copies *copies, struct arena *arena)
{
    double parsing = measure(policy, copies, PARSE, arena);
    double judging = measure(policy, copies, JUDGE, arena) - parsing;
    double encoding = measure(policy, copies, ANSWER, arena) - judging - parsing;
    double shadow = measure(policy, copies, SHADOW, arena) / (judging + parsing);
    return (struct round){parsing, judging, encoding, judging / parsing, shadow};
}

static void add_round(struct result *result, struct round round)
{
    result->rounds = reallocarray(result->rounds, result->count + 1, sizeof(round));
    if (!result->rounds)
        give_up("no memory");
    result->rounds[result->count++] = round;
}

static void measure_all(
    const struct policy *policy, const struct copies *copies, double allowed, struct result *result)
{
    struct arena *arena = arena_create();
    if (!arena)
        give_up("no memory");
    double start = cpu_nanoseconds();
    for (int i = 0; i < ROUNDS_MIN || cpu_nanoseconds() - start < allowed; i++)
        add_round(result, measure_round(policy, copies, arena));
    arena_destroy(arena);
}

static void measure_file(const struct policy *policy, const char *path, double allowed, struct result *result)
{
    struct slice body = read_file(path);
    struct copies copies = copies_create(body);
    result->name = file_name(path);
    result->bytes = body.length;
    measure_all(policy, &copies, allowed, result);
    copies_free(&copies);
    free((char *)(uintptr_t)body.bytes);
}

static void configure_malloc(bool growth)
{
    if (growth) {
        mallopt(M_MMAP_MAX, 0);
        mallopt(M_TRIM_THRESHOLD, INT_MAX);
        return;
    }
    /* As the server does, and no thresholds that depend on what was freed before. */
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_HEAP_BYTES);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of one member of all rounds, each for itself. */
static double median(const struct result *result, size_t offset)
{
    double *numbers = calloc(result->count, sizeof(*numbers));
    if (!numbers)
        give_up("no memory");
    for (size_t i = 0; i < result->count; i++)
        memcpy(&numbers[i], (const char *)&result->rounds[i] + offset, sizeof(*numbers));
    qsort(numbers, result->count, sizeof(*numbers), compare_numbers);
    double middle = numbers[result->count / 2];
    free(numbers);
    return middle;
}

static struct round medians(const struct result *result)
{
    return (struct round){
        .parsing = median(result, offsetof(struct round, parsing)),
        .judging = median(result, offsetof(struct round, judging)),
        .encoding = median(result, offsetof(struct round, encoding)),
        .ratio = median(result, offsetof(struct round, ratio)),
        .shadow = median(result, offsetof(struct round, shadow)),
    };
}

static void report_growth(const struct result *results, int count)
{
    puts("review,bytes,parsing_ns,judging_ns,encoding_ns");
    for (int i = 0; i < count; i++) {
        struct round middle = medians(&results[i]);
        printf(
            "%s,%zu,%.0f,%.0f,%.0f\n", results[i].name, results[i].bytes, middle.parsing, middle.judging,
            middle.encoding);
    }
}

/* Whether the bound was kept. */
static bool report(const struct result *results, int count)
{
    double worst = 0, worst_shadow = 0;
    puts("review                  bytes  parsing ns  judging ns encoding ns  : parsing  with shadow");
    for (int i = 0; i < count; i++) {
        struct round middle = medians(&results[i]);
        printf(
            "%-20s %8zu %11.0f %11.0f %11.0f %10.2f %12.2f\n", results[i].name, results[i].bytes,
            middle.parsing, middle.judging, middle.encoding, middle.ratio, middle.shadow);
        worst = middle.ratio > worst ? middle.ratio : worst;
        worst_shadow = middle.shadow > worst_shadow ? middle.shadow : worst_shadow;
    }
    bool reached = worst > 0 && worst <= RATIO_MAX, is_shadow_reached = worst_shadow <= SHADOW_RATIO_MAX;
    printf(
        "judging to parsing, at worst %.2f, at most %.2f: %s\n", worst, RATIO_MAX,
        reached ? "reached" : "NOT REACHED");
    printf(
        "two policies to one, at worst %.2f, at most %.2f: %s\n", worst_shadow, SHADOW_RATIO_MAX,
        is_shadow_reached ? "reached" : "NOT REACHED");
    return reached && is_shadow_reached;
}

int main(int argc, char **argv)
{
    bool quick = false, growth = false;
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        quick |= strcmp(argv[first], "--quick") == 0;
        growth |= strcmp(argv[first], "--growth") == 0;
    }
    configure_malloc(growth);
    int count = argc - first;
    struct policy *policy = policy_default();
    struct result *results = calloc((size_t)count + 1, sizeof(*results));
    if (!policy || !results)
        give_up("no memory");
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < count; i++)
            measure_file(
                policy, argv[first + i], quick ? MEASURED_NANOSECONDS_QUICK : MEASURED_NANOSECONDS,
                &results[i]);
    bool reached = true;
    if (growth)
        report_growth(results, count);
    else
        reached = report(results, count);
    for (int i = 0; i < count; i++)
        free(results[i].rounds);
    policy_free(policy);
    free(results);
    return reached ? 0 : 1;
}
