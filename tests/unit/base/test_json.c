/* Equality of JSON values: whether two values differ, for any input. */
#include "base/array_size.h"
#include "tests/unit/parse.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

struct pair {
    const char *a;
    const char *b;
};

typedef bool equality(yyjson_val *a, yyjson_val *b, struct arena *arena);

static bool identical(yyjson_val *a, yyjson_val *b, struct arena *arena)
{
    (void)arena;
    return json_identical(a, b);
}

/* Both ways round, from documents of their own. */
static void check_pairs(equality *equal, const struct pair *pairs, size_t count, bool expected)
{
    struct arena *arena = arena_create();
    for (size_t i = 0; i < count; i++) {
        yyjson_val *a = parse_json(arena, slice_of(pairs[i].a));
        yyjson_val *b = parse_json(arena, slice_of(pairs[i].b));
        if (equal(a, b, arena) != expected || equal(b, a, arena) != expected)
            fail_msg("%s and %s: expected %s", pairs[i].a, pairs[i].b, expected ? "equal" : "different");
        assert_true(equal(a, a, arena));
        assert_true(equal(b, b, arena));
    }
    arena_destroy(arena);
}

/* The order of members, the way a number or a character is written, and spaces are no change. */
static void other_spelling_is_equal(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"null", " null "},
        {"{}", "{ }"},
        {"[]", "[ ]"},
        {"1", "1.0"},
        {"1", "10e-1"},
        {"-1", "-1.0"},
        {"0", "-0"},
        {"0", "0.0"},
        {"0", "-0.0"},
        {"100", "1e2"},
        {"9007199254740992", "9007199254740992.0"},
        {"9223372036854775808", "9223372036854775808.0"},
        {"\"a\"", "\"\\u0061\""},
        {"\"\\ud83d\\ude00\"", "\"😀\""},
        {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"},
        {"{\"a\":1,\"b\":2}", "{\"b\":2.0,\"\\u0061\":1}"},
        {"{\"\":1,\"a\":2,\"aa\":3}", "{\"aa\":3,\"\":1,\"a\":2}"},
        {"[{\"a\":[],\"b\":{}},[1]]", "[{\"b\":{},\"a\":[]},[1.0]]"},
        {"{\"a\":{\"x\":1,\"y\":2},\"b\":[{\"x\":1,\"y\":2}]}",
         "{\"b\":[{\"y\":2,\"x\":1}],\"a\":{\"y\":2,\"x\":1}}"},
        {"{\"a\\u0000b\":1,\"a\":2}", "{\"a\":2,\"a\\u0000b\":1}"},
    };
    check_pairs(json_equal, pairs, ARRAY_SIZE(pairs), true);
}

/* A change of value, type, length or order of items is one, however alike the two look. */
static void other_values_differ(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"null", "false"},
        {"null", "0"},
        {"null", "\"\""},
        {"null", "{}"},
        {"null", "[]"},
        {"false", "0"},
        {"true", "1"},
        {"true", "false"},
        {"true", "\"true\""},
        {"1", "\"1\""},
        {"1", "2"},
        {"1", "-1"},
        {"1", "1.5"},
        {"1", "[1]"},
        {"0", "[]"},
        {"\"\"", "{}"},
        {"{}", "[]"},
        {"[]", "[null]"},
        {"{}", "{\"a\":null}"},
        {"\"a\"", "\"A\""},
        {"\"a\"", "\"a \""},
        {"\"a\"", "\"a\\u0000\""},
        {"\"a\\u0000b\"", "\"a\\u0000c\""},
        {"\"é\"", "\"e\\u0301\""},
        {"[1,2]", "[2,1]"},
        {"[[],1]", "[[1]]"},
        {"[[],[]]", "[[[]]]"},
        {"{\"a\":1}", "{\"b\":1}"},
        {"{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":3}"},
        {"{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}"},
        {"{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}"},
        {"{\"a\":1,\"b\":2,\"c\":3}", "{\"c\":3,\"b\":0,\"a\":1}"},
        {"{\"a\":1}", "{\"a\":1,\"b\":2}"},
        {"{\"a\":{},\"b\":[]}", "{\"b\":{},\"a\":[]}"},
    };
    check_pairs(json_equal, pairs, ARRAY_SIZE(pairs), false);
    check_pairs(identical, pairs, ARRAY_SIZE(pairs), false);
}

/* Integers that are equal as doubles still differ, on both sides of 2^53, 2^63 and zero. */
static void large_integers_differ(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"9007199254740992", "9007199254740993"},
        {"-9007199254740992", "-9007199254740993"},
        {"9223372036854775807", "9223372036854775806"},
        {"9223372036854775807", "9223372036854775808"},
        {"-9223372036854775808", "9223372036854775808"},
        {"-9223372036854775808", "-9223372036854775807"},
        {"18446744073709551615", "-1"},
        {"18446744073709551615", "9223372036854775807"},
        {"9223372036854775809", "-9223372036854775807"},
    };
    check_pairs(json_equal, pairs, ARRAY_SIZE(pairs), false);
    check_pairs(identical, pairs, ARRAY_SIZE(pairs), false);
}

/* An integer and a real are equal only where they are the same number. */
static void integers_and_reals_are_compared_by_value(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"9007199254740993", "9007199254740992.0"},
        {"-9007199254740993", "-9007199254740992.0"},
        {"9223372036854775807", "9223372036854775808.0"},
    };
    check_pairs(json_equal, pairs, ARRAY_SIZE(pairs), false);
}

/*
 * Whole numbers from 2^63 on are doubles to Kubernetes: an object that was applied with the one comes back
 * with the other, which does not count as drift.
 */
static void integers_beyond_64_bits_are_doubles(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"18446744073709551615", "18446744073709552000"},
        {"18446744073709551615", "18446744073709551614"},
        {"9223372036854775808", "9223372036854776000"},
        {"9223372036854775809", "9223372036854775808.0"},
    };
    check_pairs(json_equal, pairs, ARRAY_SIZE(pairs), true);
}

/* The same values in the same order are identical; what is only equal is not. */
static void identical_is_narrower_than_equal(void **state)
{
    (void)state;
    static const struct pair same[] = {
        {"[]", "[]"},
        {"{}", " {} "},
        {"[[],[[]],{},{\"a\":{}}]", "[ [], [[]], {}, {\"a\":{}} ]"},
        {"{\"a\":[1,2.5,-3,\"x\",null,true]}", "{\"a\":[1,2.5,-3,\"x\",null,true]}"},
        {"{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}"},
        /* Strings as far apart, and not the same between them. */
        {"{\"a\":1, \"b\":2}", "{\"a\": 1,\"b\":2}"},
        {"[\"a\\n\",null,\"b\"]", "[\"a\\n\",null,\"b\"]"},
        /* As an escape or as itself, with both strings as far apart, and not. */
        {"[\"\\u0061\",\"b\"]", "[\"a\"     ,\"b\"]"},
        {"{\"\\u0061\":\"b\"}", "{\"a\":\"\\u0062\"}"},
    };
    check_pairs(identical, same, ARRAY_SIZE(same), true);
    check_pairs(json_equal, same, ARRAY_SIZE(same), true);
    static const struct pair equal_only[] = {
        {"1", "1.0"},
        {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"},
        {"[\"a\",1,\"b\"]", "[\"a\",1.0,\"b\"]"},
    };
    check_pairs(identical, equal_only, ARRAY_SIZE(equal_only), false);
}

/* A subtree ends where it ends: the text that follows it in its document does not belong to it, even at the
 * very end. */
static void subtrees_are_compared_alone(void **state)
{
    (void)state;
    static const char *const subtrees[] = {"[]",         "{}",          "[[]]", "[{}]", "{\"k\":[]}",
                                           "{\"k\":{}}", "[1,[2,[3]]]", "\"\"", "null"};
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(subtrees); i++) {
        char text[200];
        snprintf(text, sizeof(text), "[%s,1,[%s,2],{\"x\":%s}]", subtrees[i], subtrees[i], subtrees[i]);
        yyjson_val *list = parse_json(arena, slice_of(text));
        yyjson_val *first = yyjson_arr_get(list, 0);
        yyjson_val *inner = yyjson_arr_get(yyjson_arr_get(list, 2), 0);
        yyjson_val *last = yyjson_obj_get(yyjson_arr_get(list, 3), "x");
        assert_true(json_identical(first, inner));
        assert_true(json_identical(first, last));
        assert_true(json_identical(last, inner));
        assert_true(json_equal(last, first, arena));
        assert_false(json_identical(yyjson_arr_get(list, 2), yyjson_arr_get(list, 3)));
    }
    arena_destroy(arena);
}

/* Repeated members are compared like others: no pair counts twice, and none is passed over. */
static void repeated_members_are_not_merged(void **state)
{
    (void)state;
    static const struct pair different[] = {
        {"{\"a\":1,\"a\":2}", "{\"a\":1}"},
        {"{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":1}"},
        {"{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":3}"},
        {"{\"b\":0,\"a\":1,\"a\":1}", "{\"a\":1,\"b\":0,\"b\":0}"},
    };
    check_pairs(json_equal, different, ARRAY_SIZE(different), false);
    static const struct pair equal[] = {
        {"{\"b\":0,\"a\":1,\"a\":1}", "{\"a\":1,\"a\":1,\"b\":0}"},
    };
    check_pairs(json_equal, equal, ARRAY_SIZE(equal), true);
}

/* `levels` lists within each other around `core`. */
static yyjson_val *nested(struct arena *arena, size_t levels, const char *core)
{
    size_t length = strlen(core);
    char *text = arena_allocate(arena, 2 * levels + length);
    memset(text, '[', levels);
    memcpy(text + levels, core, length);
    memset(text + levels + length, ']', levels);
    return parse_json(arena, (struct slice){text, 2 * levels + length});
}

/* Equality goes down as far as it says; below, only identical values are equal. */
static void depth_is_bounded(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    static const char one[] = "{\"a\":1,\"b\":2}", other[] = "{\"b\":2,\"a\":1}";
    /* The object is a level of its own. */
    yyjson_val *a = nested(arena, JSON_DEPTH_MAX - 1, one), *b = nested(arena, JSON_DEPTH_MAX - 1, other);
    assert_true(json_equal(a, b, arena));
    a = nested(arena, JSON_DEPTH_MAX, one);
    b = nested(arena, JSON_DEPTH_MAX, other);
    assert_false(json_equal(a, b, arena));
    assert_true(json_equal(a, nested(arena, JSON_DEPTH_MAX, one), arena));
    /* Also where something above them is only equal. */
    a = nested(arena, JSON_DEPTH_MAX, "{}],1,[");
    b = nested(arena, JSON_DEPTH_MAX, "{}],1.0,[");
    assert_true(json_equal(a, b, arena));
    arena_destroy(arena);
}

/* A hundred thousand levels must cost no stack. */
static void depth_costs_no_stack(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *a = nested(arena, 100000, "1"), *b = nested(arena, 100000, "1");
    yyjson_val *c = nested(arena, 100000, "2"), *d = nested(arena, 99999, "1");
    assert_true(json_identical(a, b));
    assert_true(json_equal(a, b, arena));
    assert_false(json_identical(a, c));
    assert_false(json_equal(a, c, arena));
    assert_false(json_equal(a, d, arena));
    arena_destroy(arena);
}

/* {"a":{"a":...,"b":1,"c":1},"b":1,"c":1}, or with c before b at each level. */
static yyjson_val *nested_objects(struct arena *arena, size_t levels, const char *others)
{
    struct text text = text_start(arena, 0);
    for (size_t i = 0; i < levels; i++)
        text_append_string(&text, "{\"a\":");
    text_append_string(&text, "1");
    for (size_t i = 0; i < levels; i++)
        text_append_string(&text, others);
    return parse_json(arena, text_slice(&text));
}

/* Another order on every level must not double the work on every level: it would never end. */
static void reordering_on_every_level_stays_fast(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *a = nested_objects(arena, 100, ",\"b\":1,\"c\":1}");
    assert_true(json_equal(a, nested_objects(arena, 100, ",\"c\":1,\"b\":1}"), arena));
    assert_false(json_equal(a, nested_objects(arena, 100, ",\"c\":1,\"b\":2}"), arena));
    arena_destroy(arena);
}

/* 200,000 members the other way round: a search for each among all would take minutes. */
static void large_reordered_objects_stay_fast(void **state)
{
    (void)state;
    enum { MEMBERS = 200000 };
    struct arena *arena = arena_create();
    struct text up = text_start(arena, 0), down = text_start(arena, 0);
    for (unsigned i = 0; i < MEMBERS; i++) {
        text_append_string(&up, i ? ",\"m" : "{\"m");
        text_append_number(&up, i);
        text_append_string(&up, "\":0");
        text_append_string(&down, i ? ",\"m" : "{\"m");
        text_append_number(&down, MEMBERS - 1 - i);
        text_append_string(&down, "\":0");
    }
    text_append_string(&up, "}");
    text_append_string(&down, "}");
    yyjson_val *a = parse_json(arena, text_slice(&up)), *b = parse_json(arena, text_slice(&down));
    assert_true(json_equal(a, b, arena));
    down.bytes[4] ^= 1;
    assert_false(json_equal(a, parse_json(arena, text_slice(&down)), arena));
    arena_destroy(arena);
}

/* Every order is total where indexes are sorted by it: what comes first in the list comes first in any pair.
 */
static void scalars_have_one_order(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *list = parse_json(
        arena,
        SLICE("[null,false,true,-1e300,-9.3e18,-9223372036854775808,-9223372036854775807,"
              "-9007199254740993,-9007199254740992,-1,-0.5,0,0.5,1,9007199254740992,9007199254740993,"
              "9223372036854775806,9223372036854775807,9223372036854775808,18446744073709551615,1.9e19,1e300,"
              "\"\",\"\\u0000\",\"A\",\"a\",\"a\\u0000\",\"a\\u0000b\",\"aa\",\"é\",\"\\uffff\",\"😀\",[]]"));
    size_t count = yyjson_arr_size(list);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            int order = json_compare_scalars(yyjson_arr_get(list, i), yyjson_arr_get(list, j));
            if ((order > 0) - (order < 0) != (i > j) - (i < j))
                fail_msg("item %zu against item %zu gives %d", i, j, order);
        }
    }
    assert_int_equal(
        json_compare_scalars(yyjson_arr_get(list, count - 1), parse_json(arena, SLICE("{}"))), 0);
    arena_destroy(arena);
}

/* On the wire a zero is left out, so either of two values may be absent: that is not a value, and equals
 * none.
 */
static void absent_values_are_compared(void **state)
{
    (void)state;
    static const char *const texts[] = {"null", "false", "0", "\"\"", "[]", "{}"};
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        yyjson_val *value = parse_json(arena, slice_of(texts[i]));
        assert_false(json_identical(value, NULL) || json_identical(NULL, value));
        assert_false(json_equal(value, NULL, arena) || json_equal(NULL, value, arena));
        assert_true(json_compare_scalars(NULL, value) < 0);
        assert_true(json_compare_scalars(value, NULL) > 0);
    }
    assert_true(json_identical(NULL, NULL));
    assert_true(json_equal(NULL, NULL, arena));
    assert_int_equal(json_compare_scalars(NULL, NULL), 0);
    assert_false(json_is_zero(NULL));
    arena_destroy(arena);
}

/* Values of other types, absent ones and names with NUL bytes are all asked for safely. */
static void members_and_texts_are_safe_to_ask_for(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *object =
        parse_json(arena, SLICE("{\"a\":1,\"a\":2,\"a\\u0000b\":3,\"\":4,\"t\":\"x\\u0000y\"}"));
    assert_int_equal(yyjson_get_int(json_member(object, SLICE("a"))), 1);
    assert_int_equal(yyjson_get_int(json_member(object, (struct slice){"a\0b", 3})), 3);
    assert_int_equal(yyjson_get_int(json_member(object, SLICE(""))), 4);
    assert_null(json_member(object, SLICE("b")));
    assert_null(json_member(NULL, SLICE("a")));
    assert_null(json_member(parse_json(arena, SLICE("[\"a\",1]")), SLICE("a")));
    assert_null(json_member(parse_json(arena, SLICE("\"a\"")), SLICE("a")));
    assert_true(slice_equal(json_text(json_member(object, SLICE("t"))), (struct slice){"x\0y", 3}));
    assert_int_equal(json_text(NULL).length, 0);
    assert_int_equal(json_text(object).length, 0);
    assert_int_equal(json_text(json_member(object, SLICE("a"))).length, 0);
    arena_destroy(arena);
}

struct values {
    yyjson_val *a, *b, *absent, *c;
};

/* Several members in one pass, in any order; the first one if a name is repeated. */
static void several_members_are_found_in_one_pass(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    static const char *const texts[] = {
        "{\"a\":1,\"b\":2,\"c\":3}",
        "{\"c\":3,\"b\":2,\"a\":1}",
        "{\"x\":0,\"b\":2,\"aa\":0,\"a\":1,\"\":0,\"c\":3,\"y\":{\"a\":4}}",
        "{\"a\":1,\"b\":2,\"a\":5,\"c\":3}",
    };
    static const struct json_wanted wanted[] = {
        JSON_WANTED("a", struct values, a),
        JSON_WANTED("b", struct values, b),
        JSON_WANTED("absent", struct values, absent),
        JSON_WANTED("c", struct values, c),
    };
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        struct values values = {0};
        const struct json_wanted *twice =
            json_members(parse_json(arena, slice_of(texts[i])), wanted, 4, &values);
        assert_int_equal(yyjson_get_int(values.a), 1);
        assert_int_equal(yyjson_get_int(values.b), 2);
        assert_int_equal(yyjson_get_int(values.c), 3);
        assert_null(values.absent);
        assert_ptr_equal(twice, i == 3 ? wanted : NULL);
    }
    struct values none = {0};
    assert_null(json_members(NULL, wanted, 4, &none));
    assert_null(json_members(parse_json(arena, SLICE("[\"a\",1]")), wanted, 4, &none));
    assert_null(none.a);
    arena_destroy(arena);
}

/* A random value of some levels. */
static yyjson_mut_val *random_value(yyjson_mut_doc *document, uint32_t *random, unsigned levels)
{
    switch (random_below(random, levels ? 7 : 4)) {
    case 0:
        return yyjson_mut_null(document);
    case 1:
        return yyjson_mut_bool(document, random_below(random, 2));
    case 2:
        return yyjson_mut_sint(document, (int)random_below(random, 9) - 4);
    case 3:
        return yyjson_mut_strcpy(document, random_below(random, 2) ? "x" : "");
    case 4: {
        yyjson_mut_val *list = yyjson_mut_arr(document);
        for (uint32_t items = random_below(random, 4); items; items--)
            yyjson_mut_arr_append(list, random_value(document, random, levels - 1));
        return list;
    }
    default: {
        yyjson_mut_val *object = yyjson_mut_obj(document);
        for (uint32_t members = random_below(random, 5); members; members--) {
            char name[2] = {(char)('a' + members), '\0'};
            yyjson_mut_obj_add(
                object, yyjson_mut_strcpy(document, name), random_value(document, random, levels - 1));
        }
        return object;
    }
    }
}

/* Turns the members of every object around by some steps. */
static void rotate_members(yyjson_mut_val *value, uint32_t *random)
{
    size_t index, count;
    yyjson_mut_val *key, *item;
    if (yyjson_mut_is_obj(value)) {
        yyjson_mut_obj_foreach(value, index, count, key, item) rotate_members(item, random);
        if (yyjson_mut_obj_size(value))
            yyjson_mut_obj_rotate(value, random_below(random, (uint32_t)yyjson_mut_obj_size(value)));
    } else if (yyjson_mut_is_arr(value)) {
        yyjson_mut_arr_foreach(value, index, count, item) rotate_members(item, random);
    }
}

static yyjson_val *written_and_read(struct arena *arena, yyjson_mut_val *value)
{
    size_t length;
    char *text = yyjson_mut_val_write(value, 0, &length);
    yyjson_val *read = parse_json(arena, (struct slice){text, length});
    free(text);
    return read;
}

/* Whatever the value: the order of members never matters, and an item more always does. */
static void random_values_survive_reordering(void **state)
{
    (void)state;
    uint32_t random = 20260101;
    struct arena *arena = arena_create();
    for (unsigned round = 0; round < 3000; round++) {
        yyjson_mut_doc *document = yyjson_mut_doc_new(NULL);
        yyjson_mut_val *root = yyjson_mut_obj(document), *tail = yyjson_mut_arr(document);
        yyjson_mut_obj_add_val(document, root, "first", random_value(document, &random, 4));
        yyjson_mut_obj_add_val(document, root, "second", random_value(document, &random, 4));
        yyjson_mut_obj_add_val(document, root, "tail", tail);
        yyjson_val *before = written_and_read(arena, root);
        rotate_members(root, &random);
        yyjson_val *rotated = written_and_read(arena, root);
        yyjson_mut_arr_append(tail, yyjson_mut_str(document, "one more"));
        yyjson_val *changed = written_and_read(arena, root);
        assert_true(json_equal(before, rotated, arena));
        assert_true(json_equal(rotated, before, arena));
        assert_false(json_equal(before, changed, arena));
        assert_false(json_equal(changed, rotated, arena));
        yyjson_mut_doc_free(document);
        arena_reset(arena);
    }
    arena_destroy(arena);
}

/* The bytes of a part need not be counted twice, wherever in the value the part stands. */
static void bytes_around_a_part_are_the_rest(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"part\":[]}",
        "{\"part\":{},\"b\":\"x\"}",
        "{\"a\":[1,{}],\"part\":[{\"x\":\"y\"},2,null],\"b\":true}",
        "{\"a\":-12,\"part\":\"text\"}",
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        yyjson_val *value = parse_json(arena, slice_of(texts[i]));
        yyjson_val *part = json_member(value, SLICE("part"));
        assert_int_equal(json_bytes_around(value, part, json_bytes(part)), strlen(texts[i]));
        assert_int_equal(json_bytes_around(value, part, json_bytes(part) + 100), strlen(texts[i]) + 100);
    }
    arena_destroy(arena);
}

/* As many bytes as writing it gives, but for fractions, which are counted roughly. */
static void bytes_are_those_of_compact_json(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "[]",
        "null",
        "true",
        "false",
        "0",
        "10",
        "-1",
        "-90",
        "18446744073709551615",
        "-9223372036854775808",
        "\"\"",
        "\"text\"",
        "[1]",
        "[1,2,[],{}]",
        "{\"a\":{\"b\":[true,null]},\"c\":\"d\"}"};
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        assert_int_equal(json_bytes(parse_json(arena, slice_of(texts[i]))), strlen(texts[i]));
    assert_int_equal(json_bytes(NULL), 0);
    assert_int_equal(json_bytes_around(NULL, NULL, 0), 0);
    assert_int_equal(json_bytes_around(parse_json(arena, SLICE("[1]")), NULL, 0), 3);
    assert_in_range(json_bytes(parse_json(arena, SLICE("[0.25,1e300]"))), 5, 20);
    yyjson_val *list = parse_json(arena, SLICE("[[1],\"next\"]"));
    assert_int_equal(json_bytes(yyjson_arr_get(list, 0)), 3);
    arena_destroy(arena);
}

/* A copy of its own, that other members do not reach; the object stays as it was. */
static void one_member_is_left(void **state)
{
    (void)state;
    static const struct {
        const char *object, *left;
    } cases[] = {
        {"{}", "{}"},
        {"{\"b\":1}", "{}"},
        {"{\"a\":1}", "{\"a\":1}"},
        {"{\"b\":[1,{\"a\":2}],\"a\":{\"c\":[true,null,{}],\"d\":\"e\"},\"f\":{}}",
         "{\"a\":{\"c\":[true,null,{}],\"d\":\"e\"}}"},
        {"{\"a\":[],\"a\":2}", "{\"a\":[]}"},
        {"[\"a\"]", "{}"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        yyjson_val *object = parse_json(arena, slice_of(cases[i].object));
        yyjson_val *left = json_only_member(object, SLICE("a"), arena);
        assert_true(json_identical(left, parse_json(arena, slice_of(cases[i].left))));
        assert_true(json_identical(object, parse_json(arena, slice_of(cases[i].object))));
        assert_int_equal(json_parts(left), json_parts(parse_json(arena, slice_of(cases[i].left))));
    }
    arena_destroy(arena);
}

static yyjson_val *key_of(yyjson_val *root, const char *name)
{
    for (yyjson_val *value = root, *end = value + json_parts(root); value < end; value++) {
        if (slice_equal(json_text(value), slice_of(name)))
            return value;
    }
    return NULL;
}

static void a_copy_lacks_one_member_at_any_depth(void **state)
{
    (void)state;
    static const struct {
        const char *object, *left;
    } cases[] = {
        {"{\"x\":1}", "{}"},
        {"{\"x\":{\"y\":[1,{}]},\"z\":2}", "{\"z\":2}"},
        {"{\"a\":{},\"b\":[{\"x\":\"v\"},3],\"c\":{}}", "{\"a\":{},\"b\":[{},3],\"c\":{}}"},
        {"{\"a\":{\"b\":[1,2]},\"m\":{\"k\":{\"e\":{},\"x\":[[]],\"y\":4},\"n\":5}}",
         "{\"a\":{\"b\":[1,2]},\"m\":{\"k\":{\"e\":{},\"y\":4},\"n\":5}}"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        yyjson_val *object = parse_json(arena, slice_of(cases[i].object));
        yyjson_val *left = json_without(object, key_of(object, "x"), arena);
        yyjson_val *expected = parse_json(arena, slice_of(cases[i].left));
        assert_true(json_identical(left, expected));
        assert_int_equal(json_parts(left), json_parts(expected));
        assert_true(json_identical(object, parse_json(arena, slice_of(cases[i].object))));
    }
    arena_destroy(arena);
}

/* Names of each length, and those that differ from them in one byte. */
static void a_member_has_its_whole_name(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (size_t length = 1; length < 40; length++) {
        char name[64] = {0};
        memset(name, 'a', length);
        struct text text = text_start(arena, 64);
        text_append_string(&text, "{\"");
        text_append(&text, (struct slice){name, length});
        text_append_string(&text, "\":1}");
        yyjson_val *object = parse_json(arena, text_slice(&text));
        assert_non_null(json_member(object, (struct slice){name, length}));
        for (size_t other = 0; other < length; other++) {
            name[other] = 'b';
            assert_null(json_member(object, (struct slice){name, length}));
            name[other] = 'a';
        }
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_lacks_one_member_at_any_depth),
        cmocka_unit_test(a_member_has_its_whole_name),
        cmocka_unit_test(one_member_is_left),
        cmocka_unit_test(other_spelling_is_equal),
        cmocka_unit_test(bytes_are_those_of_compact_json),
        cmocka_unit_test(bytes_around_a_part_are_the_rest),
        cmocka_unit_test(other_values_differ),
        cmocka_unit_test(large_integers_differ),
        cmocka_unit_test(integers_and_reals_are_compared_by_value),
        cmocka_unit_test(integers_beyond_64_bits_are_doubles),
        cmocka_unit_test(identical_is_narrower_than_equal),
        cmocka_unit_test(subtrees_are_compared_alone),
        cmocka_unit_test(repeated_members_are_not_merged),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(depth_costs_no_stack),
        cmocka_unit_test(large_reordered_objects_stay_fast),
        cmocka_unit_test(scalars_have_one_order),
        cmocka_unit_test(absent_values_are_compared),
        cmocka_unit_test(members_and_texts_are_safe_to_ask_for),
        cmocka_unit_test(several_members_are_found_in_one_pass),
        cmocka_unit_test(random_values_survive_reordering),
        cmocka_unit_test(reordering_on_every_level_stays_fast),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
