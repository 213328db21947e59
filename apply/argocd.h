/*
 * argocd.h: how Argo CD syncs an object. Private to apply/.
 */
#ifndef APPLYGUARD_APPLY_ARGOCD_H
#define APPLYGUARD_APPLY_ARGOCD_H

#include "apply/live.h"
#include "manifest/node.h"

/*
 * Whether Argo CD applies server-side, with force: it has an Apply entry, or an annotation of the manifest
 * says so. The sync option of the Application is not known. `live` may be NULL.
 */
bool argocd_is_server_side(
    const struct live *live, const struct manifest_node *manifest, struct slice manager);

#endif
