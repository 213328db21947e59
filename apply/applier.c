#include "apply/applier.h"

#include "apply/argocd.h"
#include "apply/helm.h"

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
