/*
 * kustomized.h: what kustomizations make of the objects in a file: their names and namespaces.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_KUSTOMIZED_H
#define APPLYGUARD_COMMANDS_CHECK_KUSTOMIZED_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/analysis/manifest_set.h"

#include <stdbool.h>

/* All empty: nothing. */
struct kustomized {
    struct slice namespace; /* of the outermost kustomization that sets one */
    struct slice prefix;
    struct slice suffix;
    bool is_patched;       /* patches, components or transformers may complete the objects */
    bool removes_replicas; /* a patch removes .spec.replicas of some objects */
};

/*
 * Changes the identity that an object has in its file to the one with which it is applied. The result lives
 * in the arena; if memory runs out, arena_has_failed() reports that.
 */
void kustomized_identify(
    const struct kustomized *kustomized, struct manifest_identity *object, bool is_of_cluster,
    struct arena *arena);

#endif
