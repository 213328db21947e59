/*
 * strategic_merge.h: the parts of a strategic merge. A value is merged into a map's own by what it is: maps
 * by their members (strategic_merge.c), lists by their items, and what the map lacks comes as it is, cleaned.
 *
 * All return NULL if it was refused. `is_patch`: the map is a patch itself, and directives are kept.
 */
#ifndef APPLYGUARD_APPLY_MERGE_STRATEGIC_MERGE_H
#define APPLYGUARD_APPLY_MERGE_STRATEGIC_MERGE_H

#include "apply/merge/strategic.h"

/*
 * A value that the map lacks: without maps that have a directive, and for an object (not a patch) without
 * nulls. NULL, too, if nothing is left of it.
 */
const struct value *strategic_clean(struct strategic *strategic, const struct value *value, bool is_patch);

/* The lists of a field, in the map and in the patch. Either may be NULL where an order is given. */
struct strategic_lists {
    struct strategic_field field;
    const struct value *map, *patch;
    bool is_patch;
};

const struct value *strategic_merge_lists(struct strategic *strategic, const struct strategic_lists *lists);

/* In the order of a $setElementOrder, which has all items of the patch. NULL, too, if both are NULL. */
const struct value *strategic_merge_in_order(
    struct strategic *strategic, const struct strategic_lists *lists, const struct value *order);

/* A list of primitives without those of another one. */
const struct value *strategic_without(
    struct strategic *strategic, const struct value *list, const struct value *others);

#endif
