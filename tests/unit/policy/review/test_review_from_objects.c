/* A review that is made from objects is the one that their AdmissionReview is decoded as. */
#include "policy/review/review_from_objects.h"

#include "base/json.h"
#include "policy/review/ownership.h"
#include "policy/review/review_classify.h"
#include "policy/review/review_decode.h"
#include "policy/review/user_match.h"
#include "tests/unit/parse.h"

#define OLD                                                                                                  \
    "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\",\"annotations\":{"   \
    "\"kubectl.kubernetes.io/last-applied-configuration\":\"{\\\"kind\\\":\\\"Deployment\\\"}\"},"           \
    "\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",\"managedFields\":[{\"manager\":\"helm\","               \
    "\"operation\":\"Update\",\"apiVersion\":\"apps/v1\",\"time\":\"2026-01-01T00:00:00Z\","                 \
    "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{}}}}]},\"spec\":{\"replicas\":1}" \
    "}"
#define NEW                                                                                                  \
    "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\",\"managedFields\":[" \
    "{\"manager\":\"mine\",\"operation\":\"Apply\",\"apiVersion\":\"apps/v1\",\"time\":"                     \
    "\"2026-02-01T00:00:00Z\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{}}}}]}," \
    "\"spec\":{\"replicas\":2}}"
#define REQUEST                                                                                              \
    "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"some\","    \
    "\"kind\":{\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"},\"resource\":{\"group\":"      \
    "\"apps\",\"version\":\"v1\",\"resource\":\"deployments\"},\"namespace\":\"shop\",\"name\":\"web\","     \
    "\"operation\":\"UPDATE\",\"userInfo\":{\"username\":\"me\",\"groups\":[\"a\",\"b\"]},\"object\":" NEW   \
    ",\"oldObject\":" OLD ",\"dryRun\":true,\"options\":{\"fieldManager\":\"mine\"}}}"

static const struct slice groups[] = {SLICE_LITERAL("a"), SLICE_LITERAL("b")};
static const struct review_head head = {
    .uid = "some",
    .operation = OPERATION_UPDATE,
    .group = SLICE_LITERAL("apps"),
    .version = SLICE_LITERAL("v1"),
    .kind = SLICE_LITERAL("Deployment"),
    .resource = {SLICE_LITERAL("apps"), SLICE_LITERAL("v1"), SLICE_LITERAL("deployments")},
    .namespace = SLICE_LITERAL("shop"),
    .username = SLICE_LITERAL("me"),
    .groups = {groups, 2},
    .field_manager = SLICE_LITERAL("mine"),
    .dry_run = true,
};

static const struct review *make(
    const struct review_head *from, const char *old_object, const char *object, struct arena *arena)
{
    struct error error = {0};
    const struct review *review = review_from_objects(
        from, old_object ? parse_json(arena, slice_of(old_object)) : NULL,
        object ? parse_json(arena, slice_of(object)) : NULL, arena, &error);
    if (!review)
        fail_msg("%s", error.message);
    return review_classify(review, NULL);
}

static void assert_same(struct slice made, struct slice decoded)
{
    if (!slice_equal(made, decoded))
        fail_msg("%.*s is not %.*s", (int)made.length, made.bytes, (int)decoded.length, decoded.bytes);
}

static void assert_same_entries(const struct managed_fields *made, const struct managed_fields *decoded)
{
    assert_int_equal(made->count, decoded->count);
    for (size_t i = 0; i < made->count; i++) {
        assert_true(manager_equal(&made->entries[i].manager, &decoded->entries[i].manager));
        assert_true(json_identical(entry_fields(&made->entries[i]), entry_fields(&decoded->entries[i])));
    }
}

static void it_is_the_review_that_is_decoded(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct review *decoded = NULL;
    struct error error = {0};
    assert_int_equal(review_decode(SLICE(REQUEST), 0, arena, &decoded, &error), REVIEW_OK);
    decoded = review_classify(decoded, NULL);
    const struct review *made = make(&head, OLD, NEW, arena);
    assert_same(made->uid, decoded->uid);
    assert_same(made->api_version, decoded->api_version);
    assert_int_equal(made->operation, decoded->operation);
    assert_same(made->group_kind, decoded->group_kind);
    assert_same(made->version, decoded->version);
    assert_same(made->resource.name, decoded->resource.name);
    assert_same(made->namespace, decoded->namespace);
    assert_same(made->name, decoded->name);
    assert_same(made->username, decoded->username);
    assert_true(json_identical(made->groups, decoded->groups));
    assert_true(made->dry_run && made->deleting && decoded->deleting);
    assert_same(made->field_manager, decoded->field_manager);
    assert_true(json_identical(made->object, decoded->object));
    assert_true(json_identical(made->old_object, decoded->old_object));
    assert_same(made->last_applied.before, decoded->last_applied.before);
    assert_same_entries(&made->ownership.before, &decoded->ownership.before);
    assert_same_entries(&made->ownership.after, &decoded->ownership.after);
    assert_true(made->ownership.writer.known);
    assert_same(made->ownership.writer.manager.name, decoded->ownership.writer.manager.name);
    assert_int_equal(made->unjudged_count, 0);
    arena_destroy(arena);
}

static void members_that_are_not_known_are_empty(void **state)
{
    (void)state;
    const struct review_head least = {.uid = "some", .version = SLICE("v1"), .kind = SLICE("ConfigMap")};
    struct arena *arena = arena_create();
    const struct review *review = make(&least, NULL, "{\"metadata\":{\"name\":\"n\"}}", arena);
    assert_same(review->group_kind, SLICE("ConfigMap"));
    assert_same(review->name, SLICE("n"));
    assert_int_equal(review->namespace.length + review->username.length + review->field_manager.length, 0);
    assert_int_equal(yyjson_arr_size(review->groups), 0);
    assert_null(review->old_object);
    assert_false(group_matches(&(struct slice_list){groups, 2}, review));
    arena_destroy(arena);
}

static void a_missing_part_is_noted(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct review *review = make(&head, "[]", "{}", arena);
    assert_int_equal(review->unjudged_count, 3);
    assert_same(review->unjudged[0], SLICE("the request's oldObject is not an object"));
    assert_same(review->unjudged[1], SLICE("the request has no old object to compare with"));
    assert_same(review->unjudged[2], SLICE("the object's metadata is not an object"));
    assert_same(make(&head, OLD, NULL, arena)->unjudged[0], SLICE("the request has no object"));
    arena_destroy(arena);
}

/* A caller reads an object once and may make any number of reviews of it. */
static void objects_do_not_change(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct error error = {0};
    yyjson_val *object = parse_json(arena, SLICE(OLD));
    for (int i = 0; i < 2; i++) {
        const struct review *review = review_from_objects(&head, object, object, arena, &error);
        assert_ptr_equal(review->object, object);
        assert_ptr_equal(review->old_object, object);
    }
    assert_true(json_identical(object, parse_json(arena, SLICE(OLD))));
    arena_destroy(arena);
}

static void a_kind_is_required(void **state)
{
    (void)state;
    const struct review_head nothing = {.uid = "some"};
    struct arena *arena = arena_create();
    struct error error = {0};
    assert_null(review_from_objects(&nothing, NULL, NULL, arena, &error));
    assert_string_equal(error.message, "the request does not name a kind");
    arena_destroy(arena);
}

static void missing_memory_is_an_error(void **state)
{
    (void)state;
    struct arena *objects = arena_create();
    yyjson_val *old_object = parse_json(objects, SLICE(OLD)), *object = parse_json(objects, SLICE(NEW));
    struct error error = {0};
    /* The rest of the first chunk, which an arena always has. */
    for (size_t used = 0; used < 1000; used += 100) {
        struct arena *arena = arena_create();
        arena_limit(arena, 0);
        assert_non_null(arena_allocate(arena, 65536 - 1024 + used));
        const struct review *review = review_from_objects(&head, old_object, object, arena, &error);
        assert_null(review);
        assert_string_equal(error.message, "out of memory");
        arena_destroy(arena);
    }
    arena_destroy(objects);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_review_that_is_decoded),
        cmocka_unit_test(members_that_are_not_known_are_empty),
        cmocka_unit_test(a_missing_part_is_noted),
        cmocka_unit_test(objects_do_not_change),
        cmocka_unit_test(a_kind_is_required),
        cmocka_unit_test(missing_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
