/*
 * edit.h: a manifest with a member more, or less: new maps that share all the rest with the old ones.
 */
#ifndef APPLYGUARD_MANIFEST_EDIT_H
#define APPLYGUARD_MANIFEST_EDIT_H

#include "base/arena.h"
#include "manifest/node.h"

/* A string without a place. NULL if there is no memory. */
const struct manifest_node *changed_string(struct slice text, struct arena *arena);

/*
 * The map with this value for the key, in place of any it has. `map` may be NULL or not a map: then the
 * result has this member alone. NULL if there is no memory, or `value` is NULL.
 */
const struct manifest_node *changed_with(
    const struct manifest_node *map, struct slice key, const struct manifest_node *value,
    struct arena *arena);

/* The map without the key; an empty one if `map` is NULL or not a map. NULL if there is no memory. */
const struct manifest_node *changed_without(
    const struct manifest_node *map, struct slice key, struct arena *arena);

#endif
