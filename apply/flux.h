/*
 * flux.h: what Flux's kustomize-controller does to an object before it applies. Private to preview/.
 */
#ifndef APPLYGUARD_APPLY_FLUX_H
#define APPLYGUARD_APPLY_FLUX_H

#include "apply/live.h"

/*
 * Hands the entries of kubectl's managers over to Flux's Apply entry, of this name, as Flux does
 * (policy/analysis/absorption.h): its apply then removes what of their fields the manifest lacks. Not where
 * the live object or the manifest forbids it. False if there is no memory.
 */
bool flux_take_over(
    struct live *live, const struct value *manifest, struct slice manager, struct arena *arena);

#endif
