#include "policy/review/scale.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/json.h"
#include "policy/fieldset/fields.h"
#include "policy/review/ownership.h"
#include "policy/review/review_make.h"

/* The fields that a manager loses to a scale, in the form of managedFields. */
#define REPLICAS_FIELDS "{\"f:spec\":{\"f:replicas\":{}}}"

static yyjson_val *replicas_of(yyjson_val *object)
{
    return json_member(json_member(object, SLICE("spec")), SLICE("replicas"));
}

/* The replicas of a Scale, which have no default: a zero is left out. False if they are no number of pods. */
static bool asked_replicas(yyjson_val *scale, uint64_t *count)
{
    yyjson_val *replicas = replicas_of(scale);
    *count = yyjson_get_uint(replicas);
    return !replicas || yyjson_is_null(replicas) || yyjson_is_uint(replicas);
}

/* The object to look up */

static bool is_scalable(const struct resource *resource)
{
    static const char *const names[] = {"deployments", "statefulsets", "replicasets"};
    return slice_is_one_of(resource->name, names, ARRAY_SIZE(names)) &&
        slice_equal(resource->group, SLICE("apps")) && slice_equal(resource->version, SLICE("v1"));
}

/* As every name of such an object and of a namespace is. */
static bool is_plain_name(struct slice name)
{
    for (size_t i = 0; i < name.length; i++)
        if (!ascii_is_lower_alphanumeric(name.bytes[i]) &&
            (i == 0 || (name.bytes[i] != '-' && name.bytes[i] != '.')))
            return false;
    return name.length > 0;
}

bool scale_target_of(const struct review *review, struct scale_target *target)
{
    if (review->operation != OPERATION_UPDATE || !slice_equal(review->subresource, SLICE("scale")) ||
        !slice_equal(review->group_kind, SLICE("Scale.autoscaling")) || !is_scalable(&review->resource))
        return false;
    uint64_t before, after;
    if (!review->old_object || !review->object || !asked_replicas(review->old_object, &before) ||
        !asked_replicas(review->object, &after) || before == after)
        return false;
    *target = (struct scale_target){
        .resource = review->resource,
        .namespace = review->namespace,
        .name = review->name,
        .uid = json_text(review->old_parts.metadata.uid),
        .resource_version = json_text(review->old_parts.metadata.resource_version),
    };
    return target->uid.length && is_plain_name(target->namespace) && is_plain_name(target->name);
}

/*
 * The review of the object
 */

/* Both objects are read from the same text: only the replicas differ. */
static bool read_objects(struct review *review, const struct review *scale, struct slice text)
{
    review->old_object = json_parse(text, review->arena);
    review->object = json_parse(text, review->arena);
    if (!review->old_object || !review->object)
        return false;
    object_parts_read(&review->old_parts, review->old_object);
    object_parts_read(&review->parts, review->object);
    review->deleting = yyjson_is_str(review->old_parts.metadata.deletion_timestamp);
    yyjson_val *replicas = replicas_of(review->object);
    uint64_t count;
    return asked_replicas(scale->object, &count) && yyjson_is_int(replicas) &&
        yyjson_set_uint(replicas, count);
}

static bool name_kind(struct review *review)
{
    review_set_kind(review, review->resource.group, review->resource.version, json_text(review->parts.kind));
    return review->kind.length && review->group_kind.bytes;
}

/*
 * The request may name no manager, as with kubectl scale: the API server makes the manager up from the
 * User-Agent, which no review shows. Only the user remains as evidence: users of Kubernetes itself and
 * service accounts are controllers, all others are people or scripts.
 */
static void name_writer(struct review *review)
{
    struct ownership *ownership = &review->ownership;
    struct manager manager = {review->field_manager, MANAGER_UPDATE, SLICE("scale")};
    ownership->writer = (struct writer){.known = review->field_manager.length > 0, .manager = manager};
    if (ownership->writer.known)
        ownership->writer.class = ownership_writer_class(ownership, &manager, NULL);
    else if (review_is_of_service(review))
        ownership->writer.class = CLASS_CONTROLLER;
    else
        ownership->writer.class = CLASS_AD_HOC;
}

/* Without a name, a manager of the same class that has scaled before may be the one that scales now. */
static bool may_be_writer(const struct review *review, const struct managed_fields_entry *entry)
{
    const struct writer *writer = &review->ownership.writer;
    return !writer->known && entry->manager.operation == MANAGER_UPDATE &&
        slice_equal(entry->manager.subresource, SLICE("scale")) &&
        ownership_class(&review->ownership, entry) == writer->class;
}

/*
 * The writer has the replicas afterwards; only the rules of this request see its entry. Returns false if
 * memory runs out.
 */
static bool give_replicas(struct review *review, yyjson_val *fields)
{
    struct writer *writer = &review->ownership.writer;
    struct managed_fields_entry *after = arena_allocate_array(review->arena, 1, sizeof(*after));
    struct entry_cache *cache = arena_allocate_array(review->arena, 1, sizeof(*cache));
    if (!after || !cache)
        return false;
    *after = (struct managed_fields_entry){
        .manager = writer->manager,
        .api_version = json_text(review->parts.api_version),
        .known_fields = fields,
        .number = review->ownership.after.count,
        .cache = cache,
    };
    ownership_set_class(&review->ownership, after, writer->class);
    for (size_t i = 0; i < review->ownership.before.count && writer->known; i++) {
        const struct managed_fields_entry *before = &review->ownership.before.entries[i];
        if (before->manager.operation == MANAGER_UPDATE &&
            slice_equal(before->manager.name, writer->manager.name) &&
            slice_equal(before->manager.subresource, writer->manager.subresource))
            writer->before = after->counterpart = before;
    }
    writer->after = after;
    return true;
}

/*
 * Every entry stays as it is, and each owner of the replicas has one more that is not there afterwards: what
 * it loses. The rules compare entries before and after, so this is all that they need.
 */
static bool read_ownership(struct review *review, const struct class_rules *class_rules)
{
    struct ownership *ownership = &review->ownership;
    yyjson_val *fields = json_parse(SLICE(REPLICAS_FIELDS), review->arena);
    if (!fields || !ownership_read(ownership, review) ||
        !ownership_classify(ownership, review, class_rules, SLICE("scale")))
        return false;
    struct managed_fields *before = &ownership->before;
    struct managed_fields_entry *entries =
        arena_allocate_array(review->arena, before->count * 2 + 1, sizeof(*entries));
    if (!entries)
        return false;
    name_writer(review);
    if (!give_replicas(review, fields))
        return false;
    if (before->count)
        memcpy(entries, before->entries, before->count * sizeof(*entries));
    size_t count = before->count;
    for (size_t i = 0; i < before->count; i++) {
        if (!entry_owns_replicas(&entries[i]) || may_be_writer(review, &entries[i]))
            continue;
        /* The facts about the entry come from all that it owns, and stay. */
        ownership_class(ownership, &entries[i]);
        entry_owns_last_applied(&entries[i]);
        entries[count] = entries[i];
        entries[count].known_fields = fields;
        entries[count].counterpart = NULL;
        entries[count++].same_fields = false;
    }
    before->entries = entries;
    before->count = count;
    ownership->others_changed = true;
    return true;
}

struct review *scale_review(
    const struct review *scale, struct slice object, const struct class_rules *class_rules)
{
    struct scale_target target;
    if (!scale_target_of(scale, &target))
        return NULL;
    struct review *review = review_copy(scale, scale->bytes + object.length);
    if (!review)
        return NULL;
    review->is_scaled = true;
    if (!read_objects(review, scale, object) || !name_kind(review) ||
        !slice_equal(json_text(review->parts.metadata.uid), target.uid))
        return NULL;
    bool is_read = last_applied_read(
                       &review->last_applied, review->old_parts.metadata.annotations,
                       review->parts.metadata.annotations, review->arena) &&
        read_ownership(review, class_rules);
    return is_read ? review : NULL;
}
