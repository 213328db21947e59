/*
 * A review may take so much memory and no more (serve --memory-limit), wherever that ends: what is answered
 * then is the truth or nothing. With the arena itself, whose chunks the sanitizer does not see: see
 * test_torture.c.
 *
 * Run from the top folder, where the recorded reviews are.
 */
#include "tests/torture/hostile.h"

#include "base/arena.h"
#include "policy/config/config.h"
#include "policy/judge.h"
#include "policy/verdict/encode.h"
#include "policy/verdict/encode_finding.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The memory that an arena keeps after a reset, so that a whole review fits into one block and the rest is
 * known. */
#define ROOM_BYTES ARENA_KEEP_BYTES

/* Limits that are tried of one review, evenly spread up to where all fits. */
#define LIMITS_OF_RECORDED 48
#define LIMITS_OF_HOSTILE 96
#define HOSTILE_BYTES ((size_t)16 * 1024)
#define GIVEN_UP_BYTES ((size_t)64 * 1024)

static const char policy_text[] =
    "apiVersion: applyguard.io/v1\n"
    "kind: Policy\n"
    "profile: strict\n"
    "rules: {manager-scope: {action: deny, scopes: [{manager: '*', allow: ['.spec.x[*].y']}]}}\n";

/* The size of one block that would hold all. */
static struct arena *create_arena(void)
{
    struct arena *arena = arena_create();
    assert_non_null(arena);
    assert_non_null(arena_allocate(arena, ROOM_BYTES));
    arena_reset(arena);
    arena_limit(arena, 0);
    assert_int_equal(arena_taken(arena), ROOM_BYTES);
    return arena;
}

/* An arena that may take only `left` more bytes. */
static void leave(struct arena *arena, size_t left)
{
    arena_reset(arena);
    assert_non_null(arena_allocate(arena, ROOM_BYTES - left));
}

/* Empty if memory runs out. */
static struct slice judge_in(struct arena *arena, const struct policy *policy, struct slice body)
{
    const struct judge_options options = {.ceiling = MODE_ENFORCE, .now = 1800000000};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    enum judge_result result = judge(policy, body, &options, arena, &verdict, &error);
    if (result == JUDGE_OK)
        return encode_response(verdict, arena);
    assert_int_equal(result, JUDGE_OUT_OF_MEMORY);
    assert_true(error.message[0] != '\0');
    return (struct slice){NULL, 0};
}

/* The least room in which the review is judged, roughly. */
static size_t least_room(struct arena *arena, const struct policy *policy, struct slice body)
{
    size_t too_little = 0, enough = ROOM_BYTES;
    while (enough - too_little > 256) {
        size_t middle = too_little + (enough - too_little) / 2;
        leave(arena, middle);
        if (judge_in(arena, policy, body).bytes)
            enough = middle;
        else
            too_little = middle;
    }
    return enough;
}

static void check_body(const char *name, struct slice body, size_t limits)
{
    struct error error = {0};
    struct policy *policy = policy_load(slice_of(policy_text), &error);
    if (!policy)
        fail_msg("line %u: %s", error.line, error.message);
    struct arena *arena = arena_create(), *limited = create_arena();
    struct slice truth = judge_in(arena, policy, body);
    assert_non_null(truth.bytes);
    size_t room = least_room(limited, policy, body);
    for (size_t i = 0; i < limits; i++) {
        leave(limited, room / limits * i);
        struct slice said = judge_in(limited, policy, body);
        if (said.bytes && !slice_equal(said, truth))
            fail_msg("%s, %zu bytes left: %.*s", name, room / limits * i, (int)said.length, said.bytes);
    }
    arena_destroy(limited);
    arena_destroy(arena);
    policy_free(policy);
}

static struct slice read_file(const char *path)
{
    static char bytes[1024 * 1024];
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    size_t length = fread(bytes, 1, sizeof(bytes), file);
    assert_true(length < sizeof(bytes));
    fclose(file);
    return (struct slice){bytes, length};
}

static void recorded_reviews_are_judged_right_or_not_at_all(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("tests/reviews/*/review.json", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check_body(found.gl_pathv[i], read_file(found.gl_pathv[i]), LIMITS_OF_RECORDED);
    globfree(&found);
}

static void hostile_reviews_are_judged_right_or_not_at_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < hostile_case_count; i++) {
        struct buffer body = hostile_body(&hostile_cases[i], HOSTILE_BYTES);
        check_body(hostile_cases[i].name, buffer_slice(&body), LIMITS_OF_HOSTILE);
        buffer_free(&body);
    }
}

/*
 * With room for an answer beside what judging may take, a review is judged as far as that reaches. The
 * findings so far are right, and the parts that were not judged are listed.
 */

static bool is_given_up(const struct verdict *verdict)
{
    return lookup_effort(verdict->review->lookup)->exceeded[EFFORT_MEMORY];
}

static struct slice encode_one(const struct finding *finding, struct arena *arena)
{
    struct text text = text_start(arena, 512);
    encode_finding(&text, finding, true);
    return text_slice(&text);
}

static bool is_part(struct slice part, struct slice whole)
{
    return part.bytes && memmem(whole.bytes, whole.length, part.bytes, part.length);
}

static const struct verdict *judge_below(
    struct arena *arena, size_t bytes, const struct policy *policy, struct slice body)
{
    const struct judge_options options = {.ceiling = MODE_ENFORCE, .now = 1800000000};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    arena_limit(arena, bytes);
    enum judge_result result = judge(policy, body, &options, arena, &verdict, &error);
    assert_true(result == JUDGE_OK || result == JUDGE_OUT_OF_MEMORY);
    arena_limit(arena, SIZE_MAX);
    return verdict;
}

/* Where not all findings found room, a stronger one that is found later may take the place of one of these.
 */
static bool check_below(
    const char *name, size_t bytes, const struct policy *policy, struct slice body, struct slice truth)
{
    struct arena *arena = arena_create();
    const struct verdict *verdict = judge_below(arena, bytes, policy, body);
    bool has_given_up = verdict && is_given_up(verdict);
    for (size_t i = 0; verdict && i < verdict->finding_count; i++) {
        struct slice finding = encode_one(&verdict->findings[i], arena);
        if (verdict->findings[i].rule != RULE_unjudged && !is_part(finding, truth) &&
            !is_part(SLICE("\"dropped\""), truth))
            fail_msg("%s, %zu bytes: %.*s", name, bytes, (int)finding.length, finding.bytes);
    }
    if (verdict && !has_given_up)
        assert_true(slice_equal(encode_verdict(verdict, SLICE(""), arena), truth));
    if (has_given_up) {
        assert_true(encode_response(verdict, arena).bytes);
        assert_true(
            verdict->finding_count == VERDICT_FINDINGS_MAX ||
            is_part(slice_of(effort_sentence(EFFORT_MEMORY)), encode_verdict(verdict, SLICE(""), arena)));
    }
    arena_destroy(arena);
    return has_given_up;
}

static void what_takes_too_much_is_given_up_and_said(void **state)
{
    (void)state;
    struct error error = {0};
    struct policy *policy = policy_load(slice_of(policy_text), &error);
    size_t given_up = 0;
    assert_non_null(policy);
    for (size_t i = 0; i < hostile_case_count; i++) {
        struct buffer body = hostile_body(&hostile_cases[i], GIVEN_UP_BYTES);
        struct arena *arena = arena_create();
        const struct verdict *verdict = judge_below(arena, SIZE_MAX, policy, buffer_slice(&body));
        struct slice truth = encode_verdict(verdict, SLICE(""), arena);
        assert_false(is_given_up(verdict));
        for (size_t least = 1; least <= 16; least++)
            given_up += check_below(
                hostile_cases[i].name, JUDGE_ANSWER_BYTES + body.length * least, policy, buffer_slice(&body),
                truth);
        arena_destroy(arena);
        buffer_free(&body);
    }
    assert_true(given_up > hostile_case_count);
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_reviews_are_judged_right_or_not_at_all),
        cmocka_unit_test(hostile_reviews_are_judged_right_or_not_at_all),
        cmocka_unit_test(what_takes_too_much_is_given_up_and_said),
    };
    return cmocka_run_group_tests_name("torture limit", tests, NULL, NULL);
}
