/* The schema of a custom resource: what of its OpenAPI schema is taken, and what is refused. */
#include "apply/merge/schema.h"

#include "base/json.h"
#include "base/text.h"
#include "tests/torture/each_allocation.h"
#include "tests/unit/parse.h"

static yyjson_val *read_text(struct slice text, struct arena *arena)
{
    return yyjson_doc_get_root(json_read(text, YYJSON_READ_NOFLAG, arena, NULL));
}

static void assert_refused(struct slice openapi, const char *reason)
{
    struct arena *arena = arena_create();
    struct schema_ref root;
    struct error error = {0};
    assert_int_equal(schema_read_openapi(read_text(openapi, arena), arena, &root, &error), -1);
    assert_string_equal(error.message, reason);
    arena_destroy(arena);
}

static void fields_are_found_by_name(void **state)
{
    (void)state;
    static const char openapi[] =
        "{\"type\":\"object\",\"properties\":{\"e\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"},"
        "\"a\":{\"type\":\"string\"},\"d\":{\"type\":\"string\"},\"c\":{\"type\":\"string\"}}}";
    static const char *const names[] = {"a", "b", "c", "d", "e", "metadata"},
                             *const others[] = {"", "A", "aa", "z"};
    struct arena *arena = arena_create();
    struct schema_ref root;
    assert_int_equal(schema_read_openapi(read_text(slice_of(openapi), arena), arena, &root, NULL), 0);
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct schema_field *field = schema_field_of(root, slice_of(names[i]));
        assert_non_null(field);
        assert_true(slice_equal(schema_name_of(root.schema, field->name), slice_of(names[i])));
    }
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        assert_null(schema_field_of(root, slice_of(others[i])));
    arena_destroy(arena);
}

/* Of either kind, and nothing but a scalar. */
static void an_int_or_string_is_a_scalar(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct schema_ref root;
    yyjson_val *openapi = parse_json(
        arena,
        SLICE("{\"type\":\"object\",\"properties\":{\"a\":{\"x-kubernetes-int-or-string\":true},"
              "\"b\":{\"anyOf\":[{\"type\":\"integer\"}],\"x-kubernetes-int-or-string\":false}}}"));
    assert_int_equal(schema_read_openapi(openapi, arena, &root, NULL), 0);
    const struct schema_type *either = schema_type_of(schema_member(root, SLICE("a")));
    assert_int_equal(either->kinds, SCHEMA_SCALAR);
    assert_int_equal(either->scalars, SCHEMA_ANY_SCALAR);
    assert_int_not_equal(schema_type_of(schema_member(root, SLICE("b")))->kinds, SCHEMA_SCALAR);
    arena_destroy(arena);
}

/* Whatever a definition says, its objects have the API server's metadata. */
static void every_root_has_metadata(void **state)
{
    (void)state;
    static const char *const roots[] = {
        "{\"type\":\"object\"}",
        "{\"type\":\"object\",\"properties\":{\"metadata\":{\"type\":\"string\"}}}",
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\"}}}",
    };
    for (size_t i = 0; i < ARRAY_SIZE(roots); i++) {
        struct arena *arena = arena_create();
        struct schema_ref root;
        assert_int_equal(schema_read_openapi(read_text(slice_of(roots[i]), arena), arena, &root, NULL), 0);
        struct schema_ref metadata = schema_member(root, SLICE("metadata"));
        assert_int_equal(schema_type_of(schema_member(metadata, SLICE("finalizers")))->kinds, SCHEMA_LIST);
        assert_int_equal(schema_type_of(schema_member(metadata, SLICE("finalizers")))->is_atomic, 0);
        assert_null(schema_field_of(schema_member(root, SLICE("a")), SLICE("metadata")));
        arena_destroy(arena);
    }
}

/* A key that is left out has its default's value, if that is one: null and maps do not distinguish items. */
static void defaults_are_json(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct schema_ref root;
    yyjson_val *openapi = parse_json(
        arena,
        SLICE("{\"type\":\"object\",\"properties\":{\"a\":{\"default\":null},\"b\":{\"default\":{}},"
              "\"c\":{\"default\":[]},\"d\":{\"default\":\"x\"},\"e\":{\"default\":0},\"f\":{}}}"));
    assert_int_equal(schema_read_openapi(openapi, arena, &root, NULL), 0);
    static const char *const presets[] = {NULL, "{}", "[]", "\"x\"", "0", NULL};
    for (size_t i = 0; i < ARRAY_SIZE(presets); i++) {
        const char name[] = {(char)('a' + i)};
        const struct schema_field *field = schema_field_of(root, (struct slice){name, 1});
        assert_non_null(field);
        if (presets[i])
            assert_text(schema_name_of(root.schema, field->preset), presets[i]);
        else
            assert_int_equal(field->preset, 0);
    }
    arena_destroy(arena);
}

static void what_cannot_be_a_schema(void **state)
{
    (void)state;
    assert_refused(SLICE("[]"), "the schema is not an object");
    assert_refused(
        SLICE("{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{},\"a\":{}}}"),
        "the schema has two properties of one name");
    assert_refused(
        SLICE("{\"type\":\"object\",\"properties\":{\"z\":{},\"a\":{},\"z\":{}}}"),
        "the schema has two properties of one name");
}

/* A list whose items are told apart by so many keys, or a schema of so many levels. */
static struct slice list_with_keys(size_t count, struct arena *arena)
{
    struct text text = text_start(arena, 512);
    text_append_string(
        &text, "{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[");
    for (size_t i = 0; i < count; i++) {
        text_append_string(&text, i ? ",\"k" : "\"k");
        text_append_number(&text, i);
        text_append_string(&text, "\"");
    }
    text_append_string(&text, "],\"items\":{\"type\":\"object\"}}");
    return text_slice(&text);
}

static struct slice nested(size_t levels, struct arena *arena)
{
    struct text text = text_start(arena, 512);
    for (size_t i = 1; i < levels; i++)
        text_append_string(&text, "{\"type\":\"array\",\"items\":");
    text_append_string(&text, "{\"type\":\"string\"}");
    for (size_t i = 1; i < levels; i++)
        text_append_string(&text, "}");
    return text_slice(&text);
}

static void bounds(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct schema_ref root;
    assert_int_equal(schema_read_openapi(read_text(list_with_keys(16, arena), arena), arena, &root, NULL), 0);
    assert_int_equal(schema_type_of(root)->key_count, 16);
    assert_refused(list_with_keys(17, arena), "a list in the schema has too many keys");
    assert_int_equal(
        schema_read_openapi(read_text(nested(JSON_DEPTH_MAX / 2, arena), arena), arena, &root, NULL), 0);
    arena_destroy(arena);
}

static const char openapi_text[] =
    "{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":{\"ports\":{\"type\":"
    "\"array\","
    "\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"port\",\"protocol\"],\"items\":{"
    "\"type\":\"object\",\"properties\":{\"port\":{\"type\":\"integer\"},\"protocol\":{\"type\":\"string\","
    "\"default\":\"TCP\"}}}}}}}}";

static bool read_again(void *data, size_t number)
{
    struct arena *arena = arena_create();
    struct schema_ref root;
    struct error error = {0};
    yyjson_doc *document = arena ? json_read(slice_of(openapi_text), YYJSON_READ_NOFLAG, arena, NULL) : NULL;
    int status = document ? schema_read_openapi(yyjson_doc_get_root(document), arena, &root, &error) : -1;
    (void)data;
    stop_failing();
    if (status == 0) {
        struct schema_ref ports = schema_member(schema_member(root, SLICE("spec")), SLICE("ports"));
        const struct schema_field *protocol = schema_field_of(schema_item(ports), SLICE("protocol"));
        if (schema_type_of(ports)->key_count != 2 || !protocol ||
            !slice_equal(schema_name_of(root.schema, protocol->preset), SLICE("\"TCP\"")))
            fail_msg("allocation %zu fails, and a part of the schema is missing", number);
    } else if (document) {
        assert_string_equal(error.message, "out of memory");
    }
    if (arena)
        arena_destroy(arena);
    return status == 0;
}

static void it_is_whole_or_there_is_no_memory(void **state)
{
    (void)state;
    fail_each_allocation(read_again, NULL, SIZE_MAX);
    assert_true(fault_points > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_found_by_name),
        cmocka_unit_test(an_int_or_string_is_a_scalar),
        cmocka_unit_test(every_root_has_metadata),
        cmocka_unit_test(defaults_are_json),
        cmocka_unit_test(bounds),
        cmocka_unit_test(what_cannot_be_a_schema),
        cmocka_unit_test(bounds),
        cmocka_unit_test(it_is_whole_or_there_is_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
