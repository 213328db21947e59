/* One FieldsV1 set walked together with others: which others own its fields, in any order and form. */
#include "tests/unit/counted_arena.h"
#include "tests/unit/parse.h"

#include "base/json.h"
#include "base/text.h"
#include "policy/fieldset/fieldset_overlap.h"

#include <stdio.h>
#include <string.h>

struct walked {
    struct text text; /* each leaf, and the numbers of the others that own it as a leaf */
    size_t count;
    const char *pass; /* the name of an element below which the walk does not go */
    const char *stop; /* the name of one where it ends */
};

static enum walk_action note(void *context, const struct overlap_node *node)
{
    struct walked *walked = context;
    size_t shared = 0;
    for (size_t i = 0; i < walked->count; i++)
        shared += node->others[i] != NULL;
    assert_int_equal(shared, node->shared);
    if (walked->stop && slice_equal(node->path->text, slice_of(walked->stop)))
        return WALK_STOP;
    if (walked->pass && slice_equal(node->path->text, slice_of(walked->pass)))
        return WALK_PASS;
    if (!fields_is_leaf(node->fields))
        return WALK_DESCEND;
    text_append_string(&walked->text, " ");
    path_append(&walked->text, node->path);
    for (size_t i = 0; i < walked->count; i++) {
        if (node->others[i] && fields_is_leaf(node->others[i])) {
            text_append_string(&walked->text, "#");
            text_append_number(&walked->text, i);
        }
    }
    return WALK_DESCEND;
}

struct beside_case {
    const char *fields;
    const char *others[3];
    const char *walked;
    enum fields_result result;
};

static void check(const struct beside_case *cases, size_t count)
{
    struct arena *arena = arena_create();
    for (size_t i = 0; i < count; i++) {
        yyjson_val *others[3] = {NULL};
        struct walked walked = {.text = text_start(arena, 64)};
        for (; walked.count < 3 && cases[i].others[walked.count]; walked.count++)
            others[walked.count] = parse_json(arena, slice_of(cases[i].others[walked.count]));
        enum fields_result result = fieldset_overlap_walk(
            parse_json(arena, slice_of(cases[i].fields)), others, walked.count, lookup_create(arena), note,
            &walked);
        if (result != cases[i].result || !slice_equal(text_slice(&walked.text), slice_of(cases[i].walked)))
            fail_msg(
                "case %zu, %s gives %d and%.*s", i, cases[i].fields, result, (int)walked.text.length,
                walked.text.bytes);
    }
    arena_destroy(arena);
}

/* Each leaf is reported with all other owners: none, one or several. */
static void tells_who_else_owns_a_leaf(void **state)
{
    (void)state;
    static const struct beside_case cases[] = {
        {"{}", {"{\"f:a\":{}}"}, "", FIELDS_OK},
        {"{\"f:a\":{}}", {NULL}, " .a", FIELDS_OK},
        {"{\"f:a\":{}}", {"{}", "{\"f:a\":{}}"}, " .a#1", FIELDS_OK},
        {"{\"f:a\":{\"f:b\":{},\"f:c\":{}},\"f:d\":{}}",
         {"{\"f:a\":{\"f:b\":{}}}", "{\"f:d\":{}}", "{\"f:a\":{\"f:b\":{},\"f:c\":{}},\"f:d\":{}}"},
         " .a.b#0#2 .a.c#2 .d#1#2",
         FIELDS_OK},
        {"{\"f:l\":{\"k:{\\\"n\\\":1}\":{\"f:x\":{}},\"k:{\\\"n\\\":2}\":{\"f:x\":{}}}}",
         {"{\"f:l\":{\"k:{\\\"n\\\":2}\":{\"f:x\":{}}}}"},
         " .l[n=1].x .l[n=2].x#0",
         FIELDS_OK},
        {"{\"f:s\":{\"v:\\\"a\\\"\":{},\"v:\\\"b\\\"\":{}}}",
         {"{\"f:s\":{\"v:\\\"b\\\"\":{}}}"},
         " .s[=\"a\"] .s[=\"b\"]#0",
         FIELDS_OK},
    };
    check(cases, ARRAY_SIZE(cases));
}

/* A container that one owns as a whole and another by its parts is not the same field. */
static void leaf_and_container_are_two(void **state)
{
    (void)state;
    static const struct beside_case cases[] = {
        {"{\"f:a\":{}}", {"{\"f:a\":{\"f:b\":{}}}"}, " .a", FIELDS_OK},
        {"{\"f:a\":{\"f:b\":{}}}", {"{\"f:a\":{}}"}, " .a.b", FIELDS_OK},
    };
    check(cases, ARRAY_SIZE(cases));
}

/* Update entries have memberships where Apply entries have none; they are passed over on both sides. */
static void memberships_are_passed_over(void **state)
{
    (void)state;
    static const struct beside_case cases[] = {
        {"{\"f:a\":{\".\":{},\"f:b\":{}}}", {"{\"f:a\":{\"f:b\":{}}}"}, " .a.b#0", FIELDS_OK},
        {"{\"f:a\":{\"f:b\":{},\"f:c\":{}}}",
         {"{\"f:a\":{\"f:b\":{},\".\":{},\"f:c\":{}}}"},
         " .a.b#0 .a.c#0",
         FIELDS_OK},
        {"{\"f:a\":{\".\":{}}}", {"{\"f:a\":{}}"}, " .a#0", FIELDS_OK},
    };
    check(cases, ARRAY_SIZE(cases));
}

/* Neither the order of children nor the way keys are written makes two fields of one. */
static void order_and_spelling_do_not_matter(void **state)
{
    (void)state;
    static const struct beside_case cases[] = {
        {"{\"f:a\":{},\"f:b\":{},\"f:c\":{}}",
         {"{\"f:c\":{},\"f:b\":{},\"f:a\":{}}", "{\"f:a\":{},\"f:c\":{}}"},
         " .a#0#1 .b#0 .c#0#1",
         FIELDS_OK},
        {"{\"f:l\":{\"k:{\\\"n\\\":1,\\\"m\\\":\\\"x\\\"}\":{\"f:v\":{}}}}",
         {"{\"f:l\":{\"k:{ \\\"m\\\": \\\"x\\\", \\\"n\\\": 1.0 }\":{\"f:v\":{}}}}"},
         " .l[m=\"x\",n=1].v#0",
         FIELDS_OK},
    };
    check(cases, ARRAY_SIZE(cases));
}

/* Keys that no API server writes are skipped and named, and unknown kinds of elements are skipped.
 */
static void malformed_sets_are_reported(void **state)
{
    (void)state;
    static const struct beside_case cases[] = {
        {"{\"f:a\":{},\"\":{},\"f:b\":{}}", {NULL}, " .a .b", FIELDS_MALFORMED},
        {"{\"f:a\":{\"k:1\":{},\"f:b\":{}}}", {NULL}, " .a.b", FIELDS_MALFORMED},
        {"{\"f:a\":[]}", {NULL}, " .a", FIELDS_OK},
        {"{\"k:1\":{}}", {NULL}, "", FIELDS_MALFORMED},
        {"{\"x:1\":{},\"f:a\":{}}", {"{\"f:a\":{}}"}, " .a#0", FIELDS_OK},
        {"{\"f:a\":{},\"f:a\":{}}", {"{\"f:b\":{},\"f:a\":{}}"}, " .a#0", FIELDS_MALFORMED},
        {"{\"f:a\":{\"f:b\":{}}}", {"{\"f:a\":7}", "[]"}, " .a.b", FIELDS_OK},
    };
    check(cases, ARRAY_SIZE(cases));
}

/* A visitor that has seen enough of a branch, or of all, is not shown more. */
static void visitor_steers_the_walk(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *fields =
        parse_json(arena, SLICE("{\"f:a\":{\"f:b\":{}},\"f:c\":{\"f:d\":{}},\"f:e\":{},\"f:g\":{}}"));
    struct walked walked = {.text = text_start(arena, 64), .pass = "a", .stop = "g"};
    assert_int_equal(
        fieldset_overlap_walk(fields, NULL, 0, lookup_create(arena), note, &walked), FIELDS_STOPPED);
    assert_text(text_slice(&walked.text), " .c.d .e");
    arena_destroy(arena);
}

/* As deep as is walked, and no deeper. */
static void depth_is_bounded(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text json = text_start(arena, 4096);
    for (unsigned i = 0; i <= JSON_DEPTH_MAX; i++)
        text_append_string(&json, "{\"f:a\":");
    text_append_string(&json, "{}");
    for (unsigned i = 0; i <= JSON_DEPTH_MAX; i++)
        text_append_string(&json, "}");
    struct walked walked = {.text = text_start(arena, 64), .count = 1};
    yyjson_val *fields = parse_json(arena, text_slice(&json));
    assert_int_equal(
        fieldset_overlap_walk(fields, &fields, 1, lookup_create(arena), note, &walked), FIELDS_TOO_DEEP);
    assert_int_equal(walked.text.length, 0);
    arena_destroy(arena);
}

#define ITEMS 2000

/* Items of a list, from the last to the first or the other way round. */
static yyjson_val *many_items(struct arena *arena, bool reversed)
{
    struct text json = text_start(arena, 64);
    text_append_string(&json, "{\"f:l\":{\"f:x\":{}");
    for (unsigned i = 0; i < ITEMS; i++) {
        text_append_string(&json, ",\"k:{\\\"n\\\":");
        text_append_number(&json, reversed ? ITEMS - i : i + 1);
        text_append_string(&json, "}\":{}");
    }
    text_append_string(&json, "}}");
    return parse_json(arena, text_slice(&json));
}

static enum walk_action count_shared(void *context, const struct overlap_node *node)
{
    *(size_t *)context += fields_is_leaf(node->fields) && node->shared;
    return WALK_DESCEND;
}

/* If memory runs out in any allocation, the walk says so. */
static void no_memory_is_reported(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *fields = many_items(arena, false), *other = many_items(arena, true);
    bool failed = true;
    size_t call = 0;
    while (failed) {
        struct arena *small = arena_create();
        size_t shared = 0;
        counted.calls = 0;
        counted.fail_call = ++call;
        enum fields_result result =
            fieldset_overlap_walk(fields, &other, 1, lookup_create(small), count_shared, &shared);
        counted.fail_call = 0;
        failed = counted.calls >= call;
        assert_true(failed ? arena_has_failed(small) : result == FIELDS_OK && shared == ITEMS + 1);
        arena_destroy(small);
    }
    assert_true(call > 1);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_who_else_owns_a_leaf),
        cmocka_unit_test(leaf_and_container_are_two),
        cmocka_unit_test(memberships_are_passed_over),
        cmocka_unit_test(order_and_spelling_do_not_matter),
        cmocka_unit_test(malformed_sets_are_reported),
        cmocka_unit_test(visitor_steers_the_walk),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(no_memory_is_reported),
    };
    return cmocka_run_group_tests_name("fields beside", tests, NULL, NULL);
}
