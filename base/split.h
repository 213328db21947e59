/* split.h: the parts of a text, one after another. */
#ifndef APPLYGUARD_BASE_SPLIT_H
#define APPLYGUARD_BASE_SPLIT_H

#include "base/slice.h"

/* Removes the part before the separator, and the separator, from `rest`. Without a separator, all is one
 * part. */
static inline struct slice split_next(struct slice *rest, char separator)
{
    struct slice part = slice_until(*rest, slice_find(*rest, separator));
    *rest = slice_from(*rest, part.length + 1);
    return part;
}

/* Whether one of the parts, without spaces around it, is `wanted`. */
static inline bool split_has(struct slice text, char separator, struct slice wanted)
{
    while (text.length)
        if (slice_equal(slice_trim(split_next(&text, separator)), wanted))
            return true;
    return false;
}

#endif
