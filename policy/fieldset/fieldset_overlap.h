/*
 * fieldset_overlap.h: one FieldsV1 set, walked with others beside it: who else owns what it owns.
 *
 * Nothing is built from the sets. Each is gone through once, so a walk is linear in all of them together
 * where they are in the API server's order, n log n otherwise; the others are bounded, so that a step for
 * each of them stays a step.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_FIELDSET_OVERLAP_H
#define APPLYGUARD_POLICY_FIELDSET_FIELDSET_OVERLAP_H

#include "policy/fieldset/fields.h"

/* Sets beside the one that is walked: several times the managers that real objects have. */
#define FIELDSET_OVERLAP_MAX 64

/* A node of the walked set. */
struct overlap_node {
    const struct path *path;   /* valid during the call only */
    yyjson_val *fields;        /* what the walked set owns at the path */
    yyjson_val *const *others; /* the node of each other at the same path; NULL: it owns nothing there */
    size_t shared;             /* how many of the others have one */
};

enum walk_action { WALK_DESCEND, WALK_PASS, WALK_STOP };

/* Called for each node, bare memberships (".") aside, from the top down; says whether to go on below it. */
typedef enum walk_action overlap_visit(void *context, const struct overlap_node *node);

/* `fields` may be NULL, as may any of the others: an empty set. `count` is at most FIELDSET_OVERLAP_MAX. */
enum fields_result fieldset_overlap_walk(
    yyjson_val *fields, yyjson_val *const *others, size_t count, struct arena *arena, overlap_visit *visit,
    void *context);

#endif
