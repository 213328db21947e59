/*
 * fieldset_overlap.h: walks one FieldsV1 set and finds which other sets own the same fields.
 *
 * Nothing is built from the sets, and each is read once. A walk is linear in their total size if they are in
 * the API server's order, and n log n otherwise. A part that cannot be read is passed over, and the result
 * says that there was one. The number of other sets is bounded.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_FIELDSET_OVERLAP_H
#define APPLYGUARD_POLICY_FIELDSET_FIELDSET_OVERLAP_H

#include "policy/fieldset/fields.h"

/* The limit of other sets: several times the number of managers that real objects have. */
#define FIELDSET_OVERLAP_MAX 64

/* A node of the walked set. */
struct overlap_node {
    const struct path *path;   /* valid during the call only */
    yyjson_val *fields;        /* what the walked set owns at the path */
    bool is_leaf;              /* it owns nothing below the path */
    yyjson_val *const *others; /* the node of each other at the same path; NULL: it owns nothing there */
    size_t shared;             /* how many of the others have one */
};

enum walk_action { WALK_DESCEND, WALK_PASS, WALK_STOP };

/* Called for each node except memberships ("."), parents first. Returns whether to descend into the node. */
typedef enum walk_action overlap_visit(void *context, const struct overlap_node *node);

/* `fields` may be NULL, as may any of the others: an empty set. `count` is at most FIELDSET_OVERLAP_MAX. */
enum fields_result fieldset_overlap_walk(
    yyjson_val *fields, yyjson_val *const *others, size_t count, struct lookup *lookup, overlap_visit *visit,
    void *context);

#endif
