/* scalar.h: a YAML scalar as a node, with the JSON value that kubectl makes from it. */
#ifndef APPLYGUARD_MANIFEST_SCALAR_H
#define APPLYGUARD_MANIFEST_SCALAR_H

#include "manifest/build.h"
#include "manifest/resolve.h"

struct scalar {
    const struct resolved *resolved;
    struct slice written;
    bool is_plain; /* without quotes or a tag, so that it may be ambiguous */
    struct manifest_place place;
};

/* Both note ambiguities. Return NULL or false and set the error if kubectl refuses it or memory runs out. */
struct manifest_node *scalar_value(struct build *build, const struct scalar *scalar);

/* Fills the node with the key of a map, which is a string. */
bool scalar_key(struct build *build, const struct scalar *scalar, struct manifest_node *key);

#endif
