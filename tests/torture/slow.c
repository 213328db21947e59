/*
 * slow: how long the hostile reviews take, and how much memory.
 *
 *   slow [MEBIBYTES [CASE]]
 *
 * Each is judged at two sizes, of which one is several times the other: what a mebibyte costs must stay
 * within its share, and grow hardly faster than the review. The exit status is 1 if one does not: a review
 * that costs more is a way to stop the webhook.
 *
 * Each runs in a process of its own, so that none pays for another and none can take the machine down. The
 * figures are of CPU time, the least of several runs, and of a build without sanitizers; busy others
 * still raise them, so this runs on demand and is not a test.
 */
#include "tests/unit/counted_arena.h"

#include "tests/torture/hostile.h"

#include "policy/judge.h"
#include "policy/verdict/encode.h"

#include <malloc.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEBIBYTE ((size_t)1024 * 1024)

/* The time that a mebibyte of review may cost. */
#ifdef NDEBUG
#define SECONDS_PER_MEBIBYTE 0.06
#else
#define SECONDS_PER_MEBIBYTE 1.0
#endif

/* The time may grow as this power of the bytes: sorting n of them takes n log n, and more of a large review
 * falls out of the caches. */
#define GROWTH_MAX 1.2

/*
 * How many times the small review's bytes the large one has: far apart, so that the one step at which a
 * review falls out of a cache counts for little compared with steady growth.
 */
#define LARGER 16

/* Rounds of which the quickest counts; more where it is still too slow. */
#define ROUNDS_LEAST 3
#define ROUNDS_MOST 20

/* A round is as many runs as the clock needs to measure. */
#define ROUND_SECONDS 0.02

/* Where a review is given up. */
#define SECONDS_MAX 60
#define MEMORY_MAX ((size_t)8 * 1024 * MEBIBYTE)

/* The CPU time of this process alone. */
static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Says what came of it, too: a trick that is not understood as one shows nothing. */
static const char *judge_and_encode(const struct policy *policy, struct slice body, struct arena *arena)
{
    const struct judge_options options = {.ceiling = MODE_ENFORCE, .now = 1800000000};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    enum judge_result result = judge(policy, body, &options, arena, &verdict, &error);
    if (result != JUDGE_OK)
        return result == JUDGE_OUT_OF_MEMORY ? "no memory" : "unreadable";
    encode_response(verdict, arena);
    encode_verdict(verdict, SLICE("slow"), arena);
    return verdict->finding_count ? rules[verdict->findings[0].rule].name : "no findings";
}

/* The time of judging a review. */
struct cost {
    size_t bytes;
    double seconds; /* of a run in the quickest round */
    size_t memory;
    const char *outcome;
};

static void judge_once(struct cost *cost, const struct policy *policy, struct slice body)
{
    struct arena *arena = arena_create();
    cost->outcome = judge_and_encode(policy, body, arena);
    cost->memory = counted.live_bytes;
    arena_destroy(arena);
}

static void judge_round(struct cost *cost, const struct policy *policy, struct slice body)
{
    double start = cpu_seconds(), taken = 0;
    for (int runs = 1; taken < ROUND_SECONDS; runs++) {
        judge_once(cost, policy, body);
        taken = cpu_seconds() - start;
        if (taken >= ROUND_SECONDS && (cost->seconds <= 0 || taken / runs < cost->seconds))
            cost->seconds = taken / runs;
    }
}

static double share_of(const struct cost *cost)
{
    return cost->seconds / ((double)cost->bytes / (double)MEBIBYTE);
}

static double growth_of(const struct cost *small, const struct cost *large)
{
    return log(large->seconds / small->seconds) / log((double)large->bytes / (double)small->bytes);
}

static bool is_within(const struct cost *small, const struct cost *large)
{
    return share_of(large) <= SECONDS_PER_MEBIBYTE && share_of(small) <= SECONDS_PER_MEBIBYTE &&
        growth_of(small, large) <= GROWTH_MAX;
}

/* Whether it stays within its share, in time and in memory. */
static bool measure(const struct hostile_case *hostile, const struct policy *policy, size_t size)
{
    struct buffer bodies[] = {hostile_body(hostile, size / LARGER), hostile_body(hostile, size)};
    struct cost small = {.bytes = bodies[0].length}, large = {.bytes = bodies[1].length};
    printf("%-34s %5.2f MiB ", hostile->name, (double)large.bytes / (double)MEBIBYTE);
    fflush(stdout);
    for (int i = 0; i < ROUNDS_LEAST || (i < ROUNDS_MOST && !is_within(&small, &large)); i++) {
        judge_round(&small, policy, buffer_slice(&bodies[0]));
        judge_round(&large, policy, buffer_slice(&bodies[1]));
    }
    bool kept =
        is_within(&small, &large) && large.memory <= large.bytes * HOSTILE_MEMORY_PER_BYTE + ARENA_KEEP_BYTES;
    printf(
        "%6.1f ms/MiB %5.2f %5zu MiB  %s%s\n", share_of(&large) * 1e3, growth_of(&small, &large),
        large.memory / MEBIBYTE, large.outcome, kept ? "" : "  TOO MUCH");
    buffer_free(&bodies[0]);
    buffer_free(&bodies[1]);
    return kept;
}

/*
 * All memory of a review is new to it, at any size: each block comes from the system and goes back. The
 * system hands it out cleared and page by page, which may take a third of the time. With thresholds that
 * follow what was freed before, as glibc has them by itself, or with a heap that keeps some MiB, the small
 * reviews would be spared that, and the large ones not: then the growth would be that of malloc.
 */
static void configure_malloc(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 * 1024);
    mallopt(M_TRIM_THRESHOLD, 0);
}

static int run_child(const struct hostile_case *hostile, size_t size)
{
    const struct rlimit cpu = {SECONDS_MAX, SECONDS_MAX};
    struct error error = {0};
    setrlimit(RLIMIT_CPU, &cpu);
    counted.limit_bytes = MEMORY_MAX;
    configure_malloc();
    struct policy *policy = policy_load(slice_of(hostile_policy), &error);
    if (!policy) {
        fprintf(stderr, "slow: policy, line %u: %s\n", error.line, error.message);
        return 2;
    }
    bool kept = measure(hostile, policy, size);
    policy_free(policy);
    fflush(stdout);
    return kept ? 0 : 1;
}

static bool run(const struct hostile_case *hostile, size_t size)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(run_child(hostile, size));
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return false;
    if (WIFSIGNALED(status))
        printf("  ended by signal %d: TOO MUCH, or a crash\n", WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv)
{
    size_t size = (argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 8) * MEBIBYTE;
    size_t runs = 0;
    bool kept = size;
    for (size_t i = 0; i < hostile_case_count && size; i++) {
        if (argc > 2 && strcmp(argv[2], hostile_cases[i].name) != 0)
            continue;
        kept &= run(&hostile_cases[i], size);
        runs++;
    }
    if (!runs) {
        fprintf(stderr, "usage: slow [MEBIBYTES [CASE]]\n");
        return 2;
    }
    return kept ? 0 : 1;
}
