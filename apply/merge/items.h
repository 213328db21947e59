/* items.h: the items of a list by their elements. */
#ifndef APPLYGUARD_APPLY_MERGE_ITEMS_H
#define APPLYGUARD_APPLY_MERGE_ITEMS_H

#include "apply/merge/schema.h"
#include "apply/merge/value.h"
#include "base/arena.h"
#include "base/slice.h"

struct item {
    struct slice element;
    const struct value *value;
    size_t position;         /* in the list */
    size_t repeats;          /* how many items have the element; 0: an earlier item has it */
    const struct item *next; /* the next item with the same element; NULL: this is the last one */
};

struct items {
    struct item *in_order;    /* in the order of the list */
    struct item **by_element; /* the first item of each element, ascending */
    size_t count;             /* of in_order */
    size_t distinct;          /* of by_element */
    const char *problem;      /* why an item has no element, and is left out; NULL: all have one */
};

/*
 * `list` may be NULL, or another kind of value: then the result is empty. It is empty as well if memory runs
 * out. `arena` is that of the list. The first call computes it, because each step of an apply asks again.
 */
struct items items_of(struct schema_ref type, const struct value *list, struct arena *arena);

/* The first item of an element, or NULL. */
const struct item *items_find(const struct items *items, struct slice element);

/*
 * For each item of a list, the item of another list whose place it takes: the one of the same element, or at
 * the same position; NULL: none. Without positions, a list with an item that has no element has no
 * counterparts. Returns NULL if memory runs out.
 */
const struct value **items_counterparts(
    struct schema_ref type, const struct value *list, const struct value *other, bool is_by_position,
    struct arena *arena);

#endif
