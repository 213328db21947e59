/*
 * sent.h: what an applier sends of a manifest. Private to preview/.
 */
#ifndef APPLYGUARD_PREVIEW_SENT_H
#define APPLYGUARD_PREVIEW_SENT_H

#include "manifest/node.h"
#include "merge/value.h"

/* Without what the API server makes itself, and in its namespace if there is one. NULL if there is no memory.
 */
const struct manifest_node *sent_of_manifest(
    const struct manifest_node *manifest, struct slice namespace, struct arena *arena);

/* The same of what was sent before, in whatever namespace it is. */
const struct value *sent_before(const struct value *object, struct arena *arena);

#endif
