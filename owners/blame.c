#include "owners/blame.h"

#include "base/json.h"
#include "base/json_each.h"
#include "manifest/json_value.h"
#include "manifest/kinds.h"
#include "manifest/secrets.h"
#include "owners/marks.h"
#include "owners/tree.h"
#include "policy/review/review_classify.h"
#include "policy/review/review_from_objects.h"

/*
 * The size of an entry's text, which is printed with each of its fields: several times the size that the API
 * server accepts.
 */
#define ENTRY_BYTES_MAX 1024

/*
 * The object as a review, so that managers get the same classes and lists the same types as in the webhook.
 * The review outlives the object, so texts are copied.
 */
static const struct review *review_of(
    const struct manifest_object *object, const struct class_rules *class_rules, struct arena *arena,
    struct error *error)
{
    const struct review_head head = {
        .uid = "blame",
        .operation = OPERATION_CREATE,
        .group = arena_copy(arena, group_of(object->api_version)),
        .version = arena_copy(arena, version_of(object->api_version)),
        .kind = arena_copy(arena, object->kind),
        .namespace = arena_copy(arena, object->namespace),
        .name = arena_copy(arena, object->name),
    };
    yyjson_val *json = manifest_json_value(object->root, arena);
    const struct review *review = json ? review_from_objects(&head, NULL, json, arena, error) : NULL;
    const struct review *classified = review ? review_classify(review, class_rules) : NULL;
    if (!classified)
        error_set_out_of_memory(error);
    return classified;
}

static bool has_owners(const struct managed_fields *side)
{
    return side->malformed || side->unreadable || side->count;
}

/* Returns the number of the first entry in the list that could not be read. */
static size_t first_unreadable(const struct blame *blame)
{
    const struct managed_fields *side = blame->managed_fields;
    yyjson_val *list = json_metadata(blame->review->object, SLICE("managedFields"));
    size_t i = 0;
    json_each_item(item, list) {
        if (i == side->count || entry_fields(&side->entries[i]) != json_member(item, SLICE("fieldsV1")))
            break;
        i++;
    }
    return i + 1;
}

static int check_lengths(const struct managed_fields *side, struct error *error)
{
    for (size_t i = 0; i < side->count; i++) {
        const struct managed_fields_entry *entry = &side->entries[i];
        size_t length = entry->manager.name.length + entry->manager.subresource.length + entry->time.length;
        if (length > ENTRY_BYTES_MAX)
            return error_set(
                error,
                "managedFields entry %zu has a longer manager, subresource or time than an API server takes",
                i + 1);
    }
    return 0;
}

static int check_managed_fields(const struct blame *blame, struct error *error)
{
    const struct managed_fields *side = blame->managed_fields;
    if (side->malformed)
        return error_set(error, "its managedFields are not a list");
    if (side->unreadable)
        return error_set(
            error, "managedFields entry %zu has no operation, or no fieldsV1 that can be read",
            first_unreadable(blame));
    return check_lengths(side, error);
}

/* Every entry owns a part of the root. */
static int set_root(struct blame *blame, struct error *error)
{
    const struct managed_fields *side = blame->managed_fields;
    blame->root = (struct blame_node){.value = blame->review->object, .marks.is_tracked = true};
    blame->root.holders = arena_allocate_array(blame->arena, side->count, sizeof(*blame->root.holders));
    if (!blame->root.holders)
        return error_set_out_of_memory(error);
    for (size_t i = 0; i < side->count; i++) {
        struct blame_holder *holder = &blame->root.holders[i];
        *holder =
            (struct blame_holder){.entry = &side->entries[i], .fields = entry_fields(&side->entries[i])};
    }
    blame->root.holder_count = side->count;
    return 0;
}

/* Fills the tree. */
static int grow(struct blame *blame, struct error *error)
{
    struct tree_build build = {
        .blame = blame, .error = error, .holders_max = blame->review->bytes * BLAME_HOLDERS_PER_BYTE};
    if (check_managed_fields(blame, error) < 0 || set_root(blame, error) < 0 || tree_grow(&build) < 0)
        return -1;
    return marks_set(blame) ? 0 : error_set_out_of_memory(error);
}

enum blame_result blame_read(
    const struct manifest_object *object, const struct class_rules *class_rules, struct arena *arena,
    struct blame **result, struct error *error)
{
    const struct review *review = review_of(object, class_rules, arena, error);
    struct blame *blame = review ? arena_allocate_array(arena, 1, sizeof(*blame)) : NULL;
    if (review && !blame)
        error_set_out_of_memory(error);
    if (!blame)
        return BLAME_UNREADABLE;
    *blame = (struct blame){
        .kind = review->kind,
        .namespace = review->namespace,
        .name = review->name,
        .review = review,
        .managed_fields = &review->ownership.after,
        .is_secret = secrets_may_be(object->kind),
        .arena = arena,
    };
    if (!has_owners(blame->managed_fields)) {
        error_set(error, "it has no managedFields, so nothing is known of its owners");
        return BLAME_NO_OWNERS;
    }
    if (grow(blame, error) < 0)
        return BLAME_UNREADABLE;
    *result = blame;
    return BLAME_OK;
}
