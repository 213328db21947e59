/* The manifest of a manager, by the fields that it owns: nothing more, and nothing less. */
#include "apply/merge/typed.h"
#include "base/array_size.h"
#include "base/json.h"

#include "tests/unit/parse.h"

struct story {
    const char *live;
    const char *fields; /* FieldsV1 */
    const char *extracted;
};

#define POD(spec) "{\"spec\":{\"template\":{\"spec\":" spec "}}}"
#define F_POD(spec) "{\"f:spec\":{\"f:template\":{\"f:spec\":" spec "}}}"

static const struct story stories[] = {
    {"{\"spec\":{\"paused\":true,\"replicas\":2}}", "{\"f:spec\":{\"f:replicas\":{}}}",
     "{\"spec\":{\"replicas\":2}}"},
    /* Fields that the object does not have are not in the manifest. */
    {"{\"spec\":{\"replicas\":2}}", "{\"f:spec\":{\"f:paused\":{}}}", "{}"},
    {"{\"spec\":{\"replicas\":2}}", "{}", "{}"},
    /* An atomic list or map is one value. */
    {"{\"spec\":{\"selector\":{\"matchLabels\":{\"a\":\"b\"}}}}", "{\"f:spec\":{\"f:selector\":{}}}",
     "{\"spec\":{\"selector\":{\"matchLabels\":{\"a\":\"b\"}}}}"},
    /* Containers that are declared empty, and containers that others have emptied. */
    {POD("{\"securityContext\":{}}"), F_POD("{\"f:securityContext\":{}}"), POD("{\"securityContext\":{}}")},
    {POD("{\"resources\":{\"limits\":{\"cpu\":\"1\"}}}"), F_POD("{\"f:resources\":{}}"),
     POD("{\"resources\":{}}")},
    {POD("{\"nodeSelector\":{\"a\":\"b\"}}"), F_POD("{\"f:securityContext\":{\"f:runAsUser\":{}}}"), "{}"},
    /* The API server leaves out the empty list that is declared within. */
    {POD("{\"dnsConfig\":{}}"), F_POD("{\"f:dnsConfig\":{\"f:nameservers\":{}}}"), POD("{\"dnsConfig\":{}}")},
    /* Items are found by their keys; a key that was left to its default stays left out. */
    {POD("{\"containers\":[{\"image\":\"i\",\"name\":\"side\"},{\"image\":\"i\",\"name\":\"web\"}]}"),
     F_POD("{\"f:containers\":{\"k:{\\\"name\\\":\\\"web\\\"}\":{\".\":{},\"f:name\":{}}}}"),
     POD("{\"containers\":[{\"name\":\"web\"}]}")},
    {POD("{\"containers\":[{\"name\":\"web\",\"ports\":[{\"containerPort\":80,\"protocol\":\"TCP\"}]}]}"),
     F_POD("{\"f:containers\":{\"k:{\\\"name\\\":\\\"web\\\"}\":{\".\":{},\"f:name\":{},\"f:ports\":{"
           "\"k:{\\\"containerPort\\\":80,\\\"protocol\\\":\\\"TCP\\\"}\":{\".\":{},\"f:containerPort\":{}}}}"
           "}}"),
     POD("{\"containers\":[{\"name\":\"web\",\"ports\":[{\"containerPort\":80}]}]}")},
    /* Others removed the item and made it again; what was declared empty and never stored is still owned. */
    {POD("{\"containers\":[{\"image\":\"i\",\"name\":\"web\",\"securityContext\":{}}]}"),
     F_POD("{\"f:containers\":{\"k:{\\\"name\\\":\\\"web\\\"}\":{\"f:securityContext\":{\"f:capabilities\":{}"
           "}}}}"),
     POD("{\"containers\":[{\"name\":\"web\",\"securityContext\":{}}]}")},
    /* Items of a set are their own keys. */
    {"{\"metadata\":{\"finalizers\":[\"a/a\",\"b/b\"]}}",
     "{\"f:metadata\":{\"f:finalizers\":{\"v:\\\"b/b\\\"\":{}}}}",
     "{\"metadata\":{\"finalizers\":[\"b/b\"]}}"},
    /* A map stands where a scalar belongs: it is one value. */
    {"{\"spec\":{\"replicas\":{\"a\":1}}}", "{\"f:spec\":{\"f:replicas\":{}}}",
     "{\"spec\":{\"replicas\":{\"a\":1}}}"},
    /* A scalar stands where the owner had a map. */
    {"{\"spec\":7}", "{\"f:spec\":{\"f:replicas\":{}}}", "{\"spec\":7}"},
};

static void it_is_what_the_manager_owns(void **state)
{
    (void)state;
    struct schema_ref type;
    assert_true(schema_find_builtin(SLICE("apps/v1"), SLICE("Deployment"), &type));
    for (size_t i = 0; i < ARRAY_SIZE(stories); i++) {
        struct arena *arena = arena_create();
        struct error error = {0};
        const struct field_set *fields;
        const struct value *live = value_read(parse_json(arena, slice_of(stories[i].live)), arena, &error);
        assert_int_equal(
            field_set_read(parse_json(arena, slice_of(stories[i].fields)), arena, &fields, &error), 0);
        struct text text = text_start(arena, 256);
        value_append_json(&text, typed_extract(type, live, fields, arena));
        assert_text(text_slice(&text), stories[i].extracted);
        arena_destroy(arena);
    }
}

/* The value of one story and the set of another. */
static void assert_fields_in_set(struct schema_ref type, const struct story *one, const struct story *other)
{
    struct arena *arena = arena_create();
    struct error error = {0};
    const struct field_set *set;
    const struct value *value = value_read(parse_json(arena, slice_of(one->live)), arena, &error);
    assert_int_equal(field_set_read(parse_json(arena, slice_of(other->fields)), arena, &set, &error), 0);
    const struct field_set *all = typed_fields(type, value, arena);
    if (!field_set_equal(
            typed_fields_in(type, value, set, arena), field_set_intersection(set, all, arena), arena))
        fail_msg("%s of %s", other->fields, one->live);
    arena_destroy(arena);
}

static void the_fields_in_a_set_are_those_of_all(void **state)
{
    (void)state;
    struct schema_ref type;
    assert_true(schema_find_builtin(SLICE("apps/v1"), SLICE("Deployment"), &type));
    for (size_t i = 0; i < ARRAY_SIZE(stories) * ARRAY_SIZE(stories); i++)
        assert_fields_in_set(type, &stories[i / ARRAY_SIZE(stories)], &stories[i % ARRAY_SIZE(stories)]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_what_the_manager_owns),
        cmocka_unit_test(the_fields_in_a_set_are_those_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
