#include "policy/metadata.h"

#include "policy/json.h"

struct metadata metadata_of(yyjson_val *object)
{
    yyjson_val *value = json_member(object, SLICE("metadata"));
    struct metadata metadata = {.is_object = yyjson_is_obj(value)};
    const struct json_wanted wanted[] = {
        JSON_WANTED("name", &metadata.name),
        JSON_WANTED("uid", &metadata.uid),
        JSON_WANTED("deletionTimestamp", &metadata.deletion_timestamp),
        JSON_WANTED("labels", &metadata.labels),
        JSON_WANTED("annotations", &metadata.annotations),
        JSON_WANTED("managedFields", &metadata.managed_fields),
    };
    json_members(value, wanted, sizeof(wanted) / sizeof(wanted[0]));
    return metadata;
}
