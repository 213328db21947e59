/* A server-side apply: who loses what, what stays, what many owners cost, and that memory may run out at any
 * point. */
#include "apply/merge/server_side.h"

#include "base/json.h"

#include "tests/unit/counted_arena.h"
#include "tests/unit/parse.h"

struct story {
    const char *live;
    const char *configuration;
    const char *owners[3]; /* FieldsV1; the first one applies */
    const char *merged;
    const char *given_up; /* as FieldsV1, also below */
    const char *kept;
    const char *conflicts; /* of the second owner */
    const char *remaining; /* likewise */
};

#define OBJECT(data) "{\"apiVersion\":\"v1\",\"data\":{" data "},\"kind\":\"ConfigMap\"}"

static const struct story stories[] = {
    /* Fields that only the applier owned are removed. */
    {OBJECT("\"a\":\"1\",\"b\":\"2\""),
     OBJECT("\"a\":\"1\""),
     {"{\"f:data\":{\"f:a\":{},\"f:b\":{}}}", "{}"},
     OBJECT("\"a\":\"1\""),
     "{\"f:data\":{\"f:b\":{}}}",
     "{}",
     "{}",
     "{}"},
    /* Fields that another manager owns as well stay. */
    {OBJECT("\"a\":\"1\",\"b\":\"2\""),
     OBJECT("\"a\":\"1\""),
     {"{\"f:data\":{\"f:a\":{},\"f:b\":{}}}", "{\"f:data\":{\"f:b\":{}}}"},
     OBJECT("\"a\":\"1\",\"b\":\"2\""),
     "{\"f:data\":{\"f:b\":{}}}",
     "{\"f:data\":{\"f:b\":{}}}",
     "{}",
     "{\"f:data\":{\"f:b\":{}}}"},
    /* Another value conflicts; the same one is shared. */
    {OBJECT("\"a\":\"1\",\"b\":\"2\""),
     OBJECT("\"a\":\"3\",\"b\":\"2\""),
     {"{}", "{\"f:data\":{\"f:a\":{},\"f:b\":{}}}"},
     OBJECT("\"a\":\"3\",\"b\":\"2\""),
     "{}",
     "{}",
     "{\"f:data\":{\"f:a\":{}}}",
     "{\"f:data\":{\"f:b\":{}}}"},
    /* One of several equal items is left: it is another value. */
    {"{\"metadata\":{\"finalizers\":[\"a\",\"a\"]}}",
     "{\"metadata\":{\"finalizers\":[\"a\"]}}",
     {"{}", "{\"f:metadata\":{\"f:finalizers\":{\"v:\\\"a\\\"\":{}}}}"},
     "{\"metadata\":{\"finalizers\":[\"a\"]}}",
     "{}",
     "{}",
     "{\"f:metadata\":{\"f:finalizers\":{\"v:\\\"a\\\"\":{}}}}",
     "{}"},
    /* Fields without an owner stay. */
    {OBJECT("\"a\":\"1\",\"n\":\"0\""),
     OBJECT("\"b\":\"2\""),
     {"{\"f:data\":{\"f:a\":{}}}", "{}"},
     OBJECT("\"b\":\"2\",\"n\":\"0\""),
     "{\"f:data\":{\"f:a\":{}}}",
     "{}",
     "{}",
     "{}"},
};

static struct slice printed(const struct field_set *set, struct arena *arena)
{
    struct json_build build = json_build_start(arena, 0, 0);
    field_set_build(&build, set);
    return json_write(json_build_finish(&build), arena);
}

/* -1 if memory runs out. */
static int tell(const struct story *story, struct arena *arena, struct server_side_result *result)
{
    const struct field_set *owners[2];
    struct error error = {0};
    struct server_side_apply apply = {.owners = owners, .owner_count = 2};
    assert_true(schema_find_builtin(SLICE("v1"), SLICE("ConfigMap"), &apply.type));
    yyjson_doc *documents[4];
    const char *texts[] = {story->live, story->configuration, story->owners[0], story->owners[1]};
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        documents[i] = json_read(slice_of(texts[i]), YYJSON_READ_NOFLAG, arena, NULL);
        if (!documents[i])
            return -1;
    }
    apply.live = value_read(yyjson_doc_get_root(documents[0]), arena, &error);
    apply.configuration = value_read(yyjson_doc_get_root(documents[1]), arena, &error);
    for (size_t i = 0; i < 2; i++)
        if (field_set_read(yyjson_doc_get_root(documents[2 + i]), arena, &owners[i], &error) < 0)
            return -1;
    return apply.live && apply.configuration ? server_side_apply(&apply, arena, result, &error) : -1;
}

static void check_result(
    const struct story *story, const struct server_side_result *result, struct arena *arena)
{
    struct text merged = text_start(arena, 128);
    value_append_json(&merged, result->merged);
    assert_text(text_slice(&merged), story->merged);
    assert_text(printed(result->given_up, arena), story->given_up);
    assert_text(printed(result->kept, arena), story->kept);
    assert_text(printed(result->conflicts[1], arena), story->conflicts);
    assert_text(printed(result->remaining[1], arena), story->remaining);
    assert_true(field_set_is_empty(result->conflicts[0]));
    assert_int_equal(result->has_conflicts, !field_set_is_empty(result->conflicts[1]));
}

static void each_loses_what_it_must(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(stories); i++) {
        struct arena *arena = arena_create();
        struct server_side_result result;
        assert_int_equal(tell(&stories[i], arena, &result), 0);
        check_result(&stories[i], &result, arena);
        arena_destroy(arena);
    }
}

#define SET "{\"type\":\"array\",\"x-kubernetes-list-type\":\"set\",\"items\":{}}"
#define KEYED                                                                                                \
    "{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"k\",\"l\"],"   \
    "\"items\":{\"type\":\"object\",\"properties\":{\"k\":{\"type\":\"string\"},\"l\":{\"type\":\"string\"}" \
    "}}}"

#define IN_MAPS(schema)                                                                                      \
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\",\"properties\":{\"b\":" schema "}}}}"

/* As the API server does. */
static void items_that_cannot_be_told_apart_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *schema, *configuration, *reason; /* NULL: it is applied */
    } rows[] = {
        {SET, "[\"a\",\"b\"]", NULL},
        {SET, "[\"a\",\"b\",\"a\"]", "a list has the same item twice"},
        {SET, "[{}]", "an item of a set is not a scalar"},
        {KEYED, "[{\"k\":\"a\"},{\"l\":\"a\"}]", NULL},
        {KEYED, "[{\"a\":\"a\"}]", "an item of a list has none of the list's key fields"},
        {KEYED, "[\"a\"]", "an item of a list with keys is not a map"},
        {KEYED, "[{\"k\":\"a\",\"l\":\"b\"},{\"l\":\"b\",\"k\":\"a\"}]", "a list has the same item twice"},
        /* Also in what the live object has nothing of. */
        {IN_MAPS(SET), "{\"a\":{\"b\":[\"a\",\"a\"]}}", "a list has the same item twice"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct arena *arena = arena_create();
        struct server_side_result result;
        struct error error = {0};
        struct server_side_apply apply = {
            .live = value_read(parse_json(arena, SLICE("[]")), arena, NULL),
            .configuration = value_read(parse_json(arena, slice_of(rows[i].configuration)), arena, NULL),
        };
        yyjson_val *schema = parse_json(arena, slice_of(rows[i].schema));
        assert_int_equal(schema_read_openapi(schema, arena, &apply.type, NULL), 0);
        int status = server_side_apply(&apply, arena, &result, &error);
        if (status != (rows[i].reason ? -1 : 0))
            fail_msg("%s: %s", rows[i].configuration, status ? error.message : "it is not refused");
        if (rows[i].reason)
            assert_string_equal(error.message, rows[i].reason);
        arena_destroy(arena);
    }
}

static void numbers_are_printed_as_the_api_server_does(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"[1,-1,0]", "[1,-1,0]"}, {"[1.0,-2.0,1e3]", "[1,-2,1000]"}, {"[1.5,1e300]", "[1.5,1e300]"}};
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct arena *arena = arena_create();
        struct text text = text_start(arena, 64);
        value_append_json(&text, value_read(parse_json(arena, slice_of(rows[i][0])), arena, NULL));
        assert_text(text_slice(&text), rows[i][1]);
        arena_destroy(arena);
    }
}

static void values_have_a_depth(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct error error = {0};
    static const char *const begins[] = {"[", "{\"a\":"}, *const ends[] = {"]", "}"};
    for (unsigned round = 0; round < 8; round++) {
        const unsigned levels = JSON_DEPTH_MAX - 1 + round / 2;
        struct text text = text_start(arena, 1024);
        for (unsigned i = 0; i < levels - 1; i++)
            text_append_string(&text, begins[round % 2]);
        text_append_string(&text, "[]");
        for (unsigned i = 0; i < levels - 1; i++)
            text_append_string(&text, ends[round % 2]);
        error = (struct error){0};
        bool is_read = value_read(parse_json(arena, text_slice(&text)), arena, &error) != NULL;
        assert_int_equal(is_read, levels <= JSON_DEPTH_MAX + 1);
        assert_int_equal(is_read, error.message[0] == '\0');
    }
    arena_destroy(arena);
}

static void without_memory_it_says_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(stories); i++) {
        bool has_failed = true;
        for (size_t call = 1; has_failed; call++) {
            counted.calls = 0;
            counted.fail_call = call;
            struct arena *arena = arena_create();
            struct server_side_result result;
            int status = arena ? tell(&stories[i], arena, &result) : -1;
            has_failed = counted.calls >= call;
            assert_int_equal(status, has_failed ? -1 : 0);
            counted.fail_call = 0;
            arena_destroy(arena);
            assert_int_equal(counted.live_blocks, 0);
        }
    }
}

#define MANY 2000

/* A ConfigMap with many keys, all of this value. */
static const struct value *many_keys(const char *value, struct arena *arena)
{
    struct text text = text_start(arena, MANY * 16);
    text_append_string(&text, "{\"data\":{");
    for (int i = 0; i < MANY; i++) {
        char member[32];
        snprintf(member, sizeof(member), "%s\"k%d\":\"%s\"", i ? "," : "", i, value);
        text_append_string(&text, member);
    }
    text_append_string(&text, "}}");
    yyjson_doc *document = json_read(text_slice(&text), YYJSON_READ_NOFLAG, arena, NULL);
    assert_non_null(document);
    return value_read(yyjson_doc_get_root(document), arena, NULL);
}

static const struct field_set *owner_of_key(int key, struct arena *arena)
{
    char fields[48];
    const struct field_set *set = NULL;
    snprintf(fields, sizeof(fields), "{\"f:data\":{\"f:k%d\":{}}}", key);
    yyjson_doc *document = json_read(slice_of(fields), YYJSON_READ_NOFLAG, arena, NULL);
    assert_non_null(document);
    assert_int_equal(field_set_read(yyjson_doc_get_root(document), arena, &set, NULL), 0);
    return set;
}

/* Each of many owners has one field, and an apply changes all fields: what it takes grows with the owners and
 * not with their square, which would be some hundred MiB here. */
static void many_owners_take_little_memory(void **state)
{
    (void)state;
    static const struct field_set *owners[MANY];
    struct arena *arena = arena_create();
    struct server_side_result result;
    struct server_side_apply apply = {.owners = owners, .owner_count = MANY};
    assert_true(schema_find_builtin(SLICE("v1"), SLICE("ConfigMap"), &apply.type));
    arena_limit(arena, (size_t)32 * 1024 * 1024);
    for (int i = 0; i < MANY; i++)
        owners[i] = owner_of_key(i, arena);
    apply.live = many_keys("old", arena);
    apply.configuration = many_keys("new", arena);
    assert_int_equal(server_side_apply(&apply, arena, &result, NULL), 0);
    for (size_t i = 1; i < MANY; i++) {
        assert_false(field_set_is_empty(result.conflicts[i]));
        assert_true(field_set_is_empty(result.remaining[i]));
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_loses_what_it_must),
        cmocka_unit_test(items_that_cannot_be_told_apart_are_refused),
        cmocka_unit_test(numbers_are_printed_as_the_api_server_does),
        cmocka_unit_test(values_have_a_depth),
        cmocka_unit_test(many_owners_take_little_memory),
        cmocka_unit_test(without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
