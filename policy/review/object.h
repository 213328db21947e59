/*
 * object.h: the members of an API object or its configuration that are needed often, found in two passes
 * (apimachinery, TypeMeta and ObjectMeta).
 */
#ifndef APPLYGUARD_POLICY_REVIEW_OBJECT_H
#define APPLYGUARD_POLICY_REVIEW_OBJECT_H

#include "base/slice.h"

#include <stdbool.h>
#include <yyjson.h>

/* Each may be of any type, or NULL if it is absent. */
struct metadata {
    yyjson_val *value; /* the metadata itself; all members below are NULL if it is not an object */
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

/* The same for the object. */
struct object_parts {
    yyjson_val *api_version;
    yyjson_val *kind;
    struct metadata metadata;
    yyjson_val *spec;
    yyjson_val *status;
};

/* `object` may be NULL. */
void object_parts_read(struct object_parts *parts, yyjson_val *object);

/* Whether a controller made the object: it has an owner that controls it. */
bool object_is_controlled(const struct object_parts *parts);

/* The UID of the owner that controls the object; empty if it does not exist. */
struct slice object_controller_uid(const struct object_parts *parts);

#endif
