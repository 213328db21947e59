/* tree.h: combines the object's values with the entries' field sets. Private to this component. */
#ifndef APPLYGUARD_OWNERS_TREE_H
#define APPLYGUARD_OWNERS_TREE_H

#include "base/error.h"
#include "owners/object.h"
#include "policy/review/list_types.h"

/*
 * How many owners all nodes may have together, for each byte of the object. Each owner takes several bytes in
 * managedFields. Only items with equal keys, all of which one element names, can have as many owners.
 */
#define BLAME_HOLDERS_PER_BYTE 1

struct tree_build {
    struct blame *blame;
    struct error *error;
    size_t holders; /* owners so far */
    size_t holders_max;
};

/* Fills the tree from its root, whose value and holders are set. Returns -1 and sets the error. */
int tree_grow(struct tree_build *build);

/* The children of a node that match an element of FieldsV1. */
struct positions {
    const size_t *items;
    size_t count;
};

struct item_search;

/*
 * Searches the children of a list or map, which must have their values and names. Returns NULL if memory runs
 * out.
 */
struct item_search *item_search_create(const struct blame_node *node, struct arena *arena);

/*
 * Returns -1 and sets the error if the items have more kinds of keys than any list has, or if memory runs
 * out.
 */
int item_search_find(
    struct item_search *search, const struct path *element, struct positions *found, struct error *error);

#endif
