/* fieldset_contains: whether one FieldsV1 set owns one field, at a bounded cost. */
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_contains.h"

#include "tests/unit/parse.h"

#include <stdio.h>

static const char set[] = "{\"f:metadata\":{\"f:labels\":{\".\":{},\"f:a\":{}}},"
                          "\"f:spec\":{\"f:selector\":{},\"f:replicas\":{},"
                          "\"f:containers\":{\"k:{\\\"name\\\":\\\"n\\\"}\":{\".\":{},\"f:image\":{}}},"
                          "\"f:set\":{\"v:\\\"x\\\"\":{}}}}";

struct question {
    const char *fields; /* a set of one leaf, whose path is asked for */
    bool owned;
};

struct asked {
    yyjson_val *set;
    struct lookup *lookup;
    enum search_answer owned;
};

static bool ask(void *context, const struct path *path)
{
    struct asked *asked = context;
    asked->owned = fieldset_contains(asked->lookup, asked->set, path);
    return false;
}

static enum search_answer is_owned(struct arena *arena, struct lookup *lookup, const char *fields)
{
    struct asked asked = {.set = parse_json(arena, slice_of(set)), .lookup = lookup};
    fields_difference(parse_json(arena, slice_of(fields)), NULL, lookup_create(arena), ask, &asked);
    return asked.owned;
}

/* The field itself, what has something owned below it, and what lies in an atomic value; nothing else. */
static void owns_what_it_holds(void **state)
{
    (void)state;
    static const struct question questions[] = {
        {"{\"f:spec\":{\"f:replicas\":{}}}", true},
        {"{\"f:spec\":{}}", true},
        {"{\"f:spec\":{\"f:selector\":{\"f:matchLabels\":{\"f:app\":{}}}}}", true},
        {"{\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"n\\\"}\":{}}}}", true},
        {"{\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"n\\\"}\":{\"f:image\":{}}}}}", true},
        {"{\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"m\\\"}\":{\"f:image\":{}}}}}", false},
        {"{\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"n\\\"}\":{\"f:tty\":{}}}}}", false},
        {"{\"f:spec\":{\"f:set\":{\"v:\\\"x\\\"\":{}}}}", true},
        {"{\"f:spec\":{\"f:set\":{\"v:\\\"y\\\"\":{}}}}", false},
        {"{\"f:spec\":{\"f:set\":{\"i:0\":{}}}}", false},
        {"{\"f:metadata\":{\"f:labels\":{\"f:a\":{}}}}", true},
        {"{\"f:metadata\":{\"f:labels\":{\"f:b\":{}}}}", false},
        {"{\"f:status\":{}}", false},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(questions); i++) {
        enum search_answer expected = questions[i].owned ? ANSWER_YES : ANSWER_NO;
        if (is_owned(arena, lookup_create(arena), questions[i].fields) != expected)
            fail_msg("%s", questions[i].fields);
    }
    arena_destroy(arena);
}

struct children_case {
    const char *fields;
    const char *keys[PARSE_PATH_MAX];
    bool has_children;
};

/* Only fields strictly below a field, in any form, make a membership of its bare {}. */
static void owns_below_what_has_children(void **state)
{
    (void)state;
    static const struct children_case cases[] = {
        {"{\"f:a\":{\"f:b\":{}}}", {"f:a"}, true},
        {"{\"f:a\":{\"f:b\":{}}}", {"f:a", "f:b"}, false},
        {"{\"f:a\":{\"f:b\":{}}}", {"f:b"}, false},
        {"{\"f:a\":{\"f:b\":{}}}", {"f:a", "f:b", "f:c"}, false},
        {"{\"f:a\":{}}", {"f:a"}, false},
        {"{\"f:a\":{\".\":{}}}", {"f:a"}, false},
        {"{\"f:a\":{\".\":{},\"f:b\":{}}}", {"f:a"}, true},
        {"{\"f:a\":{\"f:b\":{\".\":{}}}}", {"f:a"}, true},
        {"{\"f:a\":7}", {"f:a"}, false},
        {"{\"f:a\":[1]}", {"f:a"}, false},
        {"{\"f:l\":{\"k:{\\\"n\\\":\\\"x\\\"}\":{\"f:n\":{}}}}", {"f:l"}, true},
        {"{\"f:l\":{\"k:{\\\"n\\\":\\\"x\\\"}\":{\"f:n\":{}}}}", {"f:l", "k:{\"n\":\"x\"}"}, true},
        {"{\"f:l\":{\"k:{\\\"n\\\":\\\"x\\\"}\":{\"f:n\":{}}}}", {"f:l", "k:{ \"n\" : \"x\" }"}, false},
        {"{\"f:l\":{\"k:{\\\"n\\\":\\\"x\\\"}\":{\"f:n\":{}}}}", {"f:l", "k:{\"n\":\"y\"}"}, false},
        {"{\"f:l\":{\"k:{\\\"n\\\":\\\"x\\\"}\":{}}}", {"f:l", "k:{\"n\":\"x\"}"}, false},
        {"{\"f:s\":{\"v:\\\"x\\\"\":{}}}", {"f:s"}, true},
        {"{\"f:s\":{\"v:\\\"x\\\"\":{}}}", {"f:s", "v:\"x\""}, false},
        {"{\"f:s\":{\"i:0\":{\"f:a\":{}}}}", {"f:s", "i:0"}, true},
        {"{\"f:s\":{\"i:0\":{\"f:a\":{}}}}", {"f:s", "i:1"}, false},
    };
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        yyjson_val *fields = parse_json(arena, slice_of(cases[i].fields));
        const struct path *path = parse_path(arena, cases[i].keys);
        if (fieldset_contains_below(lookup, fields, path) != (cases[i].has_children ? ANSWER_YES : ANSWER_NO))
            fail_msg("%s, case %zu", cases[i].fields, i);
        assert_int_equal(fieldset_contains_below(lookup, NULL, path), ANSWER_NO);
    }
    arena_destroy(arena);
}

/* An item that was found in an object has in FieldsV1 the spelling that the API server gives it. */
static void items_of_objects_are_spelled_as_stored(void **state)
{
    (void)state;
    static const struct {
        const char *name;   /* of the item, as JSON */
        const char *stored; /* the same as in the key of FieldsV1 */
    } cases[] = {
        {"\"nginx\"", "\\\"nginx\\\""},
        {"\"a<b>&c\"", "\\\"a\\\\u003cb\\\\u003e\\\\u0026c\\\""},
        {"\"\\u2028\\u2029\"", "\\\"\\\\u2028\\\\u2029\\\""},
        {"\"\\n\\r\\t\\b\\f\"", "\\\"\\\\n\\\\r\\\\t\\\\u0008\\\\u000c\\\""},
        {"\"\\\"\\\\/\"", "\\\"\\\\\\\"\\\\\\\\/\\\""},
        {"\"größe\"", "\\\"größe\\\""},
        {"\"\\u007f\"", "\\\"\x7f\\\""},
        {"80", "80"},
        {"true", "true"},
    };
    struct arena *arena = arena_create();
    const struct slice_list names = {&SLICE("name"), 1};
    const struct path list = {.depth = 1, .kind = PATH_FIELD, .text = SLICE("l")};
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char fields[200], item[100];
        snprintf(fields, sizeof(fields), "{\"f:l\":{\"k:{\\\"name\\\":%s}\":{}}}", cases[i].stored);
        snprintf(item, sizeof(item), "{\"name\":%s,\"image\":\"x\"}", cases[i].name);
        const struct path path = {
            .parent = &list,
            .depth = 2,
            .kind = PATH_KEY,
            .json = parse_json(arena, slice_of(item)),
            .key_names = &names,
        };
        yyjson_val *set_of_item = parse_json(arena, slice_of(fields));
        if (fieldset_contains(lookup_create(arena), set_of_item, &path) != ANSWER_YES)
            fail_msg("%s is not found in %s", cases[i].name, fields);
    }
    arena_destroy(arena);
}

/* A node of many children is searched through an index, with the same result. */
static void many_children_are_told_apart(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    struct text text = text_start(arena, 0);
    for (size_t i = 0; i < MANY; i++) {
        text_append_string(&text, i ? ",\"f:" : "{\".\":{},\"k:{\\\"n\\\":1}\":{},\"f:");
        text_append_number(&text, i * 2);
        text_append_string(&text, "\":{\"f:x\":{}}");
    }
    text_append_string(&text, "}");
    yyjson_val *fields = parse_json(arena, text_slice(&text));
    for (size_t i = 0; i < MANY * 2; i++) {
        char name[32];
        snprintf(name, sizeof(name), "f:%zu", i);
        const struct path *path = parse_path(arena, (const char *const[PARSE_PATH_MAX]){name});
        assert_int_equal(fieldset_contains(lookup, fields, path), i % 2 ? ANSWER_NO : ANSWER_YES);
        assert_int_equal(fieldset_contains_below(lookup, fields, path), i % 2 ? ANSWER_NO : ANSWER_YES);
    }
    const struct path *item = parse_path(arena, (const char *const[PARSE_PATH_MAX]){"k:{\"n\":1}"});
    assert_int_equal(fieldset_contains(lookup, fields, item), ANSWER_YES);
    const struct path *other = parse_path(arena, (const char *const[PARSE_PATH_MAX]){"v:2"});
    assert_int_equal(fieldset_contains(lookup, fields, other), ANSWER_NO);
    arena_destroy(arena);
}

/* Once the review's bound is passed, the answer is "unknown" for any sets. */
static void beyond_the_bound_nothing_is_known(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    const char *fields = "{\"f:spec\":{\"f:replicas\":{}}}";
    size_t answered = 0;
    while (is_owned(arena, lookup, fields) == ANSWER_YES)
        answered++;
    assert_in_range(answered, 10000, 100000);
    assert_int_equal(is_owned(arena, lookup, fields), ANSWER_UNKNOWN);
    assert_int_equal(is_owned(arena, lookup, "{\"f:no\":{}}"), ANSWER_UNKNOWN);
    assert_true(lookup_effort(lookup)->exceeded[EFFORT_OWNERS]);
    /* A larger review may ask more. */
    lookup = lookup_create(arena);
    lookup_effort(lookup)->bytes = (size_t)4 * 1024 * 1024;
    for (size_t i = 0; i < 2 * answered; i++)
        assert_int_equal(is_owned(arena, lookup, fields), ANSWER_YES);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owns_what_it_holds),
        cmocka_unit_test(owns_below_what_has_children),
        cmocka_unit_test(items_of_objects_are_spelled_as_stored),
        cmocka_unit_test(many_children_are_told_apart),
        cmocka_unit_test(beyond_the_bound_nothing_is_known),
    };
    return cmocka_run_group_tests_name("fields-own", tests, NULL, NULL);
}
