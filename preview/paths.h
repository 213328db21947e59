/*
 * paths.h: sets of fields as lists of printed paths. Private to preview/.
 */
#ifndef APPLYGUARD_PREVIEW_PATHS_H
#define APPLYGUARD_PREVIEW_PATHS_H

#include "base/slice.h"
#include "merge/field_set.h"

/* The members of the set, in its order. */
struct slice_list paths_of(const struct field_set *set, struct arena *arena);

/* Those with no member below them. */
struct slice_list paths_of_leaves(const struct field_set *set, struct arena *arena);

#endif
