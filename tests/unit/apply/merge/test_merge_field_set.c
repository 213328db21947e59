/* Sets of fields: what is read of FieldsV1, what is refused, and in which order members are visited. */
#include "apply/merge/field_set.h"

#include "base/json.h"
#include "tests/unit/parse.h"

static int read_set(
    const char *fields, struct arena *arena, const struct field_set **set, struct error *error)
{
    return field_set_read(parse_json(arena, slice_of(fields)), arena, set, error);
}

static void assert_reads(const char *fields, const char *expected)
{
    struct arena *arena = arena_create();
    const struct field_set *set = NULL;
    struct error error = {0};
    struct json_build build = json_build_start(arena, 0, 0);
    if (read_set(fields, arena, &set, &error) < 0)
        fail_msg("%s: %s", fields, error.message);
    field_set_build(&build, set);
    struct slice got = json_write(json_build_finish(&build), arena);
    if (!slice_equal(got, slice_of(expected)))
        fail_msg("%.*s is not %s", (int)got.length, got.bytes, expected);
    arena_destroy(arena);
}

static void assert_refused(const char *fields, const char *reason)
{
    struct arena *arena = arena_create();
    const struct field_set *set = NULL;
    struct error error = {0};
    assert_int_equal(read_set(fields, arena, &set, &error), -1);
    assert_string_equal(error.message, reason);
    arena_destroy(arena);
}

static void elements_are_read_in_one_form(void **state)
{
    (void)state;
    assert_reads("{}", "{}");
    assert_reads("{\"f:b\":{},\"f:a\":{\".\":{},\"f:c\":{}}}", "{\"f:a\":{\".\":{},\"f:c\":{}},\"f:b\":{}}");
    assert_reads("{\"k:{\\\"b\\\":1,\\\"a\\\":2}\":{}}", "{\"k:{\\\"a\\\":2,\\\"b\\\":1}\":{}}");
    assert_reads("{\"x:new\":{\"f:a\":{}},\"f:a\":{}}", "{\"f:a\":{}}");
}

static void sets_have_a_depth(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (unsigned levels = JSON_DEPTH_MAX; levels <= JSON_DEPTH_MAX + 1; levels++) {
        struct text text = text_start(arena, 0);
        for (unsigned i = 0; i < levels; i++)
            text_append_string(&text, "{\"f:a\":");
        text_append_string(&text, "{}");
        for (unsigned i = 0; i < levels; i++)
            text_append_string(&text, "}");
        const struct field_set *set = NULL;
        struct error error = {0};
        int status = field_set_read(parse_json(arena, text_slice(&text)), arena, &set, &error);
        assert_int_equal(status, levels > JSON_DEPTH_MAX ? -1 : 0);
    }
    arena_destroy(arena);
}

static void what_is_no_set(void **state)
{
    (void)state;
    assert_refused("{\"k:{\":{}}", "a path element is malformed");
    assert_refused("{\"f:a\":{\"v:[\":{}}}", "a path element is malformed");
    assert_refused("{\"f:a\":{},\"f:b\":{},\"f:a\":{}}", "a path element is repeated");
}

struct visited {
    struct arena *arena;
    char names[256];
};

static void note(void *context, const struct path *path)
{
    struct visited *visited = context;
    assert_int_equal(path->depth, path->parent ? path->parent->depth + 1 : 1);
    struct text text = text_start(visited->arena, 64);
    path_append(&text, path);
    struct slice name = text_slice(&text);
    size_t length = strlen(visited->names);
    snprintf(visited->names + length, sizeof(visited->names) - length, " %.*s", (int)name.length, name.bytes);
}

static void containers_are_visited_before_what_is_in_them(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct visited visited = {.arena = arena};
    const struct field_set *set = NULL;
    assert_int_equal(
        read_set(
            "{\"f:b\":{\"k:{\\\"name\\\":\\\"x\\\"}\":{\".\":{},\"f:c\":{}}},\"f:a\":{\".\":{}}}", arena,
            &set, NULL),
        0);
    field_set_walk(set, arena, note, &visited);
    assert_string_equal(visited.names, " .a .b[name=\"x\"] .b[name=\"x\"].c");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_read_in_one_form),
        cmocka_unit_test(sets_have_a_depth),
        cmocka_unit_test(what_is_no_set),
        cmocka_unit_test(containers_are_visited_before_what_is_in_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
