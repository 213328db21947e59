/*
 * object.h: what is asked again and again of an API object or of its configuration, found in two passes
 * (apimachinery, TypeMeta and ObjectMeta).
 */
#ifndef APPLYGUARD_POLICY_REVIEW_OBJECT_H
#define APPLYGUARD_POLICY_REVIEW_OBJECT_H

#include <yyjson.h>

/* Each of any type, or NULL where it is absent. */
struct metadata {
    yyjson_val *value; /* the metadata itself; all below is NULL where it is no object */
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
void object_parts_read(struct object_parts *parts, yyjson_val *object);

#endif
