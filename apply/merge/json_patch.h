/*
 * json_patch.h: JSON merge patches (RFC 7386), as kubectl and Helm make them of custom resources.
 */
#ifndef APPLYGUARD_APPLY_MERGE_JSON_PATCH_H
#define APPLYGUARD_APPLY_MERGE_JSON_PATCH_H

#include "apply/merge/value.h"
#include "base/arena.h"

/*
 * The patch of a client-side apply: what the manifest adds to the live object or changes in it, and null for
 * what it had when it was last applied and has no more. All are maps. NULL if there is no memory.
 */
const struct value *json_patch_three_way(
    const struct value *last_applied, const struct value *manifest, const struct value *live,
    struct arena *arena);

/*
 * The patch from one map to another, nulls in the latter included: Helm's, who does not ask what is live
 * (github.com/evanphx/json-patch, merge.go). NULL if there is no memory.
 */
const struct value *json_patch_two_way(
    const struct value *before, const struct value *after, struct arena *arena);

/* The value with a patch applied to it. NULL if there is no memory. */
const struct value *json_patch_apply(
    const struct value *value, const struct value *patch, struct arena *arena);

#endif
