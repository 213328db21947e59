/* Values of the same text are identical, and no others are taken for it, however their texts are alike. */
#include "base/json_same_text.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_build.h"
#include "tests/unit/parse.h"

#include <string.h>

static void same_texts_are_found(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"f:a\":{},\"f:b\":{\"f:c\":{}}}",
        "{\"a\":1,\"b\":true}",
        "[\"a\",\"b\"]",
        "{\"a\":{\"b\":[\"x\",\"\\u0041\\n\"]}}",
        "{\"k:{\\\"name\\\":\\\"a\\\"}\":{\".\":{},\"f:b\":{}},\"f:c\":-1.5}",
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        yyjson_val *a = parse_json(arena, slice_of(texts[i])), *b = parse_json(arena, slice_of(texts[i]));
        if (!json_same_text(a, b) || !json_same_text(b, a))
            fail_msg("%s: not found to be the same", texts[i]);
    }
    arena_destroy(arena);
}

/* Each text with every other: all but the same are other values. */
static void other_texts_are_others(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"a\":\"x\",\"b\":1}",
        "{\"a\":\"x\",\"b\":2}",
        "{\"a\":\"y\",\"b\":1}",
        "{\"a\":\"x\",\"c\":1}",
        "{\"a\":\"x\",\"b\":true}",
        "{\"a\":\"x\",\"b\":{}}",
        "{\"a\":\"x\",\"b\":[]}",
        "{\"a\":{\"x\":{}},\"b\":1}",
        "{\"a\":{\"x\":{},\"b\":1}}",
        "[1,\"a\",\"b\"]",
        "[2,\"a\",\"b\"]",
        "[[1],\"a\",\"b\"]",
        "[\"a\",2,\"b\"]",
        "[\"a\",3,\"b\"]",
        "[\"a\",[\"b\"],5]",
        "[\"a\",[\"b\",5]]",
        "[\"a\",[[\"b\"],5]]",
        "[\"a\",[[\"b\",5]]]",
        "[\"a\",[[[\"b\"]],5]]",
        /* Behind the last string there seems to be a colon, in what is left of its escapes. */
        "[\"a\",[[\"b\\\\:::\"],5]]",
        "[\"a\",[[\"b\\\\:::\",5]]]",
        "[\"a\",[[\"\\u0041\\u0041::::::::::\"],5]]",
        "[\"a\",[[\"\\u0041\\u0041::::::::::\",5]]]",
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(texts) * ARRAY_SIZE(texts); i++) {
        const char *left = texts[i / ARRAY_SIZE(texts)], *right = texts[i % ARRAY_SIZE(texts)];
        if (left != right &&
            json_same_text(parse_json(arena, slice_of(left)), parse_json(arena, slice_of(right))))
            fail_msg("%s and %s: taken for the same", left, right);
    }
    arena_destroy(arena);
}

/* [["a"],"b"] or ["a",["b"]], of the same strings with nothing between them. */
static yyjson_val *build(struct arena *arena, bool is_first_nested)
{
    struct json_build build = json_build_start(arena, 8, 64);
    size_t outer = json_build_open(&build, YYJSON_TYPE_ARR), inner = 0;
    json_build_string(&build, SLICE("0"));
    for (int i = 0; i < 2; i++) {
        bool is_nested = is_first_nested == (i == 0);
        if (is_nested)
            inner = json_build_open(&build, YYJSON_TYPE_ARR);
        json_build_string(&build, i == 0 ? SLICE("a") : SLICE("b"));
        if (is_nested)
            json_build_close(&build, inner);
    }
    json_build_close(&build, outer);
    return json_build_finish(&build);
}

static void built_values_have_no_text(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *one = build(arena, true), *other = build(arena, false);
    assert_false(json_identical(one, other));
    assert_false(json_same_text(one, other));
    assert_false(json_same_text(one, one));
    assert_false(json_same_text(one, parse_json(arena, SLICE("[\"0\",[\"a\"],\"b\"]"))));
    assert_false(json_same_text(parse_json(arena, SLICE("[\"0\",[\"a\"],\"b\"]")), one));
    arena_destroy(arena);
}

/* Other spellings of the same value are left to json_identical. */
static void other_spellings_are_not_known(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *value = parse_json(arena, SLICE("{\"a\":1,\"b\":{}}"));
    assert_false(json_same_text(value, parse_json(arena, SLICE("{\"a\": 1,\"b\":{}}"))));
    assert_false(json_same_text(value, parse_json(arena, SLICE("{\"\\u0061\":1,\"b\":{}}"))));
    /* Too few strings: there is next to no text. */
    assert_false(json_same_text(value + 2, value + 2));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_texts_are_found),
        cmocka_unit_test(other_texts_are_others),
        cmocka_unit_test(built_values_have_no_text),
        cmocka_unit_test(other_spellings_are_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
