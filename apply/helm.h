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
 * The manifest with the fields that Helm adds to each object when it sends it, but does not print: the label
 * app.kubernetes.io/managed-by, and the annotations of the release. The live object shows the name of the
 * release; it may be NULL. Returns NULL if memory runs out.
 */
const struct manifest_node *helm_mark(
    const struct manifest_node *manifest, const struct value *live, struct arena *arena);

/*
 * Whether Helm treats a built-in type as a custom one, such as an APIService, whose Go type it lacks. For
 * custom resources, Helm compares only the manifest with the previous one, and ignores the live object; for
 * other types, it does a three-way merge.
 */
bool helm_lacks_type(struct slice api_version);

#endif
