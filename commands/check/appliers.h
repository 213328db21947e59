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

/* An Application that only installs a chart of a repository applies nothing of these manifests. */
enum applies applier_of(const struct manifest_object *object);

#endif
