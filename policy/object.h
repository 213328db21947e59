/*
 * object.h: what is asked again and again of an API object or of its configuration, found in two passes
 * (apimachinery, TypeMeta and ObjectMeta).
 */
#ifndef APPLYGUARD_POLICY_OBJECT_H
#define APPLYGUARD_POLICY_OBJECT_H

#include <stdbool.h>
#include <yyjson.h>

/* Each of any type, or NULL where it is absent. */
struct metadata {
    bool is_object; /* false: there is none, or it is something else, and all below is NULL */
    yyjson_val *name;
    yyjson_val *namespace;
    yyjson_val *uid;
    yyjson_val *resource_version;
    yyjson_val *generation;
    yyjson_val *creation_timestamp;
    yyjson_val *deletion_timestamp;
    yyjson_val *labels;
    yyjson_val *annotations;
    yyjson_val *managed_fields;
};

/* The same. */
struct object_parts {
    yyjson_val *api_version;
    yyjson_val *kind;
    struct metadata metadata;
    yyjson_val *spec;
    yyjson_val *status;
};

/* `object` may be NULL. */
struct object_parts object_parts_of(yyjson_val *object);

#endif
