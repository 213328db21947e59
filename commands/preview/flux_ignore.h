/*
 * flux_ignore.h: the fields that a Kustomization of Flux ignores (spec.ignore): Flux applies their live
 * values again, and so does not undo the changes of others. Private to preview/.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_FLUX_IGNORE_H
#define APPLYGUARD_COMMANDS_PREVIEW_FLUX_IGNORE_H

#include "apply/merge/value.h"

/*
 * The manifest with the live values of its ignored fields, and without ignored fields that the live object
 * lacks. Returns `manifest` itself if nothing changes, or NULL if memory runs out.
 */
const struct value *flux_ignore(
    const struct value *kustomization, const struct value *manifest, const struct value *live,
    struct arena *arena);

#endif
