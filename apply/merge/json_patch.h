/* json_patch.h: JSON merge patches (RFC 7386), as kubectl and Helm make them for custom resources. */
#ifndef APPLYGUARD_APPLY_MERGE_JSON_PATCH_H
#define APPLYGUARD_APPLY_MERGE_JSON_PATCH_H

#include "apply/merge/value.h"
#include "base/arena.h"

/*
 * The patch of a client-side apply: members that the manifest adds to the live object or changes in it, and
 * null for members that it had at the last apply and lacks now. All are maps. Returns NULL if memory runs
 * out.
 */
const struct value *json_patch_three_way(
    const struct value *last_applied, const struct value *manifest, const struct value *live,
    struct arena *arena);

/*
 * The patch from one map to another, with the nulls of the latter: Helm makes it, and ignores the live object
 * (github.com/evanphx/json-patch, merge.go). Returns NULL if memory runs out.
 */
const struct value *json_patch_two_way(
    const struct value *before, const struct value *after, struct arena *arena);

/* The value with a patch applied to it. Returns NULL if memory runs out. */
const struct value *json_patch_apply(
    const struct value *value, const struct value *patch, struct arena *arena);

#endif
