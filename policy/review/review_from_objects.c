#include "policy/review/review_from_objects.h"

#include "base/json.h"
#include "base/json_build.h"
#include "policy/review/review_make.h"

/* As JSON, the members of a request other than its objects take about as much. */
#define HEAD_BYTES 512

/* Owners that are made later take about as much as the object: an owned field is as long as its key and
 * value. */
static size_t bytes_of(const struct review_head *head, yyjson_val *old_object, yyjson_val *object)
{
    size_t bytes = json_bytes(object);
    return HEAD_BYTES + bytes + (head->owner ? bytes : 0) + json_bytes(old_object);
}

static yyjson_val *build_groups(struct slice_list groups, struct arena *arena)
{
    struct json_build build = json_build_start(arena, groups.count + 1, 0);
    size_t list = json_build_open(&build, YYJSON_TYPE_ARR);
    for (size_t i = 0; i < groups.count; i++)
        json_build_string(&build, groups.items[i]);
    json_build_close(&build, list);
    return json_build_finish(&build);
}

static void fill(struct review *review, const struct review_head *head)
{
    review->api_version = SLICE("admission.k8s.io/v1");
    review->uid = slice_of(head->uid);
    review->operation = head->operation;
    review_set_kind(review, head->group, head->version, head->kind);
    review->resource = head->resource;
    review->subresource = head->subresource;
    review->namespace = head->namespace;
    review->name = head->name;
    review->username = head->username;
    review->dry_run = head->dry_run;
    review->field_manager = head->field_manager;
}

const struct review *review_from_objects(
    const struct review_head *head, yyjson_val *old_object, yyjson_val *object, struct arena *arena,
    struct error *error)
{
    if (!head->kind.length) {
        error_set(error, "the request does not name a kind");
        return NULL;
    }
    struct review *review = review_create(bytes_of(head, old_object, object), arena);
    yyjson_val *groups = review ? build_groups(head->groups, arena) : NULL;
    if (groups) {
        fill(review, head);
        review->groups = groups;
        review_set_objects(review, object, old_object);
        if (!review->parts.api_version)
            review->parts.api_version = head->list_api_version;
    }
    bool is_whole = groups && review_read_owners(review) &&
        (!head->owner || managed_fields_defer(&review->ownership.after, head->owner, arena));
    if (is_whole && head->configuration && review->last_applied.after.bytes)
        last_applied_know(&review->last_applied, head->configuration);
    if (is_whole && !arena_has_failed(arena))
        return review;
    error_set_out_of_memory(error);
    return NULL;
}
