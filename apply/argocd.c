#include "apply/argocd.h"

static bool has_option(const struct manifest_node *manifest, struct slice option)
{
    const struct manifest_node *metadata = manifest_member(manifest, SLICE("metadata"));
    const struct manifest_node *annotations = manifest_member(metadata, SLICE("annotations"));
    struct slice rest = manifest_text(manifest_member(annotations, SLICE("argocd.argoproj.io/sync-options")));
    while (rest.length) {
        struct slice next = slice_until(rest, slice_find(rest, ','));
        if (slice_equal(slice_trim(next), option))
            return true;
        rest = slice_from(rest, next.length + (next.length < rest.length));
    }
    return false;
}

bool argocd_is_server_side(
    const struct live *live, const struct manifest_node *manifest, struct slice manager)
{
    if (has_option(manifest, SLICE("ServerSideApply=true")))
        return true;
    if (has_option(manifest, SLICE("ServerSideApply=false")))
        return false;
    for (size_t i = 0; live && i < live->count; i++) {
        const struct manager *own = &live->entries[i].manager;
        if (own->operation == MANAGER_APPLY && !own->subresource.length && slice_equal(own->name, manager))
            return true;
    }
    return false;
}
