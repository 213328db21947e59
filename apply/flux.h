/*
 * flux.h: the changes that Flux's kustomize-controller makes to an object before it applies. Private to this
 * component.
 */
#ifndef APPLYGUARD_APPLY_FLUX_H
#define APPLYGUARD_APPLY_FLUX_H

#include "apply/live.h"

/*
 * Moves the entries of kubectl's managers to Flux's Apply entry with this name, as Flux does
 * (policy/analysis/absorption.h): its apply then removes their fields that the manifest lacks. Does
 * nothing if the live object or the manifest forbids it. Returns false if memory runs out.
 */
bool flux_take_over(
    struct live *live, const struct value *manifest, struct slice manager, struct arena *arena);

#endif
