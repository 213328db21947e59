/*
 * tree.h: the object's values and the entries' sets, brought together. Private to blame/.
 */
#ifndef APPLYGUARD_OWNERS_TREE_H
#define APPLYGUARD_OWNERS_TREE_H

#include "base/error.h"
#include "owners/object.h"
#include "policy/review/list_types.h"

/*
 * How many owners all nodes may have together, for each byte of the object. Each takes several in
 * managedFields, so it takes items of one key, all of which an element names at once, to have as many.
 */
#define BLAME_HOLDERS_PER_BYTE 1

struct tree_build {
    struct blame *blame;
    struct error *error;
    size_t holders; /* so far */
    size_t holders_max;
};

/* Fills the tree from its root, whose value and holders are set. -1 and an error. */
int tree_grow(struct tree_build *build);

/* What an element of FieldsV1 stands for, of the children of a node. */
struct positions {
    const size_t *items;
    size_t count;
};

struct item_search;

/* Searches the children of a list or map, which must have their values and names. NULL: there is no memory.
 */
struct item_search *item_search_create(const struct blame_node *node, struct arena *arena);

/* -1 and an error if the items have more kinds of keys than any list has, or there is no memory. */
int item_search_find(
    struct item_search *search, const struct path *element, struct positions *found, struct error *error);

#endif
