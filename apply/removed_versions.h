/*
 * removed_versions.h: versions of Kubernetes' own kinds that no supported Kubernetes serves (kubernetes.io,
 * Deprecated API Migration Guide).
 */
#ifndef APPLYGUARD_APPLY_REMOVED_VERSIONS_H
#define APPLYGUARD_APPLY_REMOVED_VERSIONS_H

#include "base/slice.h"

struct removed_version {
    struct slice api_version;
    const char *kinds; /* separated by spaces */
    const char *since; /* the first Kubernetes without it */
    const char *successor;
};

/* NULL: it is not known as removed. */
const struct removed_version *removed_version_find(struct slice api_version, struct slice kind);

#endif
