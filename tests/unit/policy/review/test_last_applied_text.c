/*
 * A last-applied annotation is read as kubectl reads it: what Go's decoder makes of each of these texts was
 * seen with encoding/json of Go 1.26, into a map[string]interface{}.
 */
#include "tests/unit/parse.h"

#include "base/json.h"
#include "policy/review/last_applied_text.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    const char *text;
    const char *as; /* the same as Go writes what it has read; NULL: it reads an error, or no object */
};

static void expect_readings(const struct reading *readings, size_t count)
{
    struct arena *arena = arena_create();
    for (size_t i = 0; i < count; i++) {
        yyjson_val *read = last_applied_parse(slice_of(readings[i].text), arena);
        if (!read != !readings[i].as)
            fail_msg("%s is%s read", readings[i].text, read ? "" : " not");
        if (!read)
            continue;
        yyjson_val *expected = parse_json(arena, slice_of(readings[i].as));
        if (!json_equal(read, expected, arena))
            fail_msg("%s is not read as %s", readings[i].text, readings[i].as);
        /* A dropped member leaves no gap. */
        yyjson_alc allocator = arena_yyjson(arena);
        size_t length = 0;
        char *written = yyjson_val_write_opts(read, 0, &allocator, &length, NULL);
        yyjson_val *again = parse_json(arena, (struct slice){written, length});
        assert_true(json_equal(read, again, arena));
        assert_int_equal(json_bytes(read), json_bytes(again));
    }
    arena_destroy(arena);
}

/* An empty `data` before a full one would hide what a Secret's annotation shows. */
static void the_last_of_several_members_stands(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"{\"data\":{},\"data\":{\"a\":\"b\"}}", "{\"data\":{\"a\":\"b\"}}"},
        {"{\"data\":{\"a\":\"b\"},\"data\":{}}", "{\"data\":{}}"},
        {"{\"data\":{\"a\":\"b\"},\"data\":{\"c\":\"d\"}}", "{\"data\":{\"c\":\"d\"}}"},
        {"{\"a\":1,\"b\":2,\"a\":3,\"a\":4,\"b\":[5]}", "{\"a\":4,\"b\":[5]}"},
        {"{\"a\":{\"a\":1,\"a\":2},\"b\":[{\"x\":{},\"x\":[1,{}]}],\"a\":{\"a\":[],\"a\":{}}}",
         "{\"a\":{\"a\":{}},\"b\":[{\"x\":[1,{}]}]}"},
        {"{\"b\":{\"c\":[{\"d\":1,\"d\":[[]]}]},\"a\":[]}", "{\"b\":{\"c\":[{\"d\":[[]]}]},\"a\":[]}"},
        {"{\"data\":1,\"da\\u0074a\":2}", "{\"data\":2}"},
        {"{\"data\":1,\"DATA\":2}", "{\"data\":1,\"DATA\":2}"},
        {"{\"\":1,\"\":2}", "{\"\":2}"},
        {"{}", "{}"},
    };
    expect_readings(readings, ARRAY_SIZE(readings));
}

/* Go accepts it, so the annotation must be read here as well. */
static void half_a_surrogate_pair_is_a_replacement_character(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"{\"a\":\"\\ud800\"}", "{\"a\":\"\\ufffd\"}"},
        {"{\"a\":\"\\udc00x\"}", "{\"a\":\"\\ufffdx\"}"},
        {"{\"a\":\"\\uD800\\u0041\"}", "{\"a\":\"\\ufffdA\"}"},
        {"{\"a\":\"\\ud800\\ud801\\udc00\"}", "{\"a\":\"\\ufffd\\ud801\\udc00\"}"},
        {"{\"a\":\"\\ud800\\n\"}", "{\"a\":\"\\ufffd\\n\"}"},
        {"{\"a\":\"\\ud800\\ue000\"}", "{\"a\":\"\\ufffd\\ue000\"}"},
        {"{\"a\":\"\\ud7ff\\udc00\"}", "{\"a\":\"\\ud7ff\\ufffd\"}"},
        {"{\"a\":\"\\ud899\\udc99\\udc00\"}", "{\"a\":\"\\ud899\\udc99\\ufffd\"}"},
        {"{\"a\":\"\\uDBFF\\uDFFF\\uDBFF\"}", "{\"a\":\"\\udbff\\udfff\\ufffd\"}"},
        {"{\"\\ud800\":1,\"\\udfff\":2}", "{\"\\ufffd\":2}"},
        {"{\"a\":\"\\\\ud800\\udc00\"}", "{\"a\":\"\\\\ud800\\ufffd\"}"},
        {"{\"a\":\"\\ud83d\\ude00\",\"b\":\"\\\\\\udbff\"}",
         "{\"a\":\"\\ud83d\\ude00\",\"b\":\"\\\\\\ufffd\"}"},
        {"{\"a\":\"\\ud800\\q\"}", NULL},
        {"{\"a\":\"\\ud80\"}", NULL},
        {"{\"a\":\"\\ud800", NULL},
    };
    expect_readings(readings, ARRAY_SIZE(readings));
}

static void what_is_an_error_to_go_is_one_here(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"", NULL},
        {"null", NULL},
        {"[]", NULL},
        {"{} x", NULL},
        {"{} {}", NULL},
        {"\xef\xbb\xbf{}", NULL},
        {"{\"a\":\"\x01\"}", NULL},
        {"{\"a\":1e400}", NULL},
        {"{\"a\":01}", NULL},
        {" \t\r\n{}\n", "{}"},
        {"{\"a\":12345678901234567890123}", "{\"a\":1.2345678901234568e+22}"},
        {"{\"a\":1e-400,\"b\":-0}", "{\"a\":0,\"b\":0}"},
        {"{\"a\":\"\\u0000\"}", "{\"a\":\"\\u0000\"}"},
    };
    expect_readings(readings, ARRAY_SIZE(readings));
}

/* An object whose member `a` holds lists in each other, so that there are `levels` in all. */
static bool is_read_with(size_t levels)
{
    size_t lists = levels - 1, length = 5 + 2 * lists + 3;
    char *text = malloc(length + 1);
    assert_non_null(text);
    memcpy(text, "{\"a\":", 5);
    memset(text + 5, '[', lists);
    memset(text + 5 + lists, ']', lists);
    memcpy(text + 5 + 2 * lists, "  }", 3);
    struct arena *arena = arena_create();
    bool is_read = last_applied_parse((struct slice){text, length}, arena) != NULL;
    arena_destroy(arena);
    free(text);
    return is_read;
}

static void levels_end_where_those_of_go_do(void **state)
{
    (void)state;
    assert_true(is_read_with(10000));
    assert_false(is_read_with(10001));
    assert_false(is_read_with(200000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_of_several_members_stands),
        cmocka_unit_test(half_a_surrogate_pair_is_a_replacement_character),
        cmocka_unit_test(what_is_an_error_to_go_is_one_here),
        cmocka_unit_test(levels_end_where_those_of_go_do),
    };
    return cmocka_run_group_tests_name("last_applied_text", tests, NULL, NULL);
}
