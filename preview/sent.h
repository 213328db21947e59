/*
 * sent.h: what an applier sends of a manifest, and what of that the API server makes itself: `status`, and
 * members of `metadata` such as `resourceVersion`. Private to preview/.
 */
#ifndef APPLYGUARD_PREVIEW_SENT_H
#define APPLYGUARD_PREVIEW_SENT_H

#include "manifest/node.h"
#include "merge/value.h"

/* In its namespace if there is one. NULL if there is no memory. */
const struct manifest_node *sent_of_manifest(
    const struct manifest_node *manifest, struct slice namespace, struct arena *arena);

/* The object without what the API server makes itself. NULL if there is no memory. */
const struct value *sent_declared(const struct value *object, struct arena *arena);

/* The object with what the API server made of the live one. NULL if there is no memory. */
const struct value *sent_with_live(const struct value *object, const struct value *live, struct arena *arena);

#endif
