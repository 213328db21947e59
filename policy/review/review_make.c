#include "policy/review/review_make.h"

#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"
#include "policy/review/ownership.h"

struct review *review_create(size_t bytes, struct arena *arena)
{
    struct review *review = arena_allocate_array(arena, 1, sizeof(*review));
    if (!review)
        return NULL;
    review->bytes = bytes;
    review->arena = arena;
    return review;
}

struct review *review_copy(const struct review *review, size_t bytes)
{
    struct review *copy = arena_allocate(review->arena, sizeof(*copy));
    struct review_cache *cache = arena_allocate_array(review->arena, 1, sizeof(*cache));
    struct lookup *lookup = lookup_create(review->arena);
    if (!copy || !cache || !lookup)
        return NULL;
    *copy = *review;
    copy->cache = cache;
    copy->lookup = lookup;
    lookup_effort(lookup)->bytes = bytes;
    return copy;
}

/* Notes a part that could not be judged. `sentence` is a literal. */
static void note_unjudged(struct review *review, const char *sentence)
{
    if (review->unjudged_count < REVIEW_UNJUDGED_MAX)
        review->unjudged[review->unjudged_count++] = slice_of(sentence);
}

void review_set_kind(struct review *review, struct slice group, struct slice version, struct slice kind)
{
    review->group = group;
    review->version = version;
    review->kind = kind;
    review->group_kind = kind;
    if (!group.length)
        return;
    review->group_kind = text_join(review->arena, kind, ".", group);
}

/* NULL for what is absent, null or no object; the last is noted. */
static yyjson_val *read_object(struct review *review, yyjson_val *value, const char *note)
{
    if (yyjson_is_obj(value))
        return value;
    if (value && !yyjson_is_null(value))
        note_unjudged(review, note);
    return NULL;
}

void review_set_objects(struct review *review, yyjson_val *object, yyjson_val *old_object)
{
    review->object = read_object(review, object, "the request's object is not an object");
    review->old_object = read_object(review, old_object, "the request's oldObject is not an object");
    object_parts_read(&review->parts, review->object);
    object_parts_read(&review->old_parts, review->old_object);
    const struct object_parts *named = review->object ? &review->parts : &review->old_parts;
    if (!review->name.length)
        review->name = json_text(named->metadata.name);
    review->deleting = yyjson_is_str(review->old_parts.metadata.deletion_timestamp);
}

static bool has_text_values_only(yyjson_val *object)
{
    json_each_key(key, object) {
        if (!yyjson_is_str(yyjson_obj_iter_get_val(key)))
            return false;
    }
    return true;
}

static void check_metadata(struct review *review)
{
    if (!yyjson_is_obj(review->parts.metadata.value)) {
        note_unjudged(review, "the object's metadata is not an object");
        return;
    }
    yyjson_val *annotations = review->parts.metadata.annotations;
    if (annotations && !yyjson_is_null(annotations) && !yyjson_is_obj(annotations))
        note_unjudged(review, "the object's annotations are not an object");
    else if (annotations && !has_text_values_only(annotations))
        note_unjudged(review, "an annotation of the object is not a string");
}

static void check_managed_fields(
    struct review *review, const struct managed_fields *side, const char *malformed, const char *entries)
{
    if (side->malformed)
        note_unjudged(review, malformed);
    else if (side->unreadable)
        note_unjudged(review, entries);
}

static void note_what_is_missing(struct review *review)
{
    if (!review->object) {
        if (review->unjudged_count == 0)
            note_unjudged(review, "the request has no object");
        return;
    }
    if (review->operation == OPERATION_UPDATE && !review->old_object)
        note_unjudged(review, "the request has no old object to compare with");
    check_metadata(review);
    check_managed_fields(
        review, &review->ownership.before, "the old object's managedFields are not a list",
        "an entry of the old object's managedFields has no readable fieldsV1");
    check_managed_fields(
        review, &review->ownership.after, "the object's managedFields are not a list",
        "an entry of the object's managedFields has no readable fieldsV1");
}

bool review_needs_owners(const struct review *review)
{
    return (!review->subresource.length || review_is_of_status(review)) &&
        review->operation <= OPERATION_UPDATE;
}

bool review_read_owners(struct review *review)
{
    if (!review_needs_owners(review))
        return true;
    if (!last_applied_read(
            &review->last_applied, review->old_parts.metadata.annotations, review->parts.metadata.annotations,
            review->arena) ||
        !ownership_read(&review->ownership, review))
        return false;
    note_what_is_missing(review);
    return true;
}
