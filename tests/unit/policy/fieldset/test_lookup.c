/* Values by their path: the item that is meant or none, however large and odd the object is. */
#include "tests/unit/counted_arena.h"
#include "tests/unit/parse.h"

#include "base/json.h"
#include "policy/fieldset/lookup.h"

#include <stdio.h>
#include <string.h>

struct element_case {
    const char *parent;
    const char *key; /* of FieldsV1 */
    enum lookup_result result;
    const char *found;
};

static void check_element(struct arena *arena, const struct element_case *row)
{
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *parent = parse_json(arena, slice_of(row->parent)), *found = NULL;
    const struct path *element = parse_element(arena, NULL, slice_of(row->key));
    enum lookup_result result = lookup_element(lookup, parent, element, &found);
    if (result != row->result)
        fail_msg("%s in %s gives %d", row->key, row->parent, result);
    if (result == LOOKUP_FOUND && !json_identical(found, parse_json(arena, slice_of(row->found))))
        fail_msg("%s in %s finds something else", row->key, row->parent);
}

static void check_elements(const struct element_case *cases, size_t count)
{
    struct arena *arena = arena_create();
    for (size_t i = 0; i < count; i++)
        check_element(arena, &cases[i]);
    arena_destroy(arena);
}

/* A field is found by its whole name in an object; in anything that has no fields it is absent, in a list
 * unclear. */
static void finds_fields(void **state)
{
    (void)state;
    static const struct element_case cases[] = {
        {"{\"a\":1,\"ab\":2}", "f:a", LOOKUP_FOUND, "1"},
        {"{\"a\":1,\"ab\":2}", "f:ab", LOOKUP_FOUND, "2"},
        {"{\"a\":1}", "f:A", LOOKUP_ABSENT, NULL},
        {"{\"a\":1}", "f:", LOOKUP_ABSENT, NULL},
        {"{\"\":1}", "f:", LOOKUP_FOUND, "1"},
        {"{\"a.b/c\":{}}", "f:a.b/c", LOOKUP_FOUND, "{}"},
        {"{\"a\":null}", "f:a", LOOKUP_FOUND, "null"},
        {"{\"a\":1,\"a\":2}", "f:a", LOOKUP_FOUND, "1"},
        {"{\"a\\u0000b\":1}", "f:a", LOOKUP_ABSENT, NULL},
        {"{}", "f:a", LOOKUP_ABSENT, NULL},
        {"null", "f:a", LOOKUP_ABSENT, NULL},
        {"7", "f:a", LOOKUP_ABSENT, NULL},
        {"\"a\"", "f:a", LOOKUP_ABSENT, NULL},
        {"[]", "f:a", LOOKUP_MISFIT, NULL},
        {"[{\"a\":1}]", "f:a", LOOKUP_MISFIT, NULL},
    };
    check_elements(cases, ARRAY_SIZE(cases));
}

/* An item is the one that has all key fields, and no other; two of them count as none. */
static void finds_keyed_items(void **state)
{
    (void)state;
    static const struct element_case cases[] = {
        {"[{\"n\":\"a\"},{\"n\":\"b\",\"x\":1}]", "k:{\"n\":\"b\"}", LOOKUP_FOUND, "{\"n\":\"b\",\"x\":1}"},
        {"[{\"n\":\"a\"},{\"n\":\"b\"}]", "k:{\"n\":\"c\"}", LOOKUP_ABSENT, NULL},
        {"[{\"n\":\"a\"},{\"n\":\"a\"}]", "k:{\"n\":\"a\"}", LOOKUP_SEVERAL, NULL},
        {"[{\"n\":\"a\"},{\"n\":\"a\"}]", "k:{\"n\":\"b\"}", LOOKUP_ABSENT, NULL},
        {"[{\"n\":1}]", "k:{\"n\":1.0}", LOOKUP_FOUND, "{\"n\":1}"},
        {"[{\"n\":1}]", "k:{\"n\":\"1\"}", LOOKUP_ABSENT, NULL},
        {"[{\"n\":true}]", "k:{\"n\":1}", LOOKUP_ABSENT, NULL},
        {"[{\"n\":null}]", "k:{\"n\":null}", LOOKUP_FOUND, "{\"n\":null}"},
        {"[{\"n\":9007199254740993}]", "k:{\"n\":9007199254740992}", LOOKUP_ABSENT, NULL},
        {"[{\"p\":53,\"q\":\"TCP\"},{\"p\":53,\"q\":\"UDP\"}]", "k:{\"p\":53,\"q\":\"UDP\"}", LOOKUP_FOUND,
         "{\"p\":53,\"q\":\"UDP\"}"},
        {"[{\"p\":53,\"q\":\"TCP\"},{\"p\":53,\"q\":\"UDP\"}]", "k:{\"q\":\"UDP\",\"p\":53}", LOOKUP_FOUND,
         "{\"p\":53,\"q\":\"UDP\"}"},
        {"[{\"p\":53,\"q\":\"TCP\"},{\"p\":53,\"q\":\"UDP\"}]", "k:{\"p\":53}", LOOKUP_SEVERAL, NULL},
        {"[{\"p\":53}]", "k:{\"p\":53,\"q\":\"UDP\"}", LOOKUP_ABSENT, NULL},
        {"[{\"n\":\"a\"}]", "k:{}", LOOKUP_AMBIGUOUS, NULL},
        {"[1,\"a\",null,[],{\"n\":\"a\"}]", "k:{\"n\":\"a\"}", LOOKUP_FOUND, "{\"n\":\"a\"}"},
        {"[]", "k:{\"n\":\"a\"}", LOOKUP_ABSENT, NULL},
        {"null", "k:{\"n\":\"a\"}", LOOKUP_ABSENT, NULL},
        {"{\"n\":\"a\"}", "k:{\"n\":\"a\"}", LOOKUP_MISFIT, NULL},
        {"\"a\"", "k:{\"n\":\"a\"}", LOOKUP_MISFIT, NULL},
    };
    check_elements(cases, ARRAY_SIZE(cases));
}

/* A set has a value or has it not; twice is once. */
static void finds_set_items(void **state)
{
    (void)state;
    static const struct element_case cases[] = {
        {"[\"a\",\"b\"]", "v:\"b\"", LOOKUP_FOUND, "\"b\""},
        {"[\"a\",\"b\"]", "v:\"c\"", LOOKUP_ABSENT, NULL},
        {"[\"a\",\"a\"]", "v:\"a\"", LOOKUP_FOUND, "\"a\""},
        {"[1,2]", "v:2", LOOKUP_FOUND, "2"},
        {"[\"1\"]", "v:1", LOOKUP_ABSENT, NULL},
        {"[true]", "v:true", LOOKUP_FOUND, "true"},
        {"[false]", "v:null", LOOKUP_ABSENT, NULL},
        {"[null]", "v:null", LOOKUP_FOUND, "null"},
        {"[[],{}]", "v:\"a\"", LOOKUP_ABSENT, NULL},
        {"[[1]]", "v:[1]", LOOKUP_AMBIGUOUS, NULL},
        {"[{}]", "v:{}", LOOKUP_AMBIGUOUS, NULL},
        {"null", "v:1", LOOKUP_ABSENT, NULL},
        {"{\"a\":1}", "v:1", LOOKUP_MISFIT, NULL},
        {"1", "v:1", LOOKUP_MISFIT, NULL},
    };
    check_elements(cases, ARRAY_SIZE(cases));
}

/* A position is a plain number; nothing is guessed from the rest. */
static void finds_positions(void **state)
{
    (void)state;
    static const struct element_case cases[] = {
        {"[5,6,7]", "i:0", LOOKUP_FOUND, "5"},
        {"[5,[6],7]", "i:2", LOOKUP_FOUND, "7"},
        {"[5]", "i:1", LOOKUP_ABSENT, NULL},
        {"[5]", "i:999999999", LOOKUP_ABSENT, NULL},
        {"[5]", "i:4294967296", LOOKUP_AMBIGUOUS, NULL},
        {"[5]", "i:18446744073709551616", LOOKUP_AMBIGUOUS, NULL},
        {"[5]", "i:-1", LOOKUP_AMBIGUOUS, NULL},
        {"null", "i:0", LOOKUP_ABSENT, NULL},
        {"{\"0\":5}", "i:0", LOOKUP_MISFIT, NULL},
    };
    check_elements(cases, ARRAY_SIZE(cases));
}

/* Without an object there is no match, and no crash. */
static void nothing_is_found_in_nothing(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *found = NULL;
    assert_null(lookup_member(lookup, NULL, SLICE("a")));
    static const char *const keys[] = {"f:a", "k:{\"n\":1}", "v:1", "i:0"};
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
        assert_int_not_equal(
            lookup_element(lookup, NULL, parse_element(arena, NULL, slice_of(keys[i])), &found),
            LOOKUP_FOUND);
    assert_null(found);
    arena_destroy(arena);
}

/* {"m<number>":<number>, ...} in an order that looks random. */
static yyjson_val *large_object(struct arena *arena, unsigned count)
{
    static unsigned order[200000];
    uint32_t random = 17;
    random_order(&random, order, count);
    struct text text = text_start(arena, 0);
    for (unsigned i = 0; i < count; i++) {
        text_append_string(&text, i ? ",\"m" : "{\"m");
        text_append_number(&text, order[i]);
        text_append_string(&text, "\":");
        text_append_number(&text, order[i]);
    }
    text_append_string(&text, "}");
    return parse_json(arena, text_slice(&text));
}

static struct slice numbered(char *bytes, size_t size, const char *start, unsigned number)
{
    return (struct slice){bytes, (size_t)snprintf(bytes, size, "%s%u", start, number)};
}

/* A key that is only a part of the prefix is another key, also where the index is asked. */
static void half_a_prefix_is_no_child(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text text = text_start(arena, 0);
    text_append_string(&text, "{\"f\":{}");
    for (unsigned i = 0; i < 100; i++) {
        text_append_string(&text, ",\"f:");
        text_append_number(&text, i);
        text_append_string(&text, "\":{}");
    }
    text_append_string(&text, "}");
    yyjson_val *node = parse_json(arena, text_slice(&text));
    struct lookup *lookup = lookup_create(arena);
    assert_null(lookup_child(lookup, node, parse_element(arena, NULL, SLICE("f:"))));
    assert_null(lookup_child(lookup, node, parse_element(arena, NULL, SLICE("f:!"))));
    assert_non_null(lookup_child(lookup, node, parse_element(arena, NULL, SLICE("f:0"))));
    arena_destroy(arena);
}

/* Every member of an object is found on both sides of where an index begins, and none that it has not. */
static void finds_every_member(void **state)
{
    (void)state;
    static const unsigned counts[] = {1, 31, 32, 33, 34, 100, 10000, 200000};
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
        struct lookup *lookup = lookup_create(arena);
        yyjson_val *object = large_object(arena, counts[i]);
        char name[20];
        for (unsigned j = 0; j < counts[i]; j++) {
            yyjson_val *value = lookup_member(lookup, object, numbered(name, sizeof(name), "m", j));
            assert_int_equal(yyjson_get_uint(value), j);
            assert_true(yyjson_is_uint(value));
        }
        assert_null(lookup_member(lookup, object, numbered(name, sizeof(name), "m", counts[i])));
        assert_null(lookup_member(lookup, object, SLICE("")));
        assert_null(lookup_member(lookup, object, SLICE("m")));
        assert_null(lookup_member(lookup, object, SLICE("n0")));
        arena_reset(arena);
    }
    arena_destroy(arena);
}

/* The result of a search through the whole list, which the lookup must give too. */
static enum lookup_result search(yyjson_val *list, const struct path *element, yyjson_val **found)
{
    size_t matches = 0, index, count;
    yyjson_val *item;
    yyjson_arr_foreach(list, index, count, item)
    {
        bool same = element->kind == PATH_VALUE && json_compare_scalars(element->json, item) == 0;
        if (element->kind == PATH_KEY) {
            size_t key_index, key_count;
            yyjson_val *key, *wanted;
            same = true;
            yyjson_obj_foreach(element->json, key_index, key_count, key, wanted)
            {
                yyjson_val *value = yyjson_obj_getn(item, yyjson_get_str(key), yyjson_get_len(key));
                same = same && value && json_compare_scalars(wanted, value) == 0;
            }
        }
        if (same && matches++ == 0)
            *found = item;
    }
    if (matches > 1 && element->kind == PATH_KEY)
        return LOOKUP_SEVERAL;
    return matches ? LOOKUP_FOUND : LOOKUP_ABSENT;
}

/* A small number, now and then as a text or a real, so that types meet. */
static void append_random_scalar(struct text *text, uint32_t *random, unsigned bound)
{
    uint32_t form = random_below(random, 8);
    text_append_string(text, form == 0 ? "\"" : "");
    text_append_number(text, random_below(random, bound));
    text_append_string(text, form == 0 ? "\"" : form == 1 ? ".5" : form == 2 ? ".0" : "");
}

static void append_random_item(struct text *text, uint32_t *random, unsigned bound)
{
    if (random_below(random, 10) == 0) {
        append_random_scalar(text, random, bound);
        return;
    }
    text_append_string(text, "{\"z\":[]");
    for (unsigned name = 0; name < 3; name++) {
        if (random_below(random, 10) == 0)
            continue;
        text_append_string(text, name == 0 ? ",\"a\":" : name == 1 ? ",\"b\":" : ",\"c\":");
        append_random_scalar(text, random, bound);
    }
    text_append_string(text, "}");
}

static yyjson_val *random_list(struct arena *arena, uint32_t *random, unsigned items, unsigned bound)
{
    struct text text = text_start(arena, 0);
    text_append_string(&text, "[");
    for (unsigned i = 0; i < items; i++) {
        text_append_string(&text, i ? "," : "");
        append_random_item(&text, random, bound);
    }
    text_append_string(&text, "]");
    return parse_json(arena, text_slice(&text));
}

/* Keys of three sets of names, and set items: as many ways to index a list as one lookup takes. */
static const struct path *random_element(struct arena *arena, uint32_t *random, unsigned bound)
{
    static const char *const names[][2] = {{"a", NULL}, {"b", NULL}, {"a", "b"}};
    struct text text = text_start(arena, 0);
    uint32_t form = random_below(random, 4);
    if (form == 3) {
        text_append_string(&text, "v:");
        append_random_scalar(&text, random, bound);
        return parse_element(arena, NULL, text_slice(&text));
    }
    text_append_string(&text, "k:");
    for (unsigned i = 0; i < 2 && names[form][i]; i++) {
        text_append_string(&text, i ? ",\"" : "{\"");
        text_append_string(&text, names[form][i]);
        text_append_string(&text, "\":");
        append_random_scalar(&text, random, bound);
    }
    text_append_string(&text, "}");
    return parse_element(arena, NULL, text_slice(&text));
}

/* Whether a list is searched or indexed, by one set of names or by several in turn, the answer is the same.
 */
static void answers_as_a_plain_search_does(void **state)
{
    (void)state;
    static const unsigned sizes[] = {0, 1, 2, 31, 32, 33, 64, 200};
    uint32_t random = 99;
    unsigned seen[LOOKUP_AMBIGUOUS + 1] = {0};
    struct arena *arena = arena_create();
    for (unsigned round = 0; round < 400; round++) {
        unsigned size = sizes[round % ARRAY_SIZE(sizes)], bound = 1 + random_below(&random, 2 * size + 2);
        struct lookup *lookup = lookup_create(arena);
        yyjson_val *list = random_list(arena, &random, size, bound);
        for (unsigned i = 0; i < 60; i++) {
            const struct path *element = random_element(arena, &random, bound);
            yyjson_val *found = NULL, *expected_item = NULL;
            enum lookup_result expected = search(list, element, &expected_item);
            assert_int_equal(lookup_element(lookup, list, element, &found), expected);
            if (expected == LOOKUP_FOUND && element->kind == PATH_KEY)
                assert_ptr_equal(found, expected_item);
            if (expected == LOOKUP_FOUND)
                assert_int_equal(json_compare_scalars(found, expected_item), 0);
            seen[expected]++;
        }
        arena_reset(arena);
    }
    assert_true(seen[LOOKUP_FOUND] > 500 && seen[LOOKUP_ABSENT] > 500 && seen[LOOKUP_SEVERAL] > 500);
    arena_destroy(arena);
}

/* [{"a":i,"b":count - i,"c":...}, ...] */
static yyjson_val *list_of_items(struct arena *arena, unsigned count)
{
    struct text text = text_start(arena, 0);
    for (unsigned i = 0; i < count; i++) {
        text_append_string(&text, i ? ",{\"a\":" : "[{\"a\":");
        text_append_number(&text, i);
        text_append_string(&text, ",\"b\":");
        text_append_number(&text, count - i);
        text_append_string(&text, ",\"c\":0,\"d\":0,\"e\":0,\"f\":0}");
    }
    text_append_string(&text, "]");
    return parse_json(arena, text_slice(&text));
}

/* An element that names its key fields, as a manifest's item does, is found by the key fields that it has. */
static void finds_items_by_chosen_names(void **state)
{
    (void)state;
    static const unsigned counts[] = {5, 100};
    static const struct slice names[] = {{"a", 1}, {"b", 1}};
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
        struct lookup *lookup = lookup_create(arena);
        yyjson_val *list = list_of_items(arena, counts[i]), *found = NULL;
        struct slice_list chosen = {names, 2};
        struct path element = {.depth = 1, .kind = PATH_KEY, .key_names = &chosen};
        element.json = parse_json(arena, SLICE("{\"x\":0,\"a\":3,\"c\":7}"));
        assert_int_equal(lookup_element(lookup, list, &element, &found), LOOKUP_FOUND);
        assert_ptr_equal(found, yyjson_arr_get(list, 3));
        element.json = parse_json(arena, SLICE("{\"b\":1,\"a\":3}"));
        assert_int_equal(lookup_element(lookup, list, &element, &found), LOOKUP_ABSENT);
        element.json = parse_json(arena, SLICE("{\"c\":0}"));
        assert_int_equal(lookup_element(lookup, list, &element, &found), LOOKUP_AMBIGUOUS);
    }
    arena_destroy(arena);
}

/* The names that a lookup was asked with are the caller's: they may be gone or changed when it is asked
 * again. */
static void keeps_nothing_of_the_caller(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *list = list_of_items(arena, 100), *found = NULL;
    struct slice name = SLICE("a");
    struct slice_list chosen = {&name, 1};
    struct path element = {
        .depth = 1,
        .kind = PATH_KEY,
        .key_names = &chosen,
        .json = parse_json(arena, SLICE("{\"a\":3,\"b\":3}"))};
    assert_int_equal(lookup_element(lookup, list, &element, &found), LOOKUP_FOUND);
    assert_ptr_equal(found, yyjson_arr_get(list, 3));
    name = SLICE("b");
    assert_int_equal(lookup_element(lookup, list, &element, &found), LOOKUP_FOUND);
    assert_ptr_equal(found, yyjson_arr_get(list, 97));
    arena_destroy(arena);
}

/* One list under more sets of names than any type has: answers may run out, but none is wrong. */
static void many_sets_of_names_give_no_wrong_answer(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *list = list_of_items(arena, 100);
    for (unsigned set = 1; set < 64; set++) {
        struct text absent = text_start(arena, 0);
        text_append_string(&absent, "k:{\"z\":0");
        for (unsigned name = 0; name < 6; name++) {
            if (!(set >> name & 1))
                continue;
            text_append_string(&absent, ",\"");
            text_append(&absent, (struct slice){&"abcdef"[name], 1});
            text_append_string(&absent, "\":0");
        }
        text_append_string(&absent, "}");
        yyjson_val *found = NULL;
        const struct path *element = parse_element(arena, NULL, text_slice(&absent));
        assert_int_not_equal(lookup_element(lookup, list, element, &found), LOOKUP_FOUND);
    }
    yyjson_val *found = NULL;
    const struct path *element = parse_element(arena, NULL, SLICE("v:\"not there\""));
    assert_int_not_equal(lookup_element(lookup, list, element, &found), LOOKUP_FOUND);
    arena_destroy(arena);
}

/* A key with thousands of names, as no type has, must not be compared name by name with every item. */
static void keys_of_many_names_stay_cheap(void **state)
{
    (void)state;
    enum { NAMES = 200000 };
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *item = large_object(arena, NAMES), *found = NULL;
    size_t length;
    char *object = yyjson_val_write(item, 0, &length);
    struct text key = text_start(arena, length + 2), list = text_start(arena, length + 2);
    text_append_string(&key, "k:");
    text_append(&key, (struct slice){object, length});
    text_append_string(&list, "[");
    text_append(&list, (struct slice){object, length});
    text_append_string(&list, "]");
    free(object);
    const struct path *element = parse_element(arena, NULL, text_slice(&key));
    assert_int_equal(
        lookup_element(lookup, parse_json(arena, text_slice(&list)), element, &found), LOOKUP_AMBIGUOUS);
    arena_destroy(arena);
}

/* A manifest's item with thousands of other members before its key, against as many items, takes no long
 * time. */
static void large_declared_items_stay_cheap(void **state)
{
    (void)state;
    enum { ITEMS = 100000 };
    static const struct slice names[] = {{"a", 1}};
    static const struct slice_list chosen = {names, 1};
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *list = list_of_items(arena, ITEMS), *found = NULL;
    struct text declared = text_start(arena, 0);
    text_append_string(&declared, "{");
    for (unsigned i = 0; i < ITEMS; i++)
        text_append_string(&declared, "\"x\":0,");
    text_append_string(&declared, "\"a\":77}");
    struct path element = {
        .depth = 1, .kind = PATH_KEY, .json = parse_json(arena, text_slice(&declared)), .key_names = &chosen};
    assert_int_equal(lookup_element(lookup, list, &element, &found), LOOKUP_FOUND);
    assert_ptr_equal(found, yyjson_arr_get(list, 77));
    arena_destroy(arena);
}

/* Positions in a list of lists, which only walking finds, are not walked to one by one. */
static void positions_in_long_lists_stay_cheap(void **state)
{
    (void)state;
    enum { ITEMS = 300000 };
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    struct text text = text_start(arena, 0);
    for (unsigned i = 0; i < ITEMS; i++)
        text_append_string(&text, i ? ",[0]" : "[[0]");
    text_append_string(&text, "]");
    yyjson_val *list = parse_json(arena, text_slice(&text)), *found = NULL;
    for (unsigned i = 0; i < ITEMS; i++) {
        char digits[20];
        struct path element = {
            .depth = 1, .kind = PATH_INDEX, .text = numbered(digits, sizeof(digits), "", i)};
        assert_int_not_equal(lookup_element(lookup, list, &element, &found), LOOKUP_ABSENT);
    }
    arena_destroy(arena);
}

/* Containers at the same distance from each other, as in any list of like items, must not all be sought in
 * one place. */
static void regular_containers_stay_cheap(void **state)
{
    (void)state;
    enum { ITEMS = 20000, FILLING = 61 };
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    struct text text = text_start(arena, 0);
    for (unsigned i = 0; i < ITEMS; i++) {
        text_append_string(&text, i ? ",{\"n\":" : "[{\"n\":");
        text_append_number(&text, i);
        text_append_string(&text, ",\"l\":[0]");
        for (unsigned j = 0; j < FILLING; j++)
            text_append_string(&text, ",\"\":0");
        text_append_string(&text, "}");
    }
    text_append_string(&text, "]");
    yyjson_val *list = parse_json(arena, text_slice(&text)), *found = NULL;
    for (unsigned i = 0; i < ITEMS; i += 7) {
        char key[40];
        snprintf(key, sizeof(key), "k:{\"n\":%u}", i);
        const struct path *element = parse_element(arena, NULL, slice_of(key));
        assert_int_equal(lookup_element(lookup, list, element, &found), LOOKUP_FOUND);
        assert_int_equal(yyjson_get_uint(json_member(found, SLICE("n"))), i);
    }
    arena_destroy(arena);
}

struct path_case {
    const char *keys[PARSE_PATH_MAX];
    enum lookup_result result;
    const char *found;
    unsigned absent_depth;
};

#define OBJECT                                                                                               \
    "{\"spec\":{\"replicas\":3,\"list\":[{\"n\":\"a\",\"v\":{\"x\":1}},{\"n\":\"b\"},{\"n\":\"b\"}],"        \
    "\"set\":[\"p\"],\"none\":null},\"top\":[]}"

static const struct path_case path_cases[] = {
    {{"f:spec", "f:replicas"}, LOOKUP_FOUND, "3", 0},
    {{"f:spec", "f:gone"}, LOOKUP_ABSENT, NULL, 2},
    {{"f:spec", "f:gone", "f:deeper", "f:still"}, LOOKUP_ABSENT, NULL, 2},
    {{"f:spec", "f:list", "k:{\"n\":\"a\"}", "f:v", "f:x"}, LOOKUP_FOUND, "1", 0},
    {{"f:spec", "f:list", "k:{\"n\":\"a\"}", "f:v", "f:y"}, LOOKUP_ABSENT, NULL, 5},
    {{"f:spec", "f:list", "k:{\"n\":\"a\"}", "f:w", "f:y"}, LOOKUP_ABSENT, NULL, 4},
    {{"f:spec", "f:list", "k:{\"n\":\"z\"}", "f:v", "f:x"}, LOOKUP_ABSENT, NULL, 3},
    {{"f:spec", "f:list", "k:{\"n\":\"b\"}", "f:v"}, LOOKUP_SEVERAL, NULL, 3},
    {{"f:spec", "f:list", "f:n"}, LOOKUP_MISFIT, NULL, 3},
    {{"f:spec", "f:set", "v:\"p\""}, LOOKUP_FOUND, "\"p\"", 0},
    {{"f:spec", "f:set", "v:\"q\""}, LOOKUP_ABSENT, NULL, 3},
    {{"f:spec", "f:none"}, LOOKUP_FOUND, "null", 0},
    {{"f:spec", "f:none", "f:x"}, LOOKUP_ABSENT, NULL, 3},
    {{"f:spec", "f:replicas", "k:{\"n\":1}", "f:x"}, LOOKUP_MISFIT, NULL, 3},
    {{"f:other"}, LOOKUP_ABSENT, NULL, 1},
    {{"f:other", "f:replicas"}, LOOKUP_ABSENT, NULL, 1},
    {{"f:top"}, LOOKUP_FOUND, "[]", 0},
    {{"f:spec"}, LOOKUP_FOUND, NULL, 0},
};

static void check_path(struct arena *arena, struct lookup_cursor *cursor, const struct path *path, size_t i)
{
    const struct path_case *row = &path_cases[i];
    yyjson_val *found = NULL;
    unsigned absent_depth = 0;
    enum lookup_result result = lookup_path(cursor, path, &found, &absent_depth);
    if (result != row->result || absent_depth != row->absent_depth)
        fail_msg("path %zu gives %d, absent at %u", i, result, absent_depth);
    if (row->found && !json_identical(found, parse_json(arena, slice_of(row->found))))
        fail_msg("path %zu finds something else", i);
}

/* A value is found by its path, or the topmost element that is missing is named. */
static void finds_values_by_path(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(path_cases); i++) {
        struct lookup *lookup = lookup_create(arena);
        struct lookup_cursor *cursor = lookup_cursor_create(lookup, parse_json(arena, SLICE(OBJECT)), arena);
        check_path(arena, cursor, parse_path(arena, path_cases[i].keys), i);
    }
    arena_destroy(arena);
}

/* Earlier questions to a cursor never change an answer: from every path to every other, and back. */
static void cursors_forget_other_ways(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    struct lookup_cursor *cursor = lookup_cursor_create(lookup, parse_json(arena, SLICE(OBJECT)), arena);
    const struct path *paths[ARRAY_SIZE(path_cases)];
    for (size_t i = 0; i < ARRAY_SIZE(path_cases); i++) {
        paths[i] = NULL;
        /* Each with texts of its own, as in a document, even if they are equal. */
        for (size_t j = 0; j < PARSE_PATH_MAX && path_cases[i].keys[j]; j++)
            paths[i] = parse_element(arena, paths[i], arena_copy(arena, slice_of(path_cases[i].keys[j])));
    }
    for (size_t i = 0; i < ARRAY_SIZE(path_cases); i++) {
        for (size_t j = 0; j < ARRAY_SIZE(path_cases); j++) {
            check_path(arena, cursor, paths[i], i);
            check_path(arena, cursor, paths[j], j);
            check_path(arena, cursor, paths[i]->parent ? paths[i] : paths[j], paths[i]->parent ? i : j);
        }
    }
    arena_destroy(arena);
}

/* The same text below another parent is another element, as a Secret's data has the names of stringData. */
static void cursors_look_at_parents(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *object = parse_json(arena, SLICE("{\"data\":{\"a\":1}}"));
    struct lookup_cursor *cursor = lookup_cursor_create(lookup, object, arena);
    const struct slice name = SLICE("a");
    const struct path data = path_member(NULL, SLICE("data")), other = path_member(NULL, SLICE("stringData"));
    const struct path of_data = path_member(&data, name), of_other = path_member(&other, name);
    for (int i = 0; i < 2; i++) {
        yyjson_val *found = NULL;
        unsigned absent_depth = 0;
        assert_int_equal(lookup_path(cursor, &of_data, &found, &absent_depth), LOOKUP_FOUND);
        assert_int_equal(lookup_path(cursor, &of_other, &found, &absent_depth), LOOKUP_ABSENT);
        assert_int_equal(absent_depth, 1);
    }
    arena_destroy(arena);
}

/* In no object nothing is found and nothing is missing; the path of no element is the object itself. */
static void cursors_need_no_object(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *object = parse_json(arena, SLICE(OBJECT)), *found = NULL;
    unsigned absent_depth = 0;
    struct lookup_cursor *none = lookup_cursor_create(lookup, NULL, arena);
    const struct path *path = parse_path(arena, path_cases[0].keys);
    assert_int_equal(lookup_path(none, path, &found, &absent_depth), LOOKUP_AMBIGUOUS);
    assert_int_equal(lookup_path(none, NULL, &found, &absent_depth), LOOKUP_AMBIGUOUS);
    assert_null(found);
    struct lookup_cursor *cursor = lookup_cursor_create(lookup, object, arena);
    assert_int_equal(lookup_path(cursor, NULL, &found, &absent_depth), LOOKUP_FOUND);
    assert_ptr_equal(found, object);
    arena_destroy(arena);
}

/* Paths are followed as deep as sets of fields are read, and none deeper. */
static void depth_is_bounded(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text text = text_start(arena, 0);
    const struct path *path = NULL, *deepest = NULL;
    for (unsigned depth = 1; depth <= JSON_DEPTH_MAX + 1; depth++) {
        text_append_string(&text, "{\"a\":");
        deepest = path;
        path = parse_element(arena, path, arena_copy(arena, SLICE("f:a")));
    }
    text_append_string(&text, "1");
    for (unsigned depth = 1; depth <= JSON_DEPTH_MAX + 1; depth++)
        text_append_string(&text, "}");
    struct lookup_cursor *cursor =
        lookup_cursor_create(lookup_create(arena), parse_json(arena, text_slice(&text)), arena);
    yyjson_val *found = NULL;
    unsigned absent_depth = 0;
    assert_int_equal(lookup_path(cursor, deepest, &found, &absent_depth), LOOKUP_FOUND);
    assert_int_equal(yyjson_get_uint(json_member(found, SLICE("a"))), 1);
    assert_int_equal(lookup_path(cursor, path, &found, &absent_depth), LOOKUP_AMBIGUOUS);
    arena_destroy(arena);
}

/* If memory runs out for an index, no item is found, and no wrong one. */
static void lack_of_memory_finds_nothing(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *list = list_of_items(arena, 20000), *object = large_object(arena, 20000), *found = NULL;
    const struct path *element = parse_element(arena, NULL, SLICE("k:{\"a\":3}"));
    const struct path *set_item = parse_element(arena, NULL, SLICE("v:\"not there\""));
    /* Up to the end of the chunk, so that the next allocation needs another. */
    counted.limit_bytes = counted.live_bytes;
    for (size_t size = (size_t)1 << 24; size >= 16; size /= 2) {
        while (arena_allocate(arena, size))
            ;
    }
    assert_int_equal(lookup_element(lookup, list, element, &found), LOOKUP_AMBIGUOUS);
    assert_int_equal(lookup_element(lookup, list, set_item, &found), LOOKUP_AMBIGUOUS);
    assert_null(found);
    assert_null(lookup_member(lookup, object, SLICE("m3")));
    assert_null(lookup_create(arena));
    assert_null(lookup_cursor_create(lookup, object, arena));
    counted.limit_bytes = 0;
    assert_true(arena_has_failed(arena));
    arena_destroy(arena);
}

static enum lookup_result find_declared(
    struct arena *arena, struct lookup *lookup, yyjson_val *list, const char *key, const char *expected)
{
    yyjson_val *found = NULL;
    const struct path *element = parse_element(arena, NULL, slice_of(key));
    enum lookup_result result = lookup_declared_element(lookup, list, element, &found);
    if (result == LOOKUP_FOUND && expected && !json_identical(found, parse_json(arena, slice_of(expected))))
        fail_msg("%s finds another item", key);
    return result;
}

/* Nothing is declared about an absent list; a position in a declared list says nothing of the object's. */
static void what_is_no_list_declares_no_items(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *found = NULL, *list = parse_json(arena, SLICE("[{\"name\":\"a\"}]"));
    const struct path *item = parse_element(arena, NULL, SLICE("k:{\"name\":\"a\"}"));
    const struct path *position = parse_element(arena, NULL, SLICE("i:0"));
    assert_int_equal(lookup_declared_element(lookup, list, item, &found), LOOKUP_FOUND);
    static const char *const others[] = {"null", "{}", "7", "\"a\"", "{\"name\":\"a\"}"};
    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        yyjson_val *other = parse_json(arena, slice_of(others[i]));
        assert_int_equal(lookup_declared_element(lookup, other, item, &found), LOOKUP_ABSENT);
        assert_int_equal(lookup_declared_element(lookup, other, position, &found), LOOKUP_ABSENT);
    }
    assert_int_equal(lookup_declared_element(lookup, list, position, &found), LOOKUP_AMBIGUOUS);
    arena_destroy(arena);
}

/* An item that has none of the fields that were chosen for a key has no key: which is meant is not known. */
static void items_without_a_key_are_not_found(void **state)
{
    (void)state;
    static const struct slice names[] = {{"port", 4}, {"protocol", 8}};
    static const struct slice_list chosen = {names, 2};
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *found = NULL, *list = parse_json(arena, SLICE("[{\"name\":\"a\"},{\"port\":1}]"));
    struct path item = {
        .depth = 1,
        .kind = PATH_KEY,
        .json = parse_json(arena, SLICE("{\"name\":\"a\"}")),
        .key_names = &chosen};
    assert_int_equal(lookup_element(lookup, list, &item, &found), LOOKUP_AMBIGUOUS);
    item.json = parse_json(arena, SLICE("{\"name\":\"a\",\"port\":1}"));
    assert_int_equal(lookup_element(lookup, list, &item, &found), LOOKUP_FOUND);
    arena_destroy(arena);
}

/* A declared item is known by the key fields that it has; where several fit, by the most, or none is known.
 */
static void declared_items_may_lack_key_fields(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *list = parse_json(
        arena,
        SLICE("[{\"p\":1},{\"p\":1,\"q\":\"U\",\"x\":1},{\"p\":2,\"q\":\"T\"},{\"q\":\"T\"},{\"p\":5},{\"p\":"
              "5},{\"x\":9},7]"));
    assert_int_equal(
        find_declared(arena, lookup, list, "k:{\"p\":1,\"q\":\"U\"}", "{\"p\":1,\"q\":\"U\",\"x\":1}"),
        LOOKUP_FOUND);
    assert_int_equal(
        find_declared(arena, lookup, list, "k:{\"p\":2,\"q\":\"T\"}", "{\"p\":2,\"q\":\"T\"}"), LOOKUP_FOUND);
    assert_int_equal(
        find_declared(arena, lookup, list, "k:{\"p\":1,\"q\":\"X\"}", "{\"p\":1}"), LOOKUP_FOUND);
    assert_int_equal(find_declared(arena, lookup, list, "k:{\"p\":2,\"q\":\"X\"}", NULL), LOOKUP_ABSENT);
    assert_int_equal(
        find_declared(arena, lookup, list, "k:{\"p\":9,\"q\":\"T\"}", "{\"q\":\"T\"}"), LOOKUP_FOUND);
    /* One declares p alone, the other q alone; or both declare the same. */
    assert_int_equal(find_declared(arena, lookup, list, "k:{\"p\":1,\"q\":\"T\"}", NULL), LOOKUP_AMBIGUOUS);
    assert_int_equal(find_declared(arena, lookup, list, "k:{\"p\":5,\"q\":\"X\"}", NULL), LOOKUP_AMBIGUOUS);
    arena_destroy(arena);
}

/* In a long list the same is found through an index as by looking at each item. */
static void long_declared_lists_answer_alike(void **state)
{
    (void)state;
    uint32_t random = 7;
    struct arena *arena = arena_create();
    for (unsigned round = 0; round < 200; round++) {
        struct text list = text_start(arena, 0), longer = text_start(arena, 0);
        text_append_string(&list, "[");
        text_append_string(&longer, "[");
        /* Items that fit no key make the list long without a difference to what is found. */
        for (unsigned i = 0; i < 100; i++)
            text_append_string(&longer, "{\"x\":1},");
        unsigned count = 1 + random_below(&random, 6);
        for (unsigned i = 0; i < count; i++) {
            char item[64];
            unsigned p = random_below(&random, 3), q = random_below(&random, 3);
            snprintf(
                item, sizeof(item), "%s{%s%.*u%s%s%.*u}", i ? "," : "", p ? "\"p\":" : "", p ? 1 : 0,
                p ? p : 0, p && q ? "," : "", q ? "\"q\":" : "", q ? 1 : 0, q ? q : 0);
            text_append_string(&list, item);
            text_append_string(&longer, item);
        }
        text_append_string(&list, "]");
        text_append_string(&longer, "]");
        struct lookup *lookup = lookup_create(arena);
        yyjson_val *few = parse_json(arena, text_slice(&list)),
                   *many = parse_json(arena, text_slice(&longer));
        for (unsigned key = 0; key < 9; key++) {
            char text[64];
            snprintf(text, sizeof(text), "k:{\"p\":%u,\"q\":%u}", key / 3, key % 3);
            const struct path *element = parse_element(arena, NULL, slice_of(text));
            yyjson_val *found = NULL, *also = NULL;
            enum lookup_result result = lookup_declared_element(lookup, few, element, &found);
            assert_int_equal(lookup_declared_element(lookup, many, element, &also), result);
            assert_true(result != LOOKUP_FOUND || json_identical(found, also));
        }
    }
    arena_destroy(arena);
}

/* Two large values are paid for once, however often they are compared. */
static void large_values_are_compared_once(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    yyjson_val *a = list_of_items(arena, 2000), *b = list_of_items(arena, 2000),
               *c = list_of_items(arena, 1999);
    size_t least = json_parts(a);
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(lookup_equal(lookup, a, b), ANSWER_YES);
        assert_int_equal(lookup_equal(lookup, a, c), ANSWER_NO);
    }
    assert_true(lookup_effort(lookup)->spent[EFFORT_COMPARED] <= 2 * least);
    /* And once what all may cost is spent, it is not known whether others are equal. */
    enum search_answer answer = ANSWER_YES;
    for (unsigned i = 0; i < 100000 && answer == ANSWER_YES; i++)
        answer = lookup_equal(lookup, parse_json(arena, SLICE("[1,2]")), parse_json(arena, SLICE("[1,2]")));
    assert_int_equal(answer, ANSWER_UNKNOWN);
    assert_int_equal(lookup_equal(lookup, a, b), ANSWER_YES);
    arena_destroy(arena);
}

/* Nor does it matter how many such values there are: the table of answers grows with them. */
static void each_of_many_values_is_compared_once(void **state)
{
    (void)state;
    enum { PAIRS = 500 };
    struct arena *arena = arena_create();
    struct lookup *lookup = lookup_create(arena);
    lookup_effort(lookup)->bytes = 1 << 20;
    yyjson_val *pairs[PAIRS][2];
    for (unsigned i = 0; i < PAIRS; i++) {
        pairs[i][0] = list_of_items(arena, 20);
        pairs[i][1] = list_of_items(arena, 20 + i % 2);
    }
    size_t spent = 0;
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < PAIRS; i++)
            assert_int_equal(lookup_equal(lookup, pairs[i][0], pairs[i][1]), i % 2 ? ANSWER_NO : ANSWER_YES);
        if (round == 0)
            spent = lookup_effort(lookup)->spent[EFFORT_COMPARED];
        assert_int_equal(lookup_effort(lookup)->spent[EFFORT_COMPARED], spent);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_fields),
        cmocka_unit_test(finds_keyed_items),
        cmocka_unit_test(finds_set_items),
        cmocka_unit_test(finds_positions),
        cmocka_unit_test(nothing_is_found_in_nothing),
        cmocka_unit_test(half_a_prefix_is_no_child),
        cmocka_unit_test(finds_every_member),
        cmocka_unit_test(answers_as_a_plain_search_does),
        cmocka_unit_test(finds_items_by_chosen_names),
        cmocka_unit_test(keeps_nothing_of_the_caller),
        cmocka_unit_test(many_sets_of_names_give_no_wrong_answer),
        cmocka_unit_test(keys_of_many_names_stay_cheap),
        cmocka_unit_test(large_declared_items_stay_cheap),
        cmocka_unit_test(positions_in_long_lists_stay_cheap),
        cmocka_unit_test(regular_containers_stay_cheap),
        cmocka_unit_test(finds_values_by_path),
        cmocka_unit_test(cursors_forget_other_ways),
        cmocka_unit_test(cursors_look_at_parents),
        cmocka_unit_test(cursors_need_no_object),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(lack_of_memory_finds_nothing),
        cmocka_unit_test(what_is_no_list_declares_no_items),
        cmocka_unit_test(items_without_a_key_are_not_found),
        cmocka_unit_test(declared_items_may_lack_key_fields),
        cmocka_unit_test(long_declared_lists_answer_alike),
        cmocka_unit_test(large_values_are_compared_once),
        cmocka_unit_test(each_of_many_values_is_compared_once),
    };
    return cmocka_run_group_tests_name("lookup", tests, NULL, NULL);
}
