/*
 * client_side.h: the result of a client-side apply of kubectl or Helm.
 *
 * It does the three-way merge that kubectl and Helm share, and then applies the patch as the API server does:
 * for built-in types a strategic merge (k8s.io/apimachinery, pkg/util/strategicpatch), for custom ones a JSON
 * merge patch (pkg/util/jsonmergepatch). tests/differential compares the result with Kubernetes' own code.
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
    bool is_custom;         /* kubectl has no Go type for this kind */
    bool is_two_way;        /* for a custom type: the patch ignores the live object (Helm) */
    /* The content of the annotation last-applied-configuration, or of Helm's previous release; NULL: none. */
    const struct value *last_applied;
    /* For kubectl, with the annotation that it adds. */
    const struct value *manifest;
    const struct value *live;
};

struct client_side_result {
    /* The patch that kubectl sends; an empty map: it sends nothing, and the object stays. */
    const struct value *patch;
    const struct value *merged;
    /* The error is not kubectl's: the merge would take too long here, but kubectl may do it. */
    bool has_given_up;
};

/*
 * All three must be maps. For built-in types the merged object has no directives of a strategic merge patch,
 * because the API server drops them when it decodes the object; its treatment of null depends on the type.
 * Returns 0, or -1 and sets the error: kubectl or the API server refuses the merge, too many items have one
 * key, or memory runs out.
 */
int client_side_apply(
    const struct client_side_apply *apply, struct arena *arena, struct client_side_result *result,
    struct error *error);

#endif
