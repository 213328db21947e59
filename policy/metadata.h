/*
 * metadata.h: what is asked again and again of an object's metadata (apimachinery, ObjectMeta), found in one
 * pass.
 */
#ifndef APPLYGUARD_POLICY_METADATA_H
#define APPLYGUARD_POLICY_METADATA_H

#include <stdbool.h>
#include <yyjson.h>

/* Each of any type, or NULL where the object has none. */
struct metadata {
    bool is_object; /* false: there is none, or it is something else, and all below is NULL */
    yyjson_val *name;
    yyjson_val *uid;
    yyjson_val *deletion_timestamp;
    yyjson_val *labels;
    yyjson_val *annotations;
    yyjson_val *managed_fields;
};

/* `object` may be NULL. */
struct metadata metadata_of(yyjson_val *object);

#endif
