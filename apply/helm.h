/* helm.h: how Helm upgrades an object. Private to this component. */
#ifndef APPLYGUARD_APPLY_HELM_H
#define APPLYGUARD_APPLY_HELM_H

#include "apply/outcome.h"

/*
 * Whether the upgrade is the client-side one of Helm 3. Helm 4 upgrades a release in the mode in which it was
 * applied before (--server-side=auto), which the manager's entries show: an Update and no Apply is
 * client-side. `live` may be NULL: Helm 4 creates objects server-side.
 */
bool helm_is_client_side(const struct live *live, struct slice manager);

/*
 * Whether Helm treats a built-in type as a custom one, such as an APIService, whose Go type it lacks. For
 * custom resources, Helm compares only the manifest with the previous one, and ignores the live object; for
 * other types, it does a three-way merge.
 */
bool helm_lacks_type(struct slice api_version);

#endif
