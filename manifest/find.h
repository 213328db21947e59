/*
 * find.h: where a field of an object stands in the source.
 */
#ifndef APPLYGUARD_MANIFEST_FIND_H
#define APPLYGUARD_MANIFEST_FIND_H

#include "manifest/node.h"

struct manifest_found {
    const struct manifest_node *node;    /* NULL: there is no such field */
    struct manifest_place place;         /* of the key; of the value where it is an item of a list */
    const struct manifest_node *nearest; /* the last node on the way that is there; never NULL */
    struct manifest_place nearest_place; /* the same of it as `place`; good for what is missing */
};

/*
 * A path in the API server's form, as structured-merge-diff prints it: .spec.containers[name="nginx"].image,
 * .list[0], .set[="a"]. Keys that hold dots are found, too: of several readings that fit the object, the one
 * with the longest first key.
 */
struct manifest_found manifest_find(const struct manifest_node *root, struct slice path);

#endif
