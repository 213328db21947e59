/*
 * client_side.h: what a client-side apply of kubectl or Helm makes of an object.
 *
 * The three-way merge of kubectl, which Helm has, too, and then what the API server makes of its patch: of
 * built-in types a strategic merge (k8s.io/apimachinery, pkg/util/strategicpatch), of custom ones a JSON
 * merge patch (pkg/util/jsonmergepatch). tests/differential compares both.
 */
#ifndef APPLYGUARD_APPLY_MERGE_CLIENT_SIDE_H
#define APPLYGUARD_APPLY_MERGE_CLIENT_SIDE_H

#include "apply/merge/schema.h"
#include "apply/merge/value.h"
#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

struct client_side_apply {
    struct schema_ref type; /* of a built-in type; unused if is_custom */
    bool is_custom;         /* kubectl has no Go type of this kind */
    bool is_two_way; /* of a custom type: the patch is from what was applied, whatever is live (Helm) */
    /* What the annotation last-applied-configuration holds, or Helm's release; NULL: nothing. */
    const struct value *last_applied;
    /* Of kubectl with the annotation that it puts into it. */
    const struct value *manifest;
    const struct value *live;
};

struct client_side_result {
    const struct value *patch; /* what kubectl sends; an empty map: nothing, the object is unchanged */
    const struct value *merged;
    bool has_given_up; /* an error of ours: it takes too much, and kubectl may do it */
};

/*
 * All three must be maps. Of built-in types the merged object has no directives of a strategic merge patch,
 * which the API server drops as it decodes it; what it makes of a null depends on the type. Returns 0, or -1
 * with an error: kubectl or the API server refuses it, too many items have one key, or there is no memory.
 */
int client_side_apply(
    const struct client_side_apply *apply, struct arena *arena, struct client_side_result *result,
    struct error *error);

#endif
