#include "policy/review/object.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"

static void read_metadata(struct metadata *metadata, yyjson_val *value)
{
    static const struct json_wanted wanted[] = {
        JSON_WANTED("name", struct metadata, name),
        JSON_WANTED("namespace", struct metadata, namespace),
        JSON_WANTED("uid", struct metadata, uid),
        JSON_WANTED("resourceVersion", struct metadata, resource_version),
        JSON_WANTED("generation", struct metadata, generation),
        JSON_WANTED("creationTimestamp", struct metadata, creation_timestamp),
        JSON_WANTED("deletionTimestamp", struct metadata, deletion_timestamp),
        JSON_WANTED("labels", struct metadata, labels),
        JSON_WANTED("annotations", struct metadata, annotations),
        JSON_WANTED("managedFields", struct metadata, managed_fields),
    };
    json_members(value, wanted, ARRAY_SIZE(wanted), metadata);
}

void object_parts_read(struct object_parts *parts, yyjson_val *object)
{
    static const struct json_wanted wanted[] = {
        JSON_WANTED("kind", struct object_parts, kind),
        JSON_WANTED("apiVersion", struct object_parts, api_version),
        JSON_WANTED("metadata", struct object_parts, metadata.value),
        JSON_WANTED("spec", struct object_parts, spec),
        JSON_WANTED("status", struct object_parts, status),
    };
    *parts = (struct object_parts){0};
    json_members(object, wanted, ARRAY_SIZE(wanted), parts);
    read_metadata(&parts->metadata, parts->metadata.value);
}

/* NULL: absent. */
static yyjson_val *find_controller(const struct object_parts *parts)
{
    json_each_item(owner, json_member(parts->metadata.value, SLICE("ownerReferences"))) {
        if (yyjson_get_bool(json_member(owner, SLICE("controller"))))
            return owner;
    }
    return NULL;
}

bool object_is_controlled(const struct object_parts *parts)
{
    return find_controller(parts) != NULL;
}

struct slice object_controller_uid(const struct object_parts *parts)
{
    return json_text(json_member(find_controller(parts), SLICE("uid")));
}
