/*
 * strategic_merge.h: the parts of a strategic merge. The kind of a value decides how it is merged: maps by
 * their members (strategic_merge.c), lists by their items; a value that the map lacks is cleaned and copied.
 *
 * All functions return NULL if the patch was refused. `is_patch`: the map is a patch itself, and directives
 * are kept.
 */
#ifndef APPLYGUARD_APPLY_MERGE_STRATEGIC_MERGE_H
#define APPLYGUARD_APPLY_MERGE_STRATEGIC_MERGE_H

#include "apply/merge/strategic.h"

/*
 * A value that the map lacks: without maps that have a directive and, in an object (not a patch), without
 * nulls. Returns NULL as well if nothing is left of it.
 */
const struct value *strategic_clean(struct strategic *strategic, const struct value *value, bool is_patch);

/* The lists of a field, in the map and in the patch. With an order, either may be NULL. */
struct strategic_lists {
    struct strategic_field field;
    const struct value *map, *patch;
    bool is_patch;
};

const struct value *strategic_merge_lists(struct strategic *strategic, const struct strategic_lists *lists);

/*
 * Sorts by a $setElementOrder, which contains all items of the patch. Returns NULL as well if both lists are
 * NULL.
 */
const struct value *strategic_merge_in_order(
    struct strategic *strategic, const struct strategic_lists *lists, const struct value *order);

/* A list of primitives without the items of another one. */
const struct value *strategic_without(
    struct strategic *strategic, const struct value *list, const struct value *others);

#endif
