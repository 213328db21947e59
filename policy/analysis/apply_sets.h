/*
 * apply_sets.h: computes the ID of an ApplySet (KEP-3659; kubectl, pkg/cmd/apply/applyset.go, ApplySet.ID).
 *
 * An ApplySet is a set of objects that `kubectl apply --prune --applyset` and other tools apply together. Its
 * parent object and all members have the ID in a label: "applyset-", the SHA-256 of NAME.NAMESPACE.KIND.GROUP
 * of the parent in base64url without padding, "-v1".
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_APPLY_SETS_H
#define APPLYGUARD_POLICY_ANALYSIS_APPLY_SETS_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/fieldset/path.h"

#include <stdbool.h>

/* The label of members, whose value is the set's ID. */
#define APPLY_SET_MEMBER_LABEL "applyset.kubernetes.io/part-of"

/*
 * Whether the field is that label. Removing it makes the object leave its set, so that it is not pruned: that
 * takes nothing from anybody.
 */
bool apply_set_is_membership(const struct path *path);

/* Whether it has the form of an ID. */
bool apply_set_id_valid(struct slice id);

/* The identity of a parent. `namespace` and `group` may be empty. */
struct apply_set_parent {
    struct slice name;
    struct slice namespace;
    struct slice kind;
    struct slice group;
};

/* The ID of the parent; its bytes are NULL if memory runs out. */
struct slice apply_set_id(const struct apply_set_parent *parent, struct arena *arena);

#endif
