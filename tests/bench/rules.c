/*
 * rules: what each rule costs a review, without network and encoding.
 *
 *   rules [--quick] FILE...
 *
 * Each FILE is an AdmissionReview. It is judged again and again, in turn under policies that differ in which
 * rules are on: none, one alone, the first eight, all at their defaults. The least time of several rounds
 * counts, because other work of the machine only adds to it. The exit status is 1 if for one of the reviews
 * all rules together take more than RATIO_MAX of the time of the first eight.
 */
#include "base/array_size.h"
#include "measure.h"

#include "policy/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATIO_MAX 1.25

/* The time of one measurement, and how many there are. */
#define MEASURED_NANOSECONDS 4e6
#define ROUNDS 25
#define ROUNDS_QUICK 7

/* The rules of the first version: what came later is compared with these. */
static const enum rule_id first_rules[] = {
    RULE_ownership_conflict, RULE_oversized_annotations, RULE_explicit_selector,    RULE_explicit_strategy,
    RULE_explicit_fields,    RULE_last_applied_missing,  RULE_last_applied_invalid, RULE_last_applied_drift,
};

/* One policy each for every rule alone, and these. */
enum { NO_RULES = RULE_COUNT, FIRST_RULES, ALL_RULES, POLICY_COUNT };

static bool is_on(int which, int rule)
{
    bool is_first = false;
    for (size_t i = 0; i < ARRAY_SIZE(first_rules); i++)
        is_first |= (int)first_rules[i] == rule;
    return which == rule || which == ALL_RULES || (which == FIRST_RULES && is_first);
}

static struct policy *load_policy_with(int which)
{
    char text[8192] = "apiVersion: applyguard.io/v1\nkind: Policy\nrules:\n  unjudged: {}\n";
    size_t length = strlen(text);
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        if (!is_on(which, rule) && rule != RULE_unjudged)
            length += (size_t)snprintf(
                text + length, sizeof(text) - length, "  %s: {action: \"off\"}\n", rules[rule].name);
    }
    return load_policy((struct slice){text, length});
}

static void judge_once(const struct policy *policy, struct slice body, struct arena *arena)
{
    static const struct judge_options options = {.ceiling = MODE_ENFORCE, .now = 1800000000};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    if (judge(policy, body, &options, arena, &verdict, &error) != JUDGE_OK)
        give_up("%s", error.message);
    arena_reset(arena);
}

static double measure(const struct policy *policy, struct slice body, struct arena *arena, size_t repeats)
{
    double start = cpu_nanoseconds();
    for (size_t i = 0; i < repeats; i++)
        judge_once(policy, body, arena);
    return (cpu_nanoseconds() - start) / (double)repeats;
}

/* The least of all rounds, for each policy. */
static void measure_all(
    struct policy *const *policies, struct slice body, int rounds, double nanoseconds[POLICY_COUNT])
{
    struct arena *arena = arena_create();
    if (!arena)
        give_up("no memory");
    size_t repeats = (size_t)(MEASURED_NANOSECONDS / measure(policies[ALL_RULES], body, arena, 3)) + 1;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < POLICY_COUNT; i++) {
            double taken = policies[i] ? measure(policies[i], body, arena, repeats) : 0;
            if (round == 0 || taken < nanoseconds[i])
                nanoseconds[i] = taken;
        }
    }
    arena_destroy(arena);
}

static void report(const char *path, size_t size, const double nanoseconds[POLICY_COUNT])
{
    printf("%s, %zu bytes\n", file_name(path), size);
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        double share = nanoseconds[rule] - nanoseconds[NO_RULES];
        if (rules[rule].actions[PROFILE_BASELINE] == ACTION_OFF)
            printf("  %-28s      off by default\n", rules[rule].name);
        else if (rule != RULE_unjudged)
            printf(
                "  %-28s %8.0f ns %6.1f %%\n", rules[rule].name, share, 100 * share / nanoseconds[ALL_RULES]);
    }
    printf("  %-28s %8.0f ns\n", "reading the review", nanoseconds[NO_RULES]);
    printf("  %-28s %8.0f ns\n", "the first eight rules", nanoseconds[FIRST_RULES]);
    printf("  %-28s %8.0f ns\n", "all rules", nanoseconds[ALL_RULES]);
    printf(
        "  %-28s %8.2f, without reading %.2f\n", "all to the first eight",
        nanoseconds[ALL_RULES] / nanoseconds[FIRST_RULES],
        (nanoseconds[ALL_RULES] - nanoseconds[NO_RULES]) /
            (nanoseconds[FIRST_RULES] - nanoseconds[NO_RULES]));
}

int main(int argc, char **argv)
{
    struct policy *policies[POLICY_COUNT] = {NULL};
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    int first = quick ? 2 : 1;
    double worst = 0;
    for (int i = 0; i < POLICY_COUNT; i++) {
        if (i >= RULE_COUNT || rules[i].actions[PROFILE_BASELINE] != ACTION_OFF)
            policies[i] = load_policy_with(i);
    }
    for (int i = first; i < argc; i++) {
        double nanoseconds[POLICY_COUNT];
        struct slice body = read_file(argv[i]);
        measure_all(policies, body, quick ? ROUNDS_QUICK : ROUNDS, nanoseconds);
        report(argv[i], body.length, nanoseconds);
        double ratio = nanoseconds[ALL_RULES] / nanoseconds[FIRST_RULES];
        worst = ratio > worst ? ratio : worst;
        free((char *)(uintptr_t)body.bytes);
    }
    for (int i = 0; i < POLICY_COUNT; i++)
        policy_free(policies[i]);
    bool reached = worst > 0 && worst <= RATIO_MAX;
    printf(
        "all rules to the first eight, at worst %.2f, at most %.2f: %s\n", worst, RATIO_MAX,
        reached ? "reached" : "NOT REACHED");
    return reached ? 0 : 1;
}
