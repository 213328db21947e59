/*
 * helm.h: how Helm upgrades an object. Private to preview/.
 */
#ifndef APPLYGUARD_APPLY_HELM_H
#define APPLYGUARD_APPLY_HELM_H

#include "apply/outcome.h"

/*
 * Whether the upgrade is the client-side one of Helm 3. Helm 4 upgrades a release as it was applied before
 * (--server-side=auto), which the manager's entries show: an Update and no Apply is client-side. `live` may
 * be NULL: Helm 4 creates objects server-side.
 */
bool helm_is_client_side(const struct live *live, struct slice manager);

/*
 * The manifest with what Helm writes into each object that it sends and does not print: the label
 * app.kubernetes.io/managed-by, and the annotations of the release. Only the live object tells which release
 * that is; it may be NULL. NULL if there is no memory.
 */
const struct manifest_node *helm_mark(
    const struct manifest_node *manifest, const struct value *live, struct arena *arena);

/*
 * Whether Helm takes a built-in type for a custom one, as that of an APIService, which it does not know. Of
 * custom resources it compares the manifest with the previous one alone, whatever the live object has; other
 * types it merges three ways.
 */
bool helm_lacks_type(struct slice api_version);

#endif
