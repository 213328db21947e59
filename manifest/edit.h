/* edit.h: manifests with one member more or less: new maps that share all other members with the old ones. */
#ifndef APPLYGUARD_MANIFEST_EDIT_H
#define APPLYGUARD_MANIFEST_EDIT_H

#include "base/arena.h"
#include "manifest/node.h"

/* A string without a place in a source. Returns NULL if memory runs out. */
const struct manifest_node *manifest_string(struct slice text, struct arena *arena);

/*
 * The map with this value for the key, which replaces an older one. `map` may be NULL or not a map: then the
 * result has only this member. Returns NULL if memory runs out, or `value` is NULL.
 */
const struct manifest_node *manifest_set_member(
    const struct manifest_node *map, struct slice key, const struct manifest_node *value,
    struct arena *arena);

/* The map without the key; an empty one if `map` is NULL or not a map. Returns NULL if memory runs out. */
const struct manifest_node *manifest_remove_member(
    const struct manifest_node *map, struct slice key, struct arena *arena);

#endif
