/*
 * The cost of one review has bounds (base/effort.h). Each of them is within reach: a bound that no review
 * reaches protects nothing, and a bound that is reached is listed in `unjudged`.
 */
#include "tests/torture/hostile.h"

#include "base/arena.h"
#include "base/effort.h"
#include "policy/config/config.h"
#include "policy/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* In a large review, findings may take the place of the list of unjudged parts. */
static const size_t sizes[] = {24 * 1024, 384 * 1024};

static const char policy_text[] =
    "apiVersion: applyguard.io/v1\n"
    "kind: Policy\n"
    "profile: strict\n"
    "rules: {manager-scope: {action: deny, scopes: [{manager: '*', allow: ['.spec.x[*].y']}]}}\n"
    "waivers: {honour: [kluctl, flux, argocd]}\n";

static bool says(const struct verdict *verdict, const char *sentence)
{
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        if (finding->rule == RULE_unjudged &&
            memmem(finding->message.bytes, finding->message.length, sentence, strlen(sentence)))
            return true;
    }
    return false;
}

static void judge_one(
    const struct policy *policy, struct arena *arena, const struct hostile_case *hostile, size_t size,
    bool passed[EFFORT_KIND_COUNT])
{
    const struct judge_options options = {.ceiling = MODE_ENFORCE};
    const struct verdict *verdict = NULL;
    struct error error;
    struct buffer body = hostile_body(hostile, size);
    arena_reset(arena);
    judge(policy, buffer_slice(&body), &options, arena, &verdict, &error);
    for (int kind = 0; verdict && kind < EFFORT_KIND_COUNT; kind++)
        passed[kind] |= says(verdict, effort_sentence((enum effort_kind)kind));
    free(body.bytes);
}

static void each_bound_is_passed_by_some_review(void **state)
{
    (void)state;
    struct error error;
    struct policy *policy = policy_load(slice_of(policy_text), &error);
    struct arena *arena = arena_create();
    bool passed[EFFORT_KIND_COUNT] = {false};
    assert_non_null(policy);
    for (size_t i = 0; i < hostile_case_count; i++) {
        judge_one(policy, arena, &hostile_cases[i], sizes[0], passed);
        judge_one(policy, arena, &hostile_cases[i], sizes[1], passed);
    }
    arena_limit(arena, JUDGE_ANSWER_BYTES + 10 * sizes[1]);
    for (size_t i = 0; i < hostile_case_count; i++)
        judge_one(policy, arena, &hostile_cases[i], sizes[1], passed);
    for (int kind = 0; kind < EFFORT_KIND_COUNT; kind++) {
        if (!passed[kind])
            fail_msg("no review has: %s", effort_sentence((enum effort_kind)kind));
    }
    arena_destroy(arena);
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_bound_is_passed_by_some_review)};
    return cmocka_run_group_tests_name("torture bounds", tests, NULL, NULL);
}
