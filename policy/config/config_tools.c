#include "base/array_size.h"
#include "base/ascii.h"
#include "base/split.h"
#include "policy/config/config_reader.h"

/*
 * Names of tools that people take for names of field managers. Names that are both are not here: helm, kapp,
 * kluctl, timoni, crossplane.
 */
struct tool_name {
    const char *words;    /* letters in lower case and digits alone, a blank after each */
    const char *managers; /* what the tool writes as */
};

static const struct tool_name tool_names[] = {
    /* argo-cd, common/common.go, and the User-Agent of its controller */
    {"argo argocd argoproj ", "argocd-controller and argocd-application-controller"},
    /* their main.go; the flux command is a manager of that name, but deploys nothing */
    {"flux flux2 fluxcd fluxv2 ", "kustomize-controller and helm-controller"},
    /* helm, pkg/kube/client.go */
    {"helmcli helmsh ", "helm"},
    /* terraform-provider-kubernetes: field_manager.name of kubernetes_manifest, and its User-Agent */
    {"terraform tf opentofu tofu hashicorp ", "Terraform (kubernetes_manifest) and HashiCorp"},
    /* kubectl, cmd/apply/apply.go */
    {"kubectlapply ", "kubectl-client-side-apply and, with --server-side, kubectl"},
    {"kubectlserversideapply serversideapply ssa ", "kubectl"},
    {"clientsideapply csa ", "kubectl-client-side-apply"},
    {"kustomize ", "kubectl-client-side-apply and kubectl, or Flux' kustomize-controller"},
    /* pulumi-kubernetes: pull request 2271, and its User-Agent */
    {"pulumi ", "pulumi-kubernetes* and pulumi-resource-kubernetes"},
    /* kpt-config-sync, pkg/api/configsync */
    {"configsync ", "configsync.gke.io"},
    /* carvel-kapp: User-Agent */
    {"carvel ", "kapp"},
    /* kubernetes, pkg/controller/podautoscaler: of subresource scale */
    {"hpa horizontalpodautoscaler autoscaler ", "kube-controller-manager"},
    /* istio, pilot/cmd/pilot-discovery: User-Agent */
    {"istio istiod ", "pilot-discovery"},
    /* kubernetes-client/python: User-Agent */
    {"ansible ", "OpenAPI-Generator"},
};

/* A word of this length and no more is a tool's. */
#define WORD_BYTES_MAX 32

/* "Argo CD", "argo-cd" and "argocd" are one word. Empty: not a word. */
static struct slice bare_word(struct slice text, char word[WORD_BYTES_MAX])
{
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        char byte = ascii_to_lower(text.bytes[i]);
        if (byte == '-' || byte == '_' || byte == ' ')
            continue;
        if (!ascii_is_lower_alphanumeric(byte) || length == WORD_BYTES_MAX)
            return (struct slice){NULL, 0};
        word[length++] = byte;
    }
    return (struct slice){word, length};
}

const char *config_managers_of_tool(struct slice text)
{
    char bytes[WORD_BYTES_MAX];
    struct slice word = bare_word(text, bytes);
    if (!word.length || manager_tool(text) != TOOL_OTHER)
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(tool_names); i++) {
        if (split_has(slice_of(tool_names[i].words), ' ', word))
            return tool_names[i].managers;
    }
    return NULL;
}
