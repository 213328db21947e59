#include "policy/unnamed.h"

#include "base/array_size.h"
#include "base/glob.h"

/*
 * Managers that name themselves in each request, though their operation is Update. A comment above each name
 * has its source.
 */
static const char *const self_named[] = {
    /* kubectl, cmd: apply, edit, patch, set, ...; not kubectl itself, which is its User-Agent */
    "kubectl-*",
    /* helm, pkg/kube/client.go, getManagedFieldsManager: also of programs that use it as a library */
    "helm*",
    "terraform-provider-helm*",
    "fleetagent",
    "zarf",
    "werf*",
    /* fluxcd/pkg, ssa/manager.go: the owner */
    "kustomize-controller",
    /* argo-cd, common/common.go */
    "argocd-controller",
    /* kluctl, pkg/k8s */
    "kluctl*",
    /* timoni, internal/runtime */
    "timoni",
    /* pulumi-kubernetes: pull request 2271 */
    "pulumi-kubernetes*",
    /* kpt-config-sync, pkg/api/configsync */
    "configsync.gke.io",
    /* kustomize-controller, the documents of its field managers: a person gives it */
    "flux-client-side-apply",
};

/*
 * An apply always names its manager. A request of the resource itself does not write the entry of a
 * subresource.
 */
bool unnamed_may_be_of(const struct manager *manager)
{
    if (manager->operation == MANAGER_APPLY || manager->subresource.length)
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(self_named); i++) {
        if (glob_match(slice_of(self_named[i]), manager->name))
            return false;
    }
    return true;
}
