#include "apply/applier.h"

#include "apply/argocd.h"
#include "apply/helm.h"

struct manager applier_manager(const struct preview_question *question, const struct live *live)
{
    static const char *const names[] = {
        [PREVIEW_KUBECTL] = "kubectl-client-side-apply",
        [PREVIEW_KUBECTL_SERVER] = "kubectl",
        [PREVIEW_HELM] = "helm",
        [PREVIEW_FLUX] = "kustomize-controller",
        [PREVIEW_ARGOCD] = "argocd-controller",
    };
    struct slice name = question->manager.length ? question->manager : slice_of(names[question->applier]);
    bool is_client_side = question->applier == PREVIEW_KUBECTL ||
        (question->applier == PREVIEW_ARGOCD &&
         !argocd_is_server_side(live, question->manifest->root, name)) ||
        (question->applier == PREVIEW_HELM && helm_is_client_side(live, name));
    return (struct manager){.name = name, .operation = is_client_side ? MANAGER_UPDATE : MANAGER_APPLY};
}
