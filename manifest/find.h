/* find.h: finds the place of an object's field in the source. */
#ifndef APPLYGUARD_MANIFEST_FIND_H
#define APPLYGUARD_MANIFEST_FIND_H

#include "manifest/node.h"

struct manifest_found {
    const struct manifest_node *node;    /* NULL: the object lacks the field */
    struct manifest_place place;         /* of the key; for an item of a list, of the value */
    const struct manifest_node *nearest; /* the deepest existing node on the path; never NULL */
    struct manifest_place nearest_place; /* its place, like `place`; for messages about missing fields */
};

/*
 * A path in the API server's form, as structured-merge-diff prints it: .spec.containers[name="nginx"].image,
 * .list[0], .set[="a"]. Keys with dots are found, too: if several readings fit the object, the one with the
 * longest first key wins.
 */
struct manifest_found manifest_find(const struct manifest_node *root, struct slice path);

#endif
