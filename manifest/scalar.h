/*
 * scalar.h: a scalar of YAML as a node, as the JSON into which kubectl turns it.
 */
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

/* Both note what is ambiguous. NULL, with an error, if kubectl refuses it or there is no memory. */
struct manifest_node *scalar_value(struct build *build, const struct scalar *scalar);

/* As a key of a map, which is a string. */
struct manifest_node *scalar_key(struct build *build, const struct scalar *scalar);

#endif
