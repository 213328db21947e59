/*
 * slow: how long the hostile reviews take, and how much memory.
 *
 *   slow [MEBIBYTES [CASE]]
 *
 * Each runs in a process of its own, so that none pays for another and none can take the machine down. The
 * exit status is 1 if one of them takes more than its share: a review that does is a way to stop the webhook.
 */
#include "tests/unit/counted_arena.h"

#include "tests/torture/hostile.h"

#include "policy/encode.h"
#include "policy/judge.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEBIBYTE ((size_t)1024 * 1024)

/*
 * What a mebibyte of review may cost: several times what it costs without sanitizers, and little beside what
 * a step for each pair of fields comes to.
 */
#define SECONDS_PER_MEBIBYTE 1.0
#define MEMORY_PER_BYTE 64

/* Where a review is given up. */
#define SECONDS_MAX 60
#define MEMORY_MAX ((size_t)8 * 1024 * MEBIBYTE)

static const char policy_text[] =
    "apiVersion: applyguard.io/v1\n"
    "kind: Policy\n"
    "profile: strict\n"
    "rules:\n"
    "  ownership-conflict: {ignoreFields: ['.spec.containers[name=\"nginx\"].image', '.spec.a[*].b']}\n"
    "  explicit-fields: {action: warn, fields: {Deployment.apps: ['.spec.containers[*].image']}}\n"
    "overrides:\n"
    "- {match: {groups: ['*x*y*z', none]}, mode: audit}\n"
    "waivers:\n"
    "  rules: [explicit-strategy, explicit-fields, oversized-annotations, explicit-selector]\n"
    "  honour: [kluctl, flux, argocd]\n";

/* Of this process, whatever else the machine does. */
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

/* Whether it stays within its share. */
static bool measure(const struct hostile_case *hostile, const struct policy *policy, size_t size)
{
    struct buffer body = hostile_body(hostile, size);
    double mebibytes = (double)body.length / (double)MEBIBYTE;
    printf("%-34s %5.2f MiB ", hostile->name, mebibytes);
    fflush(stdout);
    double start = cpu_seconds();
    struct arena *arena = arena_create();
    const char *outcome = judge_and_encode(policy, buffer_slice(&body), arena);
    double seconds = cpu_seconds() - start;
    bool kept = seconds <= mebibytes * SECONDS_PER_MEBIBYTE &&
        counted.live_bytes <= body.length * MEMORY_PER_BYTE + ARENA_KEEP_BYTES;
    printf(
        "%9.1f ms %7zu MiB  %s%s\n", seconds * 1e3, counted.live_bytes / MEBIBYTE, outcome,
        kept ? "" : "  TOO MUCH");
    arena_destroy(arena);
    buffer_free(&body);
    return kept;
}

static int run_child(const struct hostile_case *hostile, size_t size)
{
    const struct rlimit cpu = {SECONDS_MAX, SECONDS_MAX};
    struct error error = {0};
    setrlimit(RLIMIT_CPU, &cpu);
    counted.limit_bytes = MEMORY_MAX;
    struct policy *policy = policy_load(slice_of(policy_text), &error);
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
    bool kept = true;
    for (size_t i = 0; i < hostile_case_count; i++) {
        if (argc <= 2 || strcmp(argv[2], hostile_cases[i].name) == 0)
            kept &= run(&hostile_cases[i], size);
    }
    return kept ? 0 : 1;
}
