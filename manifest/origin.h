/* origin.h: the source of an object as kustomize records it. */
#ifndef APPLYGUARD_MANIFEST_ORIGIN_H
#define APPLYGUARD_MANIFEST_ORIGIN_H

#include "manifest/document.h"

/*
 * Fills `origin` from the annotation config.kubernetes.io/origin, if the object has a valid one (kustomize,
 * api/resource: Origin).
 */
void origin_of_annotation(
    const struct manifest_node *object, struct arena *arena, struct manifest_origin *origin);

#endif
