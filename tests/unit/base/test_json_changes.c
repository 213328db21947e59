/* A part that is not touched by a change is identical in both versions, and a small change touches little. */
#include "base/json_changes.h"

#include "base/json.h"
#include "base/text.h"
#include "tests/unit/parse.h"

#include <stdio.h>
#include <stdlib.h>

struct row {
    const char *before;
    const char *after;
    const char *touched; /* the values that are touched and hold no other value, as JSON */
};

static void append_touched(struct text *text, const struct json_changes *changes, yyjson_val *value)
{
    yyjson_val *key, *part;
    size_t i, count;
    yyjson_arr_foreach(value, i, count, part)
    {
        append_touched(text, changes, part);
    }
    yyjson_obj_foreach(value, i, count, key, part)
    {
        append_touched(text, changes, part);
    }
    if (yyjson_get_len(value) && yyjson_is_ctn(value))
        return;
    if (!json_changes_touch(changes, value))
        return;
    char *json = yyjson_val_write(value, 0, NULL);
    text_append_string(text, text->length ? " " : "");
    text_append_string(text, json);
    free(json);
}

static void changes_touch_what_differs(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"1", "1", ""},
        {"1", "2", "1"},
        {"1", "1.0", "1"},
        {"\"a\"", "\"\\u0061\"", ""},
        {"{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":1,\"b\":9,\"c\":3}", "2"},
        {"{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":9,\"b\":2,\"c\":9}", "1 3"},
        {"{\"a\":\"x\",\"b\":{\"c\":\"y\",\"d\":4},\"e\":5}",
         "{\"a\":\"xx\",\"b\":{\"c\":\"y\",\"d\":9},\"e\":5}", "\"x\" 4"},
        {"[1,[2,3],{\"a\":4}]", "[1,[2,9],{\"a\":4}]", "3"},
        /* A member came or went. */
        {"{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2,\"c\":3}", ""},
        {"{\"a\":1,\"c\":3}", "{\"a\":1,\"b\":2,\"c\":3}", ""},
        {"{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":1,\"c\":3}", "2"},
        {"{\"a\":{\"b\":1,\"c\":2}}", "{\"a\":{\"c\":2}}", "1"},
        /* One took another's place, or the place alone. */
        {"{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":1,\"d\":2,\"c\":3}", "2"},
        {"{\"a\":1,\"b\":2,\"c\":3}", "{\"b\":2,\"a\":1,\"c\":3}", ""},
        {"{\"a\":1,\"b\":2,\"c\":3}", "{\"b\":9,\"a\":1,\"c\":3}", "2"},
        /* An item came or went. */
        {"{\"a\":[1,2],\"b\":3}", "{\"a\":[1,2,4],\"b\":3}", "1 2"},
        {"{\"a\":[1,2],\"b\":3}", "{\"a\":[],\"b\":3}", "1 2"},
        {"{\"a\":[],\"b\":3}", "{\"a\":{},\"b\":3}", "[]"},
        /* The same key twice. */
        {"{\"a\":1,\"a\":2}", "{\"a\":1,\"b\":2}", "2"},
        {"{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":1}", "1"},
        {"{\"a\":1,\"a\":1}", "{\"b\":1,\"a\":1}", "1"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct json_changes changes;
        yyjson_val *before = parse_json(arena, slice_of(rows[i].before));
        json_changes_find(&changes, before, parse_json(arena, slice_of(rows[i].after)), NULL);
        struct text touched = text_start(arena, 0);
        append_touched(&touched, &changes, before);
        if (!slice_equal(text_slice(&touched), slice_of(rows[i].touched)))
            fail_msg(
                "%s to %s touches %.*s", rows[i].before, rows[i].after, (int)touched.length, touched.bytes);
    }
    arena_destroy(arena);
}

/* The map itself has changed, also where none of its members has. */
static void a_map_with_a_member_more_has_changed(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct json_changes changes;
    yyjson_val *before = parse_json(arena, SLICE("{\"a\":{\"b\":1},\"c\":{\"b\":1}}"));
    json_changes_find(
        &changes, before, parse_json(arena, SLICE("{\"a\":{\"b\":1,\"d\":1},\"c\":{\"b\":1}}")), NULL);
    assert_true(json_changes_touch(&changes, before));
    assert_true(json_changes_touch(&changes, json_member(before, SLICE("a"))));
    assert_false(json_changes_touch(&changes, json_member(before, SLICE("c"))));
    arena_destroy(arena);
}

static void nothing_before_or_after(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct json_changes changes;
    yyjson_val *value = parse_json(arena, SLICE("[1]"));
    json_changes_find(&changes, NULL, value, NULL);
    assert_int_equal(changes.count, 0);
    json_changes_find(&changes, value, NULL, NULL);
    assert_true(json_changes_touch(&changes, yyjson_arr_get(value, 0)));
    arena_destroy(arena);
}

static void a_skipped_part_counts_as_changed(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct json_changes changes;
    const char *text = "{\"a\":{\"b\":[1],\"c\":2},\"d\":3}";
    yyjson_val *before = parse_json(arena, slice_of(text)), *a = json_member(before, SLICE("a"));
    json_changes_find(&changes, before, parse_json(arena, slice_of(text)), json_member(a, SLICE("b")));
    assert_true(json_changes_touch(&changes, yyjson_arr_get(json_member(a, SLICE("b")), 0)));
    assert_false(json_changes_touch(&changes, json_member(a, SLICE("c"))));
    assert_false(json_changes_touch(&changes, json_member(before, SLICE("d"))));
    arena_destroy(arena);
}

/* Beyond the limit changes run into each other, and none is lost. */
static void many_changes_are_all_known(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text before = text_start(arena, 0), after = text_start(arena, 0);
    for (unsigned i = 0; i < 1000; i++) {
        text_append_string(&before, i ? ",0" : "[0");
        text_append_string(&after, i % 3 ? ",0" : i ? ",1" : "[1");
    }
    text_append_string(&before, "]");
    text_append_string(&after, "]");
    struct json_changes changes;
    yyjson_val *list = parse_json(arena, text_slice(&before));
    json_changes_find(&changes, list, parse_json(arena, text_slice(&after)), NULL);
    assert_int_equal(changes.count, JSON_CHANGES_MAX);
    for (unsigned i = 0; i < 1000; i += 3)
        assert_true(json_changes_touch(&changes, yyjson_arr_get(list, i)));
    assert_false(json_changes_touch(&changes, yyjson_arr_get(list, 1)));
    arena_destroy(arena);
}

/* A hundred thousand levels cost no stack. */
static void depth_is_bounded(void **state)
{
    (void)state;
    enum { LEVELS = 100000 };
    struct arena *arena = arena_create();
    struct text one = text_start(arena, 0), other = text_start(arena, 0);
    for (int i = 0; i < LEVELS; i++) {
        text_append_string(&one, "[");
        text_append_string(&other, "[");
    }
    text_append_string(&one, "1");
    text_append_string(&other, "2");
    for (int i = 0; i < LEVELS; i++) {
        text_append_string(&one, "]");
        text_append_string(&other, "]");
    }
    struct json_changes changes;
    yyjson_val *value = parse_json(arena, text_slice(&one));
    json_changes_find(&changes, value, parse_json(arena, text_slice(&other)), NULL);
    assert_true(json_changes_touch(&changes, value));
    arena_destroy(arena);
}

/* A value of three kinds of parts, of which each is another one time in `odds`. */
static void append_random(
    struct text *text, uint32_t *shape, uint32_t *random, uint32_t odds, unsigned levels)
{
    bool differs = random_below(random, odds) == 0;
    uint32_t kind = random_below(shape, levels ? 3 : 1), count = random_below(shape, 4);
    if (kind == 0) {
        text_append_string(text, differs ? "\"other\"" : "\"same\"");
        return;
    }
    text_append_string(text, kind == 1 ? "[" : "{");
    for (uint32_t i = 0; i < count; i++) {
        char key[8];
        snprintf(key, sizeof(key), "\"%c\":", (char)('a' + random_below(shape, 4)));
        text_append_string(text, i ? "," : "");
        text_append_string(text, kind == 2 ? key : "");
        append_random(text, shape, random, odds, levels - 1);
    }
    bool is_longer = random_below(random, odds) == 0;
    if (is_longer)
        text_append_string(text, kind == 1 ? (count ? ",1" : "1") : (count ? ",\"z\":1" : "\"z\":1"));
    text_append_string(text, kind == 1 ? "]" : "}");
}

/* Each part at the same place of the other version, by the first member of each key. */
static void check_parts(const struct json_changes *changes, yyjson_val *before, yyjson_val *after)
{
    size_t i, count;
    yyjson_val *key, *part;
    if (!json_changes_touch(changes, before))
        assert_true(json_identical(before, after));
    yyjson_arr_foreach(before, i, count, part)
    {
        check_parts(changes, part, yyjson_arr_get(after, i));
    }
    yyjson_obj_foreach(before, i, count, key, part)
    {
        if (json_member(before, json_text(key)) == part)
            check_parts(changes, part, json_member(after, json_text(key)));
    }
}

static void parts_that_are_not_touched_are_identical(void **state)
{
    (void)state;
    uint32_t random = 20260101;
    struct arena *arena = arena_create();
    for (unsigned round = 0; round < 5000; round++) {
        struct text before = text_start(arena, 0), after = text_start(arena, 0);
        uint32_t shape = random_next(&random), same_shape = shape;
        append_random(&before, &shape, &random, 100000, 5);
        append_random(&after, &same_shape, &random, 20, 5);
        struct json_changes changes;
        yyjson_val *one = parse_json(arena, text_slice(&before)),
                   *other = parse_json(arena, text_slice(&after));
        json_changes_find(&changes, one, other, NULL);
        check_parts(&changes, one, other);
        arena_reset(arena);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_touch_what_differs),
        cmocka_unit_test(a_map_with_a_member_more_has_changed),
        cmocka_unit_test(nothing_before_or_after),
        cmocka_unit_test(a_skipped_part_counts_as_changed),
        cmocka_unit_test(many_changes_are_all_known),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(parts_that_are_not_touched_are_identical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
