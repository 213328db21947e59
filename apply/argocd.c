#include "apply/argocd.h"

#include "base/split.h"

static struct slice sync_options(const struct manifest_node *manifest)
{
    const struct manifest_node *metadata = manifest_member(manifest, SLICE("metadata"));
    const struct manifest_node *annotations = manifest_member(metadata, SLICE("annotations"));
    return manifest_text(manifest_member(annotations, SLICE("argocd.argoproj.io/sync-options")));
}

bool argocd_is_server_side(
    const struct live *live, const struct manifest_node *manifest, struct slice manager)
{
    struct slice options = sync_options(manifest);
    if (split_has(options, ',', SLICE("ServerSideApply=true")))
        return true;
    if (split_has(options, ',', SLICE("ServerSideApply=false")))
        return false;
    for (size_t i = 0; live && i < live->count; i++) {
        const struct manager *own = &live->entries[i].manager;
        if (own->operation == MANAGER_APPLY && !own->subresource.length && slice_equal(own->name, manager))
            return true;
    }
    return false;
}
