/*
 * origin.h: where kustomize says that an object comes from.
 */
#ifndef APPLYGUARD_MANIFEST_ORIGIN_H
#define APPLYGUARD_MANIFEST_ORIGIN_H

#include "manifest/document.h"

/*
 * Fills `origin` from the annotation config.kubernetes.io/origin, if the object has it and it can be read
 * (kustomize, api/resource: Origin).
 */
void origin_of_annotation(
    const struct manifest_node *object, struct arena *arena, struct manifest_origin *origin);

#endif
