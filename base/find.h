/* find.h: a text within another one. */
#ifndef APPLYGUARD_BASE_FIND_H
#define APPLYGUARD_BASE_FIND_H

#include "base/slice.h"

/* The index at which the wanted text first occurs; the text's length if it does not. */
static inline size_t slice_find_text(struct slice text, struct slice wanted)
{
    const char *found = text.length ? memmem(text.bytes, text.length, wanted.bytes, wanted.length) : NULL;
    return found ? (size_t)(found - text.bytes) : text.length;
}

static inline bool slice_contains_text(struct slice text, struct slice wanted)
{
    return slice_find_text(text, wanted) < text.length;
}

#endif
