/* A body that is parsed where it stands is judged as one that is copied, and what stands behind it stays. */
#include "tests/unit/parse.h"

#include "policy/judge.h"
#include "policy/verdict/encode.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The beginning of a next request. */
#define BEHIND "POST /validate HTTP/1.1"

static struct slice read_file(struct arena *arena, const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *bytes = arena_allocate(arena, size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    return (struct slice){bytes, size};
}

/* The answer and the report, or why they are missing. */
static struct slice judged(const struct policy *policy, struct slice body, bool in_place, struct arena *arena)
{
    const struct judge_options options = {.ceiling = MODE_ENFORCE, .now = 1800000000, .in_place = in_place};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    if (judge(policy, body, &options, arena, &verdict, &error) != JUDGE_OK)
        return arena_copy(arena, slice_of(error.message));
    struct text text = text_start(arena, 1024);
    text_append(&text, encode_response(verdict, arena));
    text_append(&text, encode_verdict(verdict, SLICE("in-place"), arena));
    return text_slice(&text);
}

/* The copy lies on the heap by itself, so that the sanitizer sees who goes beyond what stands behind it. */
static void check_before(const struct policy *policy, struct slice body, const char *behind)
{
    struct arena *arena = arena_create(), *other = arena_create();
    char *copy = malloc(body.length + YYJSON_PADDING_SIZE);
    assert_non_null(copy);
    memcpy(copy, body.bytes, body.length);
    memcpy(copy + body.length, behind, YYJSON_PADDING_SIZE);
    struct slice expected = judged(policy, body, false, arena);
    struct slice seen = judged(policy, (struct slice){copy, body.length}, true, other);
    assert_non_null(expected.bytes);
    assert_true(slice_equal(seen, expected));
    assert_memory_equal(copy + body.length, behind, YYJSON_PADDING_SIZE);
    free(copy);
    arena_destroy(other);
    arena_destroy(arena);
}

static void check(const struct policy *policy, struct slice body)
{
    check_before(policy, body, BEHIND);
}

static void recorded_reviews_are_judged_alike(void **state)
{
    (void)state;
    struct policy *policy = policy_default();
    struct arena *arena = arena_create();
    glob_t reviews;
    assert_int_equal(glob("tests/reviews/*/review.json", 0, NULL, &reviews), 0);
    assert_true(reviews.gl_pathc > 50);
    for (size_t i = 0; i < reviews.gl_pathc; i++) {
        check(policy, read_file(arena, reviews.gl_pathv[i]));
        arena_reset(arena);
    }
    globfree(&reviews);
    arena_destroy(arena);
    policy_free(policy);
}

/* What is behind the body is put back where it is refused, too. */
static void broken_bodies_are_refused_alike(void **state)
{
    (void)state;
    static const char *const bodies[] = {"{", "[1,2", "\"", "{\"a\":tru", "7", "{} {}", "{\"kind\":\"x\"}"};
    struct policy *policy = policy_default();
    for (size_t i = 0; i < ARRAY_SIZE(bodies); i++)
        check(policy, slice_of(bodies[i]));
    policy_free(policy);
}

/* Bytes of an earlier body in the buffer do not complete one that is cut off. */
static void bodies_end_where_they_end(void **state)
{
    (void)state;
    struct policy *policy = policy_default();
    struct arena *arena = arena_create();
    struct slice whole = read_file(arena, "tests/reviews/configmap-create/review.json");
    while (whole.bytes[whole.length - 1] != '}')
        whole.length--;
    for (size_t missing = 1; missing <= YYJSON_PADDING_SIZE; missing++) {
        struct slice cut_off = {whole.bytes, whole.length - missing};
        char behind[YYJSON_PADDING_SIZE] = {0};
        memcpy(behind, cut_off.bytes + cut_off.length, missing);
        check_before(policy, cut_off, behind);
    }
    check_before(policy, SLICE("{\"kind\":1"), "2},\n");
    arena_destroy(arena);
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_reviews_are_judged_alike),
        cmocka_unit_test(broken_bodies_are_refused_alike),
        cmocka_unit_test(bodies_end_where_they_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
