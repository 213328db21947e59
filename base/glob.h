/*
 * glob.h: patterns with `*` for any run of characters and `?` for any one.
 */
#ifndef APPLYGUARD_BASE_GLOB_H
#define APPLYGUARD_BASE_GLOB_H

#include "base/slice.h"

#include <stdbool.h>

/* The part of glob_match that is not inline. */
bool glob_match_whole(struct slice pattern, struct slice text);

/* Matches the whole text; no other character is special. Takes no more time than the product of the lengths.
 */
static inline bool glob_match(struct slice pattern, struct slice text)
{
    if (pattern.length && text.length) {
        char first = pattern.bytes[0], last = pattern.bytes[pattern.length - 1];
        if (first != text.bytes[0] && first != '*' && first != '?')
            return false;
        if (last != text.bytes[text.length - 1] && last != '*' && last != '?')
            return false;
    }
    return glob_match_whole(pattern, text);
}

/* Whether one of the patterns matches. False if there are no patterns. */
bool glob_match_any(const struct slice *patterns, size_t count, struct slice text);

#endif
