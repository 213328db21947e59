/*
 * paths.h: sets of fields as lists of printed paths.
 */
#ifndef APPLYGUARD_APPLY_MERGE_PATHS_H
#define APPLYGUARD_APPLY_MERGE_PATHS_H

#include "apply/merge/field_set.h"
#include "base/slice.h"

/* The members of the set, in its order. */
struct slice_list paths_of(const struct field_set *set, struct arena *arena);

/* The members without members below them. */
struct slice_list paths_of_leaves(const struct field_set *set, struct arena *arena);

/*
 * The members of the set that a path covers, or that no path covers. An item stays as long as a field inside
 * it does.
 */
const struct field_set *fields_at_paths(
    const struct field_set *set, const struct printed_paths *paths, struct arena *arena);
const struct field_set *fields_at_no_path(
    const struct field_set *set, const struct printed_paths *paths, struct arena *arena);

#endif
