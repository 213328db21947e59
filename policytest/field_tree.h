/*
 * field_tree.h: sets of fields as trees in the form of FieldsV1, made from objects and compared.
 *
 * A tree is a map whose keys are elements of paths: f:NAME, k:{KEYS}, v:VALUE, and "." for the item or map
 * itself. An empty map is a field as a whole. Lists are keyed, sets or atomic as Kubernetes' own types say
 * (check/declared_fields.h).
 */
#ifndef APPLYGUARD_POLICYTEST_FIELD_TREE_H
#define APPLYGUARD_POLICYTEST_FIELD_TREE_H

#include "base/arena.h"
#include "manifest/node.h"
#include "policy/fieldset/path.h"

/* Where trees are made, of objects of which group. */
struct field_trees {
    struct arena *arena;
    struct slice group;
};

/*
 * The fields of an object, without those that have no owner: all; only those that `only` covers; or those
 * that `except` does not. Both may be NULL. All functions return NULL if there is no memory; an empty set is
 * an empty map.
 */
const struct manifest_node *field_tree_of(
    const struct field_trees *trees, const struct manifest_node *object, const struct printed_paths *only,
    const struct printed_paths *except);

/* What of an object became another value or is new, and what is gone. */
struct field_changes {
    const struct manifest_node *set;
    const struct manifest_node *removed;
};

bool field_tree_compare(
    const struct field_trees *trees, const struct manifest_node *before, const struct manifest_node *after,
    struct field_changes *changes);

/* Whether a value from elsewhere is a tree: maps of maps, and nothing else. */
bool field_tree_is_valid(const struct manifest_node *tree);

/* Both trees must be valid. */
const struct manifest_node *field_tree_union(
    const struct field_trees *trees, const struct manifest_node *a, const struct manifest_node *b);

/* What is in `a` and neither in `b` nor below a field of it. */
const struct manifest_node *field_tree_without(
    const struct field_trees *trees, const struct manifest_node *a, const struct manifest_node *b);

#endif
