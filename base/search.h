/* search.h: positions in sorted arrays. Inline, so that the comparison is, too. */
#ifndef APPLYGUARD_BASE_SEARCH_H
#define APPLYGUARD_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/* Whether an item is before the wanted place. */
typedef bool search_is_before(const void *item, const void *key);

/* The position of the first item that is not before the key; `count` if all are. */
static inline size_t search_first(
    const void *items, size_t count, size_t item_size, search_is_before *is_before, const void *key)
{
    size_t first = 0, end = count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (is_before((const char *)items + middle * item_size, key))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

#endif
