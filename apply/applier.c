#include "apply/applier.h"

#include "apply/helm.h"
#include "base/split.h"

static struct slice sync_options(const struct manifest_node *manifest)
{
    const struct manifest_node *metadata = manifest_member(manifest, SLICE("metadata"));
    const struct manifest_node *annotations = manifest_member(metadata, SLICE("annotations"));
    return manifest_text(manifest_member(annotations, SLICE("argocd.argoproj.io/sync-options")));
}

/*
 * Whether Argo CD applies server-side, with force: it has an Apply entry, or an annotation of the manifest
 * says so. The sync option of the Application is not known. `live` may be NULL.
 */
static bool argocd_is_server_side(
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

struct manager applier_manager(const struct apply_question *question, const struct live *live)
{
    static const char *const names[] = {
        [APPLY_KUBECTL] = "kubectl-client-side-apply",
        [APPLY_KUBECTL_SERVER] = "kubectl",
        [APPLY_HELM] = "helm",
        [APPLY_FLUX] = "kustomize-controller",
        [APPLY_ARGOCD] = "argocd-controller",
    };
    struct slice name = question->manager.length ? question->manager : slice_of(names[question->applier]);
    bool is_client_side = question->applier == APPLY_KUBECTL ||
        (question->applier == APPLY_ARGOCD && !argocd_is_server_side(live, question->manifest->root, name)) ||
        (question->applier == APPLY_HELM && helm_is_client_side(live, name));
    return (struct manager){.name = name, .operation = is_client_side ? MANAGER_UPDATE : MANAGER_APPLY};
}
