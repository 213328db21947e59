/* A value that is built is the one that its text is parsed as, in the same layout. */
#include "base/json_build.h"

#include "base/json.h"
#include "base/text.h"
#include "tests/unit/parse.h"

/* The strings lie one after another within the memory from the first to the last. */
static void assert_strings_in_order(const yyjson_val *value)
{
    const yyjson_val *end = value + json_parts(value);
    const char *behind = NULL;
    for (; value < end; value++) {
        if (!unsafe_yyjson_is_str((void *)(uintptr_t)value))
            continue;
        struct slice text = json_text(value);
        assert_true(!behind || behind == text.bytes);
        assert_int_equal(text.bytes[text.length], '\0');
        behind = text.bytes + text.length + 1;
    }
}

static void assert_is(yyjson_val *built, const char *json, struct arena *arena)
{
    yyjson_val *parsed = parse_json(arena, slice_of(json));
    if (!built || !json_identical(built, parsed) || !json_identical(parsed, built))
        fail_msg("what was built is not %s", json);
    assert_int_equal(json_parts(built), json_parts(parsed));
    assert_strings_in_order(built);
}

/* Rebuilds a parsed value from its parts. */
static void rebuild(struct json_build *build, yyjson_val *value)
{
    if (!yyjson_is_ctn(value)) {
        if (yyjson_is_str(value))
            json_build_string(build, json_text(value));
        else
            json_build_copy(build, value);
        return;
    }
    size_t i, count, position = json_build_open(build, yyjson_get_type(value));
    yyjson_val *key, *member;
    yyjson_arr_foreach(value, i, count, member)
    {
        rebuild(build, member);
    }
    yyjson_obj_foreach(value, i, count, key, member)
    {
        json_build_string(build, json_text(key));
        rebuild(build, member);
    }
    json_build_close(build, position);
}

static const char *const texts[] = {
    "null",
    "true",
    "-1",
    "18446744073709551615",
    "1.5e300",
    "\"\"",
    "\"a\\u0000b\"",
    "\"\\ud83d\\ude00 é <&>\\n\"",
    "{}",
    "[]",
    "[[],{},[[]],{\"a\":{}}]",
    "{\"a\":[1,2,{\"b\":\"c\",\"d\":[]}],\"e\":{\"f\":{\"g\":null}},\"\":false}",
    "{\"a\":1,\"a\":2}",
};

static void parts_make_the_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        struct arena *arena = arena_create();
        struct json_build build = json_build_start(arena, 0, 0);
        rebuild(&build, parse_json(arena, slice_of(texts[i])));
        assert_is(json_build_finish(&build), texts[i], arena);
        arena_destroy(arena);
    }
}

static void a_copy_is_the_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        struct arena *arena = arena_create();
        struct json_build build = json_build_start(arena, 0, 0);
        json_build_copy(&build, parse_json(arena, slice_of(texts[i])));
        assert_is(json_build_finish(&build), texts[i], arena);
        arena_destroy(arena);
    }
}

/* Copies of parts of several documents become one piece. */
static void parts_of_documents_are_copied(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *one = parse_json(arena, SLICE("{\"skipped\":\"x\",\"kept\":{\"a\":[\"b\",\"c\"]}}"));
    yyjson_val *other = parse_json(arena, SLICE("[\"d\",{\"e\":\"f\"}]"));
    struct json_build build = json_build_start(arena, 4, 8);
    size_t object = json_build_open(&build, YYJSON_TYPE_OBJ);
    json_build_string(&build, SLICE("one"));
    json_build_copy(&build, json_member(one, SLICE("kept")));
    json_build_member(&build, SLICE("name"), SLICE("n"));
    json_build_string(&build, SLICE("other"));
    json_build_copy(&build, yyjson_arr_get(other, 1));
    json_build_close(&build, object);
    assert_is(
        json_build_finish(&build), "{\"one\":{\"a\":[\"b\",\"c\"]},\"name\":\"n\",\"other\":{\"e\":\"f\"}}",
        arena);
    arena_destroy(arena);
}

/* Numbers that were not parsed are texts, too. */
static void raw_numbers_are_copied(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_doc *document = json_read(SLICE("[1.10,\"a\"]"), YYJSON_READ_NUMBER_AS_RAW, arena, NULL);
    struct json_build build = json_build_start(arena, 0, 0);
    json_build_copy(&build, yyjson_doc_get_root(document));
    yyjson_val *copy = json_build_finish(&build);
    assert_string_equal(yyjson_get_raw(yyjson_arr_get(copy, 0)), "1.10");
    assert_string_equal(yyjson_get_str(yyjson_arr_get(copy, 1)), "a");
    arena_destroy(arena);
}

static void bytes_that_are_no_characters_are_replaced(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct json_build build = json_build_start(arena, 0, 0);
    json_build_string(&build, SLICE("a\xff\xc3\xa9\xed\xa0\x80"));
    yyjson_val *built = json_build_finish(&build);
    assert_text(json_text(built), "a\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    arena_destroy(arena);
}

/* It grows many times from an expectation of nothing. */
static void any_length_is_built(void **state)
{
    (void)state;
    enum { ITEMS = 20000 };
    struct arena *arena = arena_create();
    struct json_build build = json_build_start(arena, 0, 0);
    struct text text = text_start(arena, 0);
    size_t list = json_build_open(&build, YYJSON_TYPE_ARR);
    text_append_string(&text, "[");
    for (unsigned i = 0; i < ITEMS; i++) {
        char name[16];
        snprintf(name, sizeof(name), "item-%u", i);
        text_append_string(&text, i ? "," : "");
        text_append_json(&text, slice_of(name));
        json_build_string(&build, slice_of(name));
    }
    json_build_close(&build, list);
    text_append_string(&text, "]");
    yyjson_val *built = json_build_finish(&build), *parsed = parse_json(arena, text_slice(&text));
    assert_true(json_identical(built, parsed));
    assert_strings_in_order(built);
    arena_destroy(arena);
}

/* If memory runs out at any place, there is no value, and nothing is written behind the memory. */
static void no_memory_gives_no_value(void **state)
{
    (void)state;
    for (size_t limit = 0; limit < 400000; limit += 997) {
        struct arena *arena = arena_create();
        arena_limit(arena, limit);
        struct json_build build = json_build_start(arena, 0, 0);
        size_t list = json_build_open(&build, YYJSON_TYPE_ARR);
        for (unsigned i = 0; i < 4000; i++)
            json_build_string(&build, SLICE("one of many"));
        json_build_close(&build, list);
        yyjson_val *built = json_build_finish(&build);
        assert_true(arena_has_failed(arena) == !built);
        assert_true(!built || yyjson_arr_size(built) == 4000);
        arena_destroy(arena);
    }
}

static void nothing_is_no_value(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct json_build build = json_build_start(arena, 0, 0);
    assert_null(json_build_finish(&build));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_make_the_value),
        cmocka_unit_test(a_copy_is_the_value),
        cmocka_unit_test(parts_of_documents_are_copied),
        cmocka_unit_test(raw_numbers_are_copied),
        cmocka_unit_test(bytes_that_are_no_characters_are_replaced),
        cmocka_unit_test(any_length_is_built),
        cmocka_unit_test(no_memory_gives_no_value),
        cmocka_unit_test(nothing_is_no_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
