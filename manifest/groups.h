/*
 * groups.h: the API groups that Kubernetes serves itself.
 */
#ifndef APPLYGUARD_MANIFEST_GROUPS_H
#define APPLYGUARD_MANIFEST_GROUPS_H

#include "base/slice.h"

#include <stdbool.h>

/*
 * Whether Kubernetes serves the group itself; an empty name is the core group. Groups with similar names,
 * such as gateway.networking.k8s.io, snapshot.storage.k8s.io and metrics.k8s.io, have custom resources or
 * belong to another API server.
 */
bool is_builtin_group(struct slice group);

#endif
