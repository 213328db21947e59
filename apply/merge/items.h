/*
 * items.h: the items of a list by what they are known by.
 */
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
    size_t repeats;          /* how many items have the element; 0: it is not the first of them */
    const struct item *next; /* of the same element; NULL: it is the last */
};

struct items {
    struct item *in_order;    /* as the list has them */
    struct item **by_element; /* the first of each element, ascending */
    size_t count;             /* of in_order */
    size_t distinct;          /* of by_element */
    const char *problem;      /* why one of them has no element, and is left out; NULL: all have */
};

/* `list` may be NULL, or no list: then there are none. Also none if there is no memory. */
struct items items_of(struct schema_ref type, const struct value *list, struct arena *arena);

/* The first item of an element, or NULL. */
const struct item *items_find(const struct items *items, struct slice element);

#endif
