#include "policy/object.h"

#include "policy/json.h"

struct members {
    yyjson_val *api_version, *kind, *metadata, *spec, *status;
};

static struct metadata metadata_of(yyjson_val *value)
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
    struct metadata metadata = {.is_object = yyjson_is_obj(value)};
    json_members(value, wanted, sizeof(wanted) / sizeof(wanted[0]), &metadata);
    return metadata;
}

struct object_parts object_parts_of(yyjson_val *object)
{
    static const struct json_wanted wanted[] = {
        JSON_WANTED("kind", struct members, kind),
        JSON_WANTED("apiVersion", struct members, api_version),
        JSON_WANTED("metadata", struct members, metadata),
        JSON_WANTED("spec", struct members, spec),
        JSON_WANTED("status", struct members, status),
    };
    struct members members = {0};
    json_members(object, wanted, sizeof(wanted) / sizeof(wanted[0]), &members);
    return (struct object_parts){
        .api_version = members.api_version,
        .kind = members.kind,
        .metadata = metadata_of(members.metadata),
        .spec = members.spec,
        .status = members.status,
    };
}
