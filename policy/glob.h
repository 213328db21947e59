/*
 * glob.h: patterns with `*` for any run of characters and `?` for any one.
 */
#ifndef APPLYGUARD_POLICY_GLOB_H
#define APPLYGUARD_POLICY_GLOB_H

#include "policy/slice.h"

#include <stdbool.h>

/* Matches the whole text; no other character is special. Linear in the text for each `*` of the pattern. */
bool glob_match(struct slice pattern, struct slice text);

/* Whether one of the patterns matches; none of none does. */
bool glob_match_any(const struct slice *patterns, size_t count, struct slice text);

#endif
