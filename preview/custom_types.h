/*
 * custom_types.h: the schemas of CustomResourceDefinitions.
 */
#ifndef APPLYGUARD_PREVIEW_CUSTOM_TYPES_H
#define APPLYGUARD_PREVIEW_CUSTOM_TYPES_H

#include "base/arena.h"
#include "manifest/manifest.h"

#include <stdbool.h>

struct custom_type {
    struct custom_type *next;
    struct slice group;
    struct slice version;
    struct slice kind;
    struct slice schema; /* OpenAPI v3, as JSON */
};

/* Zero: there are none. */
struct custom_types {
    struct custom_type *first;
};

/*
 * Adds the versions of a CustomResourceDefinition that have a schema, in memory of the arena. Returns how
 * many; 0 also if the object is none, -1 if there is no memory.
 */
int custom_types_add(struct custom_types *types, const struct manifest_object *object, struct arena *arena);

/* The schema of an apiVersion and kind; empty if it is unknown. */
struct slice custom_types_find(const struct custom_types *types, struct slice api_version, struct slice kind);

#endif
