/*
 * fields_beside.h: one FieldsV1 set, walked with others beside it: who else owns what it owns.
 *
 * Nothing is built from the sets. Each is gone through once, so a walk is linear in all of them together
 * where they are in the API server's order, n log n otherwise; the others are bounded, so that a step for
 * each of them stays a step.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_FIELDS_BESIDE_H
#define APPLYGUARD_POLICY_FIELDSET_FIELDS_BESIDE_H

#include "policy/fieldset/fields.h"

/* Sets beside the one that is walked: several times the managers that real objects have. */
#define FIELDS_BESIDE_MAX 64

/* A node of the walked set. */
struct fields_place {
    const struct path *path; /* valid during the call only */
    yyjson_val *node;
    yyjson_val *const *others; /* the node of each other at the same path; NULL: it owns nothing there */
    size_t shared;             /* how many of the others have one */
};

enum fields_step { FIELDS_DESCEND, FIELDS_PASS, FIELDS_STOP };

/* Called for each node, bare memberships (".") aside, from the top down; says whether to go on below it. */
typedef enum fields_step fields_beside_visit(void *context, const struct fields_place *place);

/* `fields` may be NULL, as may any of the others: an empty set. `count` is at most FIELDS_BESIDE_MAX. */
enum fields_result fields_walk_beside(
    yyjson_val *fields, yyjson_val *const *others, size_t count, struct arena *arena,
    fields_beside_visit *visit, void *context);

#endif
