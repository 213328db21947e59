/* A review that is written is read as what it was made of. */
#include "policy/review/review_decode.h"
#include "policy/review/review_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_same(struct slice text, struct slice expected)
{
    if (!slice_equal(text, expected))
        fail_msg("%.*s is not %.*s", (int)text.length, text.bytes, (int)expected.length, expected.bytes);
}

static const struct review *read_back(const struct text *text)
{
    const struct review *review = NULL;
    struct error error = {0};
    if (review_decode(text_slice(text), 0, text->arena, &review, &error) != REVIEW_OK)
        fail_msg("%s", error.message);
    for (size_t i = 0; i < review->unjudged_count; i++)
        fail_msg("%.*s", (int)review->unjudged[i].length, review->unjudged[i].bytes);
    return review;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    const struct slice groups[] = {SLICE("system:authenticated"), SLICE("a \"quoted\" group")};
    const struct review_head head = {
        .uid = "some",
        .operation = OPERATION_UPDATE,
        .group = SLICE("apps"),
        .version = SLICE("v1"),
        .kind = SLICE("Deployment"),
        .namespace = SLICE("shop"),
        .name = SLICE("web"),
        .username = SLICE("a\\b\n"),
        .groups = {groups, 2},
        .field_manager = SLICE("helm"),
    };
    struct arena *arena = arena_create();
    struct text text = text_start(arena, 0);
    review_write_head(&text, &head);
    review_write_object(&text);
    text_append_string(&text, "{\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\"}}");
    review_write_old_object(&text);
    text_append_string(&text, "{\"kind\":\"Deployment\"}");
    review_write_end(&text);
    const struct review *review = read_back(&text);
    assert_same(review->uid, SLICE("some"));
    assert_int_equal(review->operation, OPERATION_UPDATE);
    assert_same(review->group_kind, SLICE("Deployment.apps"));
    assert_same(review->version, head.version);
    assert_same(review->namespace, head.namespace);
    assert_same(review->name, head.name);
    assert_same(review->username, head.username);
    assert_int_equal(yyjson_arr_size(review->groups), 2);
    assert_string_equal(yyjson_get_str(yyjson_arr_get(review->groups, 1)), "a \"quoted\" group");
    assert_same(review->field_manager, head.field_manager);
    assert_int_equal(yyjson_obj_size(review->object), 2);
    assert_int_equal(yyjson_obj_size(review->old_object), 1);
    arena_destroy(arena);
}

static void what_is_not_known_is_empty(void **state)
{
    (void)state;
    const struct review_head head = {
        .uid = "some", .operation = OPERATION_CREATE, .version = SLICE("v1"), .kind = SLICE("ConfigMap")};
    struct arena *arena = arena_create();
    struct text text = text_start(arena, 0);
    review_write_head(&text, &head);
    review_write_object(&text);
    text_append_string(&text, "{\"metadata\":{}}");
    review_write_end(&text);
    const struct review *review = read_back(&text);
    assert_same(review->group_kind, SLICE("ConfigMap"));
    assert_int_equal(review->namespace.length + review->name.length, 0);
    assert_int_equal(review->username.length + review->field_manager.length, 0);
    assert_int_equal(yyjson_arr_size(review->groups), 0);
    assert_null(review->old_object);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_is_not_known_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
