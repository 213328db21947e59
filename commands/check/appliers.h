/*
 * appliers.h: whether an object makes Flux or Argo CD apply manifests, and how.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_APPLIERS_H
#define APPLYGUARD_COMMANDS_CHECK_APPLIERS_H

#include "manifest/manifest.h"

enum applies {
    APPLIES_NOTHING,
    APPLIES_CLIENT_SIDE,
    APPLIES_SERVER_SIDE,
};

/* Of an Application that installs a chart of a repository alone: nothing, because manifests have no part in
 * it. */
enum applies applier_of(const struct manifest_object *object);

#endif
