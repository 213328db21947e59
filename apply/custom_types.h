/*
 * custom_types.h: the schemas of CustomResourceDefinitions.
 */
#ifndef APPLYGUARD_APPLY_CUSTOM_TYPES_H
#define APPLYGUARD_APPLY_CUSTOM_TYPES_H

#include "base/arena.h"
#include "manifest/manifest.h"

#include <stdbool.h>

struct custom_type {
    struct custom_type *next;
    struct slice group;
    struct slice version;
    struct slice kind;
    struct slice schema; /* OpenAPI v3, as JSON; empty: unknown */
};

/* All zero: no types. */
struct custom_types {
    struct custom_type *first;
};

/*
 * Adds the versions of a CustomResourceDefinition that have a schema, in memory of the arena. Returns their
 * number; 0 also for any other object, or -1 if memory runs out.
 */
int custom_types_add(struct custom_types *types, const struct manifest_object *object, struct arena *arena);

/*
 * Notes a type without a known schema, so that it is not requested again; if memory runs out, it may be
 * requested again.
 */
void custom_types_add_unknown(
    struct custom_types *types, struct slice api_version, struct slice kind, struct arena *arena);

/* The type of an apiVersion and kind; NULL: it was not added. */
const struct custom_type *custom_types_find(
    const struct custom_types *types, struct slice api_version, struct slice kind);

#endif
