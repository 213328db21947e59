/*
 * declared.h: the fields that a manifest declares, as the API server would record them.
 *
 * It knows the types of Kubernetes itself. In custom resources, maps merge by member and a list is one value,
 * as without a schema.
 */
#ifndef APPLYGUARD_APPLY_DECLARED_H
#define APPLYGUARD_APPLY_DECLARED_H

#include "apply/merge/field_set.h"
#include "apply/merge/schema.h"
#include "apply/merge/value.h"
#include "manifest/node.h"

#include <stdbool.h>

struct declared {
    struct schema_ref type;
    bool is_known; /* the type */
    const struct value *value;
};

/*
 * An object of an apiVersion and kind. An object that is deeper than the API server allows declares nothing.
 */
struct declared declared_read(
    struct slice api_version, struct slice kind, const struct manifest_node *object, struct arena *arena);

/* The declared fields, except fields that have no owner (untracked_fields). */
const struct field_set *declared_fields(const struct declared *declared, struct arena *arena);

/*
 * The fields as the API server prints them: scalars, empty maps, and lists and maps that have one owner as a
 * whole. It omits the parts that every declaration of the same object has: its identity, and the keys of list
 * items. `items` is NULL if memory runs out.
 */
struct slice_list declared_leaves(const struct declared *declared, struct arena *arena);

#endif
