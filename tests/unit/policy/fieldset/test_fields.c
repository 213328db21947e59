/* FieldsV1: the fields that one set has and another lacks, with any content of managedFields. */
#include "tests/unit/counted_arena.h"
#include "tests/unit/parse.h"

#include "base/json.h"
#include "policy/fieldset/fields.h"

#include <stdio.h>
#include <string.h>

/* Paths in the order of the walk, each after a space. */
static bool note_path(void *context, const struct path *path)
{
    struct text *paths = context;
    text_append_string(paths, " ");
    path_append(paths, path);
    return true;
}

struct difference_case {
    const char *before;
    const char *after; /* NULL: no set at all */
    const char *lost;
    enum fields_result result;
};

static void check_differences(const struct difference_case *cases, size_t count)
{
    struct arena *arena = arena_create();
    for (size_t i = 0; i < count; i++) {
        yyjson_val *before = parse_json(arena, slice_of(cases[i].before));
        yyjson_val *after = cases[i].after ? parse_json(arena, slice_of(cases[i].after)) : NULL;
        struct text paths = text_start(arena, 0);
        enum fields_result result = fields_difference(before, after, lookup_create(arena), note_path, &paths);
        if (result != cases[i].result || !slice_equal(text_slice(&paths), slice_of(cases[i].lost)))
            fail_msg(
                "%s without %s gives %d and%.*s", cases[i].before,
                cases[i].after ? cases[i].after : "nothing", result, (int)paths.length, paths.bytes);
    }
    arena_destroy(arena);
}

/* A leaf is lost where the other set has it in no form; its parent is never reported by itself. */
static void tells_lost_leaves(void **state)
{
    (void)state;
    static const struct difference_case cases[] = {
        {"{}", NULL, "", FIELDS_OK},
        {"{}", "{}", "", FIELDS_OK},
        {"{\".\":{}}", NULL, "", FIELDS_OK},
        {"{\"f:a\":{}}", NULL, " .a", FIELDS_OK},
        {"{\"f:a\":{}}", "{}", " .a", FIELDS_OK},
        {"{\"f:a\":{}}", "{\"f:a\":{}}", "", FIELDS_OK},
        {"{\"f:a\":{}}", "{\"f:b\":{}}", " .a", FIELDS_OK},
        {"{\"f:a\":{\"f:b\":{},\"f:c\":{}}}", "{\"f:a\":{\"f:b\":{}}}", " .a.c", FIELDS_OK},
        {"{\"f:a\":{\"f:b\":{},\"f:c\":{}}}", "{\"f:a\":{\"f:c\":{}}}", " .a.b", FIELDS_OK},
        {"{\"f:a\":{\"f:b\":{},\"f:c\":{}}}", NULL, " .a.b .a.c", FIELDS_OK},
        {"{\"f:a\":{\"f:b\":{}},\"f:c\":{\"f:d\":{}}}", "{\"f:c\":{}}", " .a.b .c.d", FIELDS_OK},
        {"{\"f:l\":{\"k:{\\\"n\\\":1}\":{\"f:x\":{}}}}", "{\"f:l\":{}}", " .l[n=1].x", FIELDS_OK},
        {"{\"f:s\":{\"v:\\\"a\\\"\":{},\"v:\\\"b\\\"\":{}}}", "{\"f:s\":{\"v:\\\"b\\\"\":{}}}", " .s[=\"a\"]",
         FIELDS_OK},
        {"{\"f:s\":{\"i:0\":{},\"i:1\":{}}}", "{\"f:s\":{\"i:0\":{}}}", " .s[1]", FIELDS_OK},
    };
    check_differences(cases, ARRAY_SIZE(cases));
}

/* {} and {".":{}} are one and the same, and being there is not lost as long as anything is owned below. */
static void membership_is_no_leaf(void **state)
{
    (void)state;
    static const struct difference_case cases[] = {
        {"{\"f:a\":{\".\":{}}}", NULL, " .a", FIELDS_OK},
        {"{\"f:a\":{\".\":{}}}", "{\"f:a\":{}}", "", FIELDS_OK},
        {"{\"f:a\":{}}", "{\"f:a\":{\".\":{}}}", "", FIELDS_OK},
        {"{\"f:a\":{}}", "{\"f:a\":{\"f:b\":{}}}", "", FIELDS_OK},
        {"{\"f:a\":{\".\":{}}}", "{\"f:a\":{\"f:b\":{}}}", "", FIELDS_OK},
        {"{\"f:a\":{\".\":{},\"f:b\":{}}}", NULL, " .a.b", FIELDS_OK},
        {"{\"f:a\":{\".\":{},\"f:b\":{}}}", "{\"f:a\":{\"f:b\":{}}}", "", FIELDS_OK},
        {"{\"f:a\":{\"f:b\":{},\".\":{}}}", "{\"f:a\":{\".\":{}}}", " .a.b", FIELDS_OK},
        {"{\".\":{},\"f:a\":{}}", "{\"f:a\":{}}", "", FIELDS_OK},
        {"{\"f:l\":{\"k:{\\\"n\\\":1}\":{\".\":{},\"f:n\":{}}}}",
         "{\"f:l\":{\"k:{\\\"n\\\":1}\":{\".\":{}}}}", " .l[n=1].n", FIELDS_OK},
    };
    check_differences(cases, ARRAY_SIZE(cases));
}

/* Elements are the same by what they mean, not by their spelling, in any order of the sets. */
static void elements_are_compared_parsed(void **state)
{
    (void)state;
    static const struct difference_case cases[] = {
        {"{\"f:b\":{},\"f:a\":{}}", "{\"f:a\":{},\"f:b\":{}}", "", FIELDS_OK},
        {"{\"k:{\\\"a\\\":1}\":{}}", "{\"k:{ \\\"a\\\" : 1 }\":{}}", "", FIELDS_OK},
        {"{\"k:{\\\"a\\\":1,\\\"b\\\":\\\"x\\\"}\":{}}", "{\"k:{\\\"b\\\":\\\"x\\\",\\\"a\\\":1}\":{}}", "",
         FIELDS_OK},
        {"{\"k:{\\\"a\\\":\\\"\\\\u0078\\\"}\":{}}", "{\"k:{\\\"a\\\":\\\"x\\\"}\":{}}", "", FIELDS_OK},
        {"{\"k:{\\\"a\\\":1}\":{}}", "{\"k:{\\\"a\\\":1.0}\":{}}", "", FIELDS_OK},
        {"{\"k:{\\\"a\\\":-1}\":{}}", "{\"k:{\\\"a\\\":-1.0}\":{}}", "", FIELDS_OK},
        {"{\"k:{\\\"a\\\":-1}\":{}}", "{\"k:{ \\\"a\\\":-1}\":{}}", "", FIELDS_OK},
        {"{\"k:{\\\"a\\\":\\\"\x7f\\\"}\":{}}", "{\"k:{\\\"a\\\":\\\"\\\\u007f\\\"}\":{}}", "", FIELDS_OK},
        {"{\"v:\\\"a\\\"\":{}}", "{\"v: \\\"a\\\" \":{}}", "", FIELDS_OK},
        {"{\"v:1\":{}}", "{\"v:1.0\":{}}", "", FIELDS_OK},
        {"{\"k:{\\\"a\\\":1}\":{}}", "{\"k:{\\\"a\\\":2}\":{}}", " [a=1]", FIELDS_OK},
        {"{\"k:{\\\"a\\\":1}\":{}}", "{\"k:{\\\"a\\\":\\\"1\\\"}\":{}}", " [a=1]", FIELDS_OK},
        {"{\"k:{\\\"a\\\":1}\":{}}", "{\"k:{\\\"a\\\":1,\\\"b\\\":1}\":{}}", " [a=1]", FIELDS_OK},
        {"{\"k:{\\\"a\\\":\\\"b\\\"}\":{}}", "{\"k:{\\\"ab\\\":\\\"\\\"}\":{}}", " [a=\"b\"]", FIELDS_OK},
        {"{\"k:{\\\"a\\\":\\\"1\\\\\\\",\\\\\\\"b\\\"}\":{}}", "{\"k:{\\\"a\\\":\\\"1\\\",\\\"b\\\":1}\":{}}",
         " [a=\"1\\\",\\\"b\"]", FIELDS_OK},
        {"{\"v:\\\"1\\\"\":{}}", "{\"v:1\":{}}", " [=\"1\"]", FIELDS_OK},
        {"{\"v:true\":{}}", "{\"v:\\\"true\\\"\":{}}", " [=true]", FIELDS_OK},
        {"{\"v:null\":{}}", "{\"v:\\\"null\\\"\":{}}", " [=null]", FIELDS_OK},
        {"{\"f:a\":{}}", "{\"v:\\\"a\\\"\":{}}", " .a", FIELDS_OK},
        {"{\"f:1\":{}}", "{\"i:1\":{}}", " .1", FIELDS_OK},
        {"{\"f:A\":{}}", "{\"f:a\":{}}", " .A", FIELDS_OK},
        {"{\"f:a\\u0000b\":{}}", "{\"f:a\\u0000c\":{}}", " .a\\x00b", FIELDS_OK},
    };
    check_differences(cases, ARRAY_SIZE(cases));
}

/* A set of one leaf, whose element's long text ends with `last`. */
static yyjson_val *long_element(struct arena *arena, const char *start, char last, const char *end)
{
    struct text text = text_start(arena, 0);
    text_append_string(&text, start);
    for (unsigned i = 0; i < PATH_NAME_BYTES_MAX; i++)
        text_append_string(&text, "x");
    text_append(&text, (struct slice){&last, 1});
    text_append_string(&text, end);
    return parse_json(arena, text_slice(&text));
}

/* Elements that differ only beyond what is printed of them are other elements. */
static void long_elements_are_compared_whole(void **state)
{
    (void)state;
    static const struct {
        const char *start, *end;
    } forms[] = {
        {"{\"f:", "\":{}}"},
        {"{\"v:\\\"", "\\\"\":{}}"},
        {"{\"k:{\\\"n\\\":\\\"", "\\\"}\":{}}"},
        {"{\"k:{\\\"", "\\\":1}\":{}}"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
        struct text paths = text_start(arena, 0);
        yyjson_val *before = long_element(arena, forms[i].start, 'a', forms[i].end);
        yyjson_val *after = long_element(arena, forms[i].start, 'b', forms[i].end);
        assert_int_equal(
            fields_difference(before, after, lookup_create(arena), note_path, &paths), FIELDS_OK);
        if (paths.length == 0)
            fail_msg("%s...a is found in ...b", forms[i].start);
    }
    arena_destroy(arena);
}

/* So are values that differ beyond the printed digits, or inside of parts that are not printed. */
static void values_are_compared_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *before, *after;
    } cases[] = {
        {"{\"v:1.0000001\":{}}", "{\"v:1.0000002\":{}}"},
        {"{\"k:{\\\"a\\\":1.0000001}\":{}}", "{\"k:{\\\"a\\\":1.0000002}\":{}}"},
        {"{\"v:[1]\":{}}", "{\"v:[2]\":{}}"},
        {"{\"v:{\\\"a\\\":1}\":{}}", "{\"v:{\\\"a\\\":2}\":{}}"},
        {"{\"v:9007199254740993\":{}}", "{\"v:9007199254740992\":{}}"},
        {"{\"v:18446744073709551615\":{}}", "{\"v:-1\":{}}"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct text paths = text_start(arena, 0);
        yyjson_val *before = parse_json(arena, slice_of(cases[i].before));
        yyjson_val *after = parse_json(arena, slice_of(cases[i].after));
        assert_int_equal(
            fields_difference(before, after, lookup_create(arena), note_path, &paths), FIELDS_OK);
        if (paths.length == 0)
            fail_msg("%s is found in %s", cases[i].before, cases[i].after);
    }
    arena_destroy(arena);
}

/* Kinds that a later API server may know are passed over with all that is below them; the rest is reported.
 * */
static void unknown_kinds_are_skipped(void **state)
{
    (void)state;
    static const struct difference_case cases[] = {
        {"{\"x:a\":{},\"f:b\":{}}", NULL, " .b", FIELDS_OK},
        {"{\"x:a\":{\"f:c\":{}},\"f:b\":{}}", "{\"f:b\":{}}", "", FIELDS_OK},
        {"{\"::\":{},\".:\":{},\"F:a\":{},\"f:b\":{}}", NULL, " .b", FIELDS_OK},
        {"{\"f:a\":{\"x:1\":{},\"f:b\":{}}}", "{\"f:a\":{\"y:1\":{}}}", " .a.b", FIELDS_OK},
        {"{\"f:a\":{}}", "{\"x:a\":{},\"y:\":{}}", " .a", FIELDS_OK},
        /* With nothing else below it a node is a leaf. */
        {"{\"f:a\":{\"x:1\":{}}}", NULL, " .a", FIELDS_OK},
        {"{\"f:a\":{\".\":{},\"x:1\":{},\"y:1\":{}}}", NULL, " .a", FIELDS_OK},
        {"{\"f:a\":{\"x:1\":{}}}", "{\"f:a\":{}}", "", FIELDS_OK},
    };
    check_differences(cases, ARRAY_SIZE(cases));
}

/* A key that is not a path element is skipped, with its children: the other fields are still reported. */
static void malformed_keys_are_passed_over(void **state)
{
    (void)state;
    static const struct difference_case cases[] = {
        {"{\"f:a\":{},\"\":{},\"f:b\":{}}", NULL, " .a .b", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"f\":{},\"f:b\":{}}", NULL, " .a .b", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"fa\":{},\"f:b\":{}}", NULL, " .a .b", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"..\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"k:\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"k:{\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"k:nginx\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"k:[1]\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"k:null\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"k:{}x\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"v:\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"v:a\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"v:1 2\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"v:\\\"\\u0000\\\"\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"k:{\":{}}", "{\"f:b\":{}}", " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{\"f:b\":{},\"k:\":{}},\"f:c\":{}}", "{}", " .a.b .c", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"i:b\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"i:\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"i:-\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"i:01\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":{},\"i:1b\":{}}", NULL, " .a", FIELDS_MALFORMED},
        {"{\"f:a\":[],\"f:b\":{},\"f:c\":7}", NULL, " .a .b .c", FIELDS_OK},
        {"[]", NULL, "", FIELDS_MALFORMED},
        {"\"f:a\"", "{}", "", FIELDS_MALFORMED},
        {"null", NULL, "", FIELDS_MALFORMED},
    };
    check_differences(cases, ARRAY_SIZE(cases));
}

/* A malformed other side is searched as far as it can be: it owns what it names and no more. */
static void malformed_other_sides_own_nothing_more(void **state)
{
    (void)state;
    static const struct difference_case cases[] = {
        {"{\"f:a\":{},\"f:b\":{}}", "{\"k:{\":{},\"\":{},\"f:b\":{}}", " .a", FIELDS_OK},
        {"{\"f:a\":{}}", "[]", " .a", FIELDS_OK},
        {"{\"f:a\":{}}", "\"f:a\"", " .a", FIELDS_OK},
        {"{\"f:a\":{}}", "null", " .a", FIELDS_OK},
        {"{\"f:a\":{\"f:b\":{}}}", "{\"f:a\":[]}", " .a.b", FIELDS_OK},
        {"{\"f:a\":{\"f:b\":{}}}", "{\"f:a\":null}", " .a.b", FIELDS_OK},
        {"{\"f:a\":{}}", "{\"f:a\":7}", "", FIELDS_OK},
    };
    check_differences(cases, ARRAY_SIZE(cases));
}

static bool stop_at_second(void *context, const struct path *path)
{
    (void)path;
    return ++*(unsigned *)context < 2;
}

/* A visitor that has seen enough ends the walk. */
static void the_visitor_can_stop(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    unsigned visits = 0;
    yyjson_val *before = parse_json(arena, SLICE("{\"f:a\":{\"f:b\":{},\"f:c\":{},\"f:d\":{}},\"f:e\":{}}"));
    assert_int_equal(
        fields_difference(before, NULL, lookup_create(arena), stop_at_second, &visits), FIELDS_STOPPED);
    assert_int_equal(visits, 2);
    assert_int_equal(
        fields_difference(NULL, before, lookup_create(arena), stop_at_second, &visits), FIELDS_OK);
    assert_int_equal(fields_difference(NULL, NULL, lookup_create(arena), stop_at_second, &visits), FIELDS_OK);
    assert_int_equal(visits, 2);
    arena_destroy(arena);
}

/* `levels` of "f:a" around `core`. */
static yyjson_val *nested(struct arena *arena, unsigned levels, const char *core)
{
    struct text text = text_start(arena, 0);
    for (unsigned i = 0; i < levels; i++)
        text_append_string(&text, "{\"f:a\":");
    text_append_string(&text, core);
    for (unsigned i = 0; i < levels; i++)
        text_append_string(&text, "}");
    return parse_json(arena, text_slice(&text));
}

static bool note_depth(void *context, const struct path *path)
{
    *(unsigned *)context = path->depth;
    return true;
}

/* Leaves are reported down to the bound; below it the walk says that it did not go, and costs no stack. */
static void depth_is_bounded(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    unsigned depth = 0;
    yyjson_val *fits = nested(arena, JSON_DEPTH_MAX, "{}"), *deeper = nested(arena, JSON_DEPTH_MAX + 1, "{}");
    assert_int_equal(fields_difference(fits, NULL, lookup_create(arena), note_depth, &depth), FIELDS_OK);
    assert_int_equal(depth, JSON_DEPTH_MAX);
    depth = 0;
    assert_int_equal(
        fields_difference(deeper, NULL, lookup_create(arena), note_depth, &depth), FIELDS_TOO_DEEP);
    assert_int_equal(depth, 0);
    yyjson_val *beside = nested(arena, JSON_DEPTH_MAX - 2, "{\"f:a\":{\"f:a\":{\"f:a\":{}}},\"f:b\":{}}");
    assert_int_equal(
        fields_difference(beside, NULL, lookup_create(arena), note_depth, &depth), FIELDS_TOO_DEEP);
    assert_int_equal(depth, JSON_DEPTH_MAX - 1);
    depth = 0;
    yyjson_val *deepest = nested(arena, 100000, "{}"), *same = nested(arena, 100000, "{}");
    assert_int_equal(
        fields_difference(deepest, NULL, lookup_create(arena), note_depth, &depth), FIELDS_TOO_DEEP);
    assert_int_equal(fields_difference(deepest, same, lookup_create(arena), note_depth, &depth), FIELDS_OK);
    assert_int_equal(fields_difference(fits, deepest, lookup_create(arena), note_depth, &depth), FIELDS_OK);
    assert_int_equal(depth, 0);
    arena_destroy(arena);
}

/* A set of leaves three levels down: .l<list>[n=<item>,p="TCP"].x<name>. */
enum { LISTS = 4, ITEMS = 6, NAMES = 5 };

struct leaves {
    bool owned[LISTS][ITEMS][NAMES];
};

static struct leaves random_leaves(uint32_t *random)
{
    struct leaves leaves;
    uint32_t share = random_below(random, 5);
    for (unsigned i = 0; i < LISTS * ITEMS * NAMES; i++)
        leaves.owned[i / NAMES / ITEMS][i / NAMES % ITEMS][i % NAMES] = random_below(random, 4) < share;
    return leaves;
}

static bool owns_any(const bool *owned, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (owned[i])
            return true;
    }
    return false;
}

/* Half of all containers say that they are members themselves. */
static void open_node(struct text *text, uint32_t *random)
{
    text_append_string(text, random_below(random, 2) ? "{\".\":{}," : "{");
}

static void close_node(struct text *text)
{
    text->length -= text->bytes[text->length - 1] == ',';
    text_append_string(text, "},");
}

static void append_item_key(struct text *text, uint32_t *random, unsigned item)
{
    static const char *const spellings[][2] = {
        {"\"k:{\\\"n\\\":", ",\\\"p\\\":\\\"TCP\\\"}\":"},
        {"\"k:{\\\"p\\\":\\\"TCP\\\",\\\"n\\\":", "}\":"},
        {"\"k: { \\\"n\\\" : ", ".0 , \\\"p\\\" : \\\"\\\\u0054CP\\\" } \":"},
    };
    uint32_t spelling = random_below(random, ARRAY_SIZE(spellings));
    text_append_string(text, spellings[spelling][0]);
    text_append_number(text, item);
    text_append_string(text, spellings[spelling][1]);
}

static void append_item(struct text *text, uint32_t *random, const bool *owned, bool shuffled)
{
    unsigned names[NAMES] = {0, 1, 2, 3, 4};
    if (shuffled)
        random_order(random, names, NAMES);
    open_node(text, random);
    for (unsigned i = 0; i < NAMES; i++) {
        if (!owned[names[i]])
            continue;
        text_append_string(text, "\"f:x");
        text_append_number(text, names[i]);
        text_append_string(text, random_below(random, 2) ? "\":{}," : "\":{\".\":{}},");
    }
    close_node(text);
}

static void append_list(struct text *text, uint32_t *random, const bool owned[ITEMS][NAMES], bool shuffled)
{
    unsigned items[ITEMS] = {0, 1, 2, 3, 4, 5};
    if (shuffled)
        random_order(random, items, ITEMS);
    open_node(text, random);
    for (unsigned i = 0; i < ITEMS; i++) {
        if (!owns_any(owned[items[i]], NAMES))
            continue;
        append_item_key(text, random, items[i]);
        append_item(text, random, owned[items[i]], shuffled);
    }
    close_node(text);
}

static yyjson_val *fields_of(
    struct arena *arena, uint32_t *random, const struct leaves *leaves, bool shuffled)
{
    unsigned lists[LISTS] = {0, 1, 2, 3};
    if (shuffled)
        random_order(random, lists, LISTS);
    struct text text = text_start(arena, 4096);
    open_node(&text, random);
    for (unsigned i = 0; i < LISTS; i++) {
        if (!owns_any(&leaves->owned[lists[i]][0][0], (size_t)ITEMS * NAMES))
            continue;
        text_append_string(&text, "\"f:l");
        text_append_number(&text, lists[i]);
        text_append_string(&text, "\":");
        append_list(&text, random, leaves->owned[lists[i]], shuffled);
    }
    close_node(&text);
    return parse_json(arena, (struct slice){text.bytes, text.length - 1});
}

static bool note_leaf(void *context, const struct path *path)
{
    struct leaves *leaves = context;
    assert_int_equal(path->depth, 3);
    int list = path->parent->parent->text.bytes[1] - '0';
    int item = (int)yyjson_get_num(json_member(path->parent->json, SLICE("n")));
    bool *noted = &leaves->owned[list][item][path->text.bytes[1] - '0'];
    assert_false(*noted);
    *noted = true;
    return true;
}

/* For random sets in any order and spelling, the difference is what comparing leaf by leaf gives. */
static void differences_equal_those_of_plain_sets(void **state)
{
    (void)state;
    uint32_t random = 41;
    struct arena *arena = arena_create();
    for (unsigned round = 0; round < 2000; round++) {
        struct leaves before = random_leaves(&random), after = random_leaves(&random), lost = {0};
        yyjson_val *before_fields = fields_of(arena, &random, &before, round % 2);
        yyjson_val *after_fields = fields_of(arena, &random, &after, round % 3);
        assert_int_equal(
            fields_difference(before_fields, after_fields, lookup_create(arena), note_leaf, &lost),
            FIELDS_OK);
        for (unsigned i = 0; i < LISTS * ITEMS * NAMES; i++) {
            unsigned list = i / NAMES / ITEMS, item = i / NAMES % ITEMS, name = i % NAMES;
            bool expected = before.owned[list][item][name] && !after.owned[list][item][name];
            assert_true(lost.owned[list][item][name] == expected);
        }
        arena_reset(arena);
    }
    arena_destroy(arena);
}

/* Children numbered in the given order, without the numbers that `skip` divides (0: none). */
static yyjson_val *large_node(
    struct arena *arena, const char *start, const char *end, const unsigned *order, unsigned count,
    unsigned skip)
{
    struct text text = text_start(arena, 0);
    text_append_string(&text, "{");
    for (unsigned i = 0; i < count; i++) {
        if (skip && order[i] % skip == 0)
            continue;
        text_append_string(&text, text.length > 1 ? "," : "");
        text_append_string(&text, start);
        text_append_number(&text, order[i]);
        text_append_string(&text, end);
    }
    text_append_string(&text, "}");
    return parse_json(arena, text_slice(&text));
}

static bool count_path(void *context, const struct path *path)
{
    (void)path;
    ++*(size_t *)context;
    return true;
}

/* 20,000 children in another order on each side: with a search for each among all, this would not end. */
static void large_shuffled_nodes_stay_fast(void **state)
{
    (void)state;
    enum { CHILDREN = 20000, SKIP = 10 };
    static unsigned order[CHILDREN], other_order[CHILDREN];
    static const char *const forms[][2] = {
        {"\"f:", "\":{}"}, {"\"k:{\\\"n\\\":", "}\":{}"}, {"\"v:", "\":{}"}, {"\"i:", "\":{}"}};
    uint32_t random = 3;
    struct arena *arena = arena_create();
    random_order(&random, order, CHILDREN);
    random_order(&random, other_order, CHILDREN);
    for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
        size_t lost = 0;
        yyjson_val *before = large_node(arena, forms[i][0], forms[i][1], order, CHILDREN, 0);
        yyjson_val *after = large_node(arena, forms[i][0], forms[i][1], other_order, CHILDREN, SKIP);
        assert_int_equal(
            fields_difference(before, after, lookup_create(arena), count_path, &lost), FIELDS_OK);
        assert_int_equal(lost, CHILDREN / SKIP);
        assert_int_equal(
            fields_difference(after, before, lookup_create(arena), count_path, &lost), FIELDS_OK);
        assert_int_equal(lost, CHILDREN / SKIP);
        arena_reset(arena);
    }
    arena_destroy(arena);
}

/* More than any walk over a few hundred kilobytes may take. */
#define WALK_BYTES_MAX ((size_t)48 * 1024 * 1024)

static void check_walk_is_cheap(struct arena *arena, yyjson_val *before, yyjson_val *after)
{
    size_t lost = 0;
    counted.limit_bytes = counted.live_bytes + WALK_BYTES_MAX;
    enum fields_result result = fields_difference(before, after, lookup_create(arena), count_path, &lost);
    counted.limit_bytes = 0;
    assert_true(result == FIELDS_OK || result == FIELDS_MALFORMED);
}

/* {"f:<number>":{}, ...}, the other way round, so that no cursor finds its way. */
static void append_children(struct text *text, unsigned count)
{
    text_append_string(text, "{\"f:z\":{}");
    for (unsigned i = count; i > 0; i--) {
        text_append_string(text, ",\"f:");
        text_append_number(text, i);
        text_append_string(text, "\":{}");
    }
    text_append_string(text, "}");
}

/* One name given again and again must not have its counterpart indexed again and again. */
static void repeated_children_stay_cheap(void **state)
{
    (void)state;
    enum { REPEATS = 4000 };
    struct arena *arena = arena_create();
    struct text before = text_start(arena, 0), after = text_start(arena, 0);
    text_append_string(&before, "{");
    for (unsigned i = 0; i < REPEATS; i++)
        text_append_string(&before, i ? ",\"f:a\":{\"f:b\":{}}" : "\"f:a\":{\"f:b\":{}}");
    text_append_string(&before, "}");
    text_append_string(&after, "{\"f:a\":");
    append_children(&after, REPEATS);
    text_append_string(&after, "}");
    check_walk_is_cheap(arena, parse_json(arena, text_slice(&before)), parse_json(arena, text_slice(&after)));
    arena_destroy(arena);
}

static void append_twins(struct text *text, unsigned levels)
{
    if (levels == 0) {
        text_append_string(text, "{\"f:b\":{}}");
        return;
    }
    text_append_string(text, "{\"f:a\":");
    append_twins(text, levels - 1);
    text_append_string(text, ",\"f:a\":");
    append_twins(text, levels - 1);
    text_append_string(text, "}");
}

/* Nor may a name given twice on each level lead twice as often to the same counterpart on each level. */
static void nested_repeats_stay_cheap(void **state)
{
    (void)state;
    enum { LEVELS = 12 };
    struct arena *arena = arena_create();
    struct text before = text_start(arena, 0), after = text_start(arena, 0);
    append_twins(&before, LEVELS);
    for (unsigned i = 0; i < LEVELS; i++)
        text_append_string(&after, "{\"f:a\":");
    append_children(&after, 1 << LEVELS);
    for (unsigned i = 0; i < LEVELS; i++)
        text_append_string(&after, "}");
    check_walk_is_cheap(arena, parse_json(arena, text_slice(&before)), parse_json(arena, text_slice(&after)));
    arena_destroy(arena);
}

/* Repeated members of either side are no reason to lose what both have, nor to crash. */
static void repeated_members_are_reported_or_refused(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "{\"f:a\":{},\"f:a\":{}}",
        "{\"f:a\":{\"f:b\":{}},\"f:a\":{\"f:c\":{}}}",
        "{\"k:{\\\"n\\\":1}\":{},\"k:{ \\\"n\\\":1}\":{}}",
        "{\".\":{},\".\":{},\"f:a\":{}}",
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
        for (size_t j = 0; j < ARRAY_SIZE(sets); j++) {
            size_t lost = 0;
            yyjson_val *before = parse_json(arena, slice_of(sets[i]));
            yyjson_val *after = parse_json(arena, slice_of(sets[j]));
            enum fields_result result =
                fields_difference(before, after, lookup_create(arena), count_path, &lost);
            assert_true(result == FIELDS_OK || result == FIELDS_MALFORMED);
            if (i == j)
                assert_int_equal(lost, 0);
        }
    }
    arena_destroy(arena);
}

/* If memory runs out in any allocation, the walk or the arena says so: half an answer is never whole. */
static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    enum { CHILDREN = 3000 };
    static unsigned order[CHILDREN], other_order[CHILDREN];
    uint32_t random = 5;
    random_order(&random, order, CHILDREN);
    random_order(&random, other_order, CHILDREN);
    struct arena *arena = arena_create();
    yyjson_val *before = large_node(arena, "\"k:{\\\"n\\\":", "}\":{}", order, CHILDREN, 0);
    yyjson_val *after = large_node(arena, "\"k:{\\\"n\\\": ", "}\":{}", other_order, CHILDREN, 0);
    bool failed = true;
    size_t call = 0;
    while (failed) {
        struct arena *small = arena_create();
        size_t lost = 0;
        counted.calls = 0;
        counted.fail_call = ++call;
        enum fields_result result = fields_difference(before, after, lookup_create(small), count_path, &lost);
        counted.fail_call = 0;
        failed = counted.calls >= call;
        assert_true(failed ? arena_has_failed(small) : result == FIELDS_OK && lost == 0);
        arena_destroy(small);
    }
    assert_true(call > 2);
    arena_destroy(arena);
}

/* A child is found by its whole name, among fields only. */
static void finds_children_by_name(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *fields = parse_json(
        arena,
        SLICE("{\".\":{},\"f\":0,\"f:\":1,\"k:a\":2,\"f:ab\":3,\"f:a\":4,\"f:a\\u0000\":5,\"f:a\":6}"));
    assert_int_equal(yyjson_get_int(fields_child(fields, SLICE("a"))), 4);
    assert_int_equal(yyjson_get_int(fields_child(fields, SLICE(""))), 1);
    assert_int_equal(yyjson_get_int(fields_child(fields, (struct slice){"a\0", 2})), 5);
    assert_null(fields_child(fields, SLICE("b")));
    assert_null(fields_child(fields, SLICE("f:a")));
    assert_null(fields_child(NULL, SLICE("a")));
    assert_null(fields_child(parse_json(arena, SLICE("[\"f:a\",1]")), SLICE("a")));
    arena_destroy(arena);
}

/* An unreadable part is reported with its cause, and each cause has its own name. */
static void each_result_has_its_words(void **state)
{
    (void)state;
    assert_string_equal(fields_result_text(FIELDS_MALFORMED), "has a key that is not a path element");
    assert_string_equal(fields_result_text(FIELDS_TOO_DEEP), "is nested too deeply");
    assert_string_equal(fields_result_text(FIELDS_TOO_MANY), "is one of too many to be compared");
    assert_string_equal(fields_result_text(FIELDS_OUT_OF_MEMORY), "did not fit into memory");
    assert_string_equal(fields_result_text(FIELDS_OK), "was read");
}

/* Unknown kinds and broken keys are distinguished: the ones are skipped, the others end a walk. */
static void decoding_tells_unknown_from_malformed(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        bool decoded, known;
        enum path_kind kind;
    } cases[] = {
        {"f:a", true, true, PATH_FIELD},       {"f:", true, true, PATH_FIELD},
        {"k:{\"a\":1}", true, true, PATH_KEY}, {"v:\"a\"", true, true, PATH_VALUE},
        {"v:{}", true, true, PATH_VALUE},      {"i:3", true, true, PATH_INDEX},
        {"x:a", false, false, PATH_FIELD},     {"F:a", false, false, PATH_FIELD},
        {"k:", false, true, PATH_FIELD},       {"k:[]", false, true, PATH_FIELD},
        {"v:", false, true, PATH_FIELD},       {"v:{", false, true, PATH_FIELD},
        {"", false, true, PATH_FIELD},         {".", false, true, PATH_FIELD},
        {"f", false, true, PATH_FIELD},        {"fa", false, true, PATH_FIELD},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct path parent = {0}, element = {.parent = &parent, .depth = 9};
        bool known = !cases[i].known;
        bool decoded = fields_decode_element(slice_of(cases[i].key), arena, &element, &known);
        if (decoded != cases[i].decoded || known != cases[i].known)
            fail_msg("%s: decoded %d, known %d", cases[i].key, decoded, known);
        if (decoded)
            assert_int_equal(element.kind, cases[i].kind);
        assert_ptr_equal(element.parent, &parent);
        assert_int_equal(element.depth, 9);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_lost_leaves),
        cmocka_unit_test(membership_is_no_leaf),
        cmocka_unit_test(elements_are_compared_parsed),
        cmocka_unit_test(long_elements_are_compared_whole),
        cmocka_unit_test(values_are_compared_exactly),
        cmocka_unit_test(unknown_kinds_are_skipped),
        cmocka_unit_test(malformed_keys_are_passed_over),
        cmocka_unit_test(malformed_other_sides_own_nothing_more),
        cmocka_unit_test(the_visitor_can_stop),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(differences_equal_those_of_plain_sets),
        cmocka_unit_test(large_shuffled_nodes_stay_fast),
        cmocka_unit_test(repeated_children_stay_cheap),
        cmocka_unit_test(nested_repeats_stay_cheap),
        cmocka_unit_test(repeated_members_are_reported_or_refused),
        cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(finds_children_by_name),
        cmocka_unit_test(each_result_has_its_words),
        cmocka_unit_test(decoding_tells_unknown_from_malformed),
    };
    return cmocka_run_group_tests_name("fields", tests, NULL, NULL);
}
