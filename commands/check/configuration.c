#include "commands/check/configuration.h"

#include "base/array_size.h"
#include "manifest/groups.h"
#include "manifest/kinds.h"

/* docs/check.md has the same rows, for users. */
static const struct configuration {
    struct slice group;
    struct slice kind; /* empty: all kinds of the group */
} configurations[] = {
    /* Kubernetes' own programs */
    {SLICE_LITERAL(""), SLICE_LITERAL("Config")},
    {SLICE_LITERAL(""), SLICE_LITERAL("Policy")},
    {SLICE_LITERAL("kubectl.config.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("client.authentication.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("kubeadm.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("kubelet.config.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("credentialprovider.kubelet.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("kubeproxy.config.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("kubescheduler.config.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("kubecontrollermanager.config.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("cloudcontrollermanager.config.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("apiserver.config.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("apiserver.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("audit.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("pod-security.admission.config.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("eventratelimit.admission.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("resourcequota.admission.k8s.io"), SLICE_LITERAL("")},
    /* kustomize and its built-in plugins */
    {SLICE_LITERAL("kustomize.config.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("builtin"), SLICE_LITERAL("")},
    /* programs that create clusters, build, deploy and test */
    {SLICE_LITERAL("kind.x-k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("k3d.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("eksctl.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("ctlptl.dev"), SLICE_LITERAL("")},
    {SLICE_LITERAL("skaffold"), SLICE_LITERAL("")},
    {SLICE_LITERAL("kpt.dev"), SLICE_LITERAL("")},
    {SLICE_LITERAL("krew.googlecontainertools.github.com"), SLICE_LITERAL("")},
    {SLICE_LITERAL("kuttl.dev"), SLICE_LITERAL("")},
    {SLICE_LITERAL("chainsaw.kyverno.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("cli.kyverno.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("test.gatekeeper.sh"), SLICE_LITERAL("")},
    {SLICE_LITERAL("argoproj.io"), SLICE_LITERAL("ConfigManagementPlugin")},
    {SLICE_LITERAL("backstage.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("install.istio.io"), SLICE_LITERAL("")},
    /* Talos; Kubernetes has only v1 without a group */
    {SLICE_LITERAL("v1alpha1"), SLICE_LITERAL("")},
    /* applyguard's own */
    {SLICE_LITERAL("applyguard.io"), SLICE_LITERAL("")},
};

/*
 * The first part of skaffold/v4beta11; the whole of builtin, which has no version, and of v1alpha1, which has
 * no group.
 */
static struct slice program_of(struct slice api_version)
{
    bool is_whole = slice_equal(api_version, SLICE("builtin")) || slice_equal(api_version, SLICE("v1alpha1"));
    return is_whole ? api_version : group_of(api_version);
}

static bool is_known(struct slice api_version, struct slice kind)
{
    struct slice program = program_of(api_version);
    for (size_t i = 0; i < ARRAY_SIZE(configurations); i++) {
        const struct configuration *row = &configurations[i];
        if (slice_equal(program, row->group) && (!row->kind.length || slice_equal(kind, row->kind)))
            return true;
    }
    return false;
}

/* kustomize runs functions, and never writes them, or what is marked as local, to its output. */
static bool is_local(const struct manifest_node *annotations)
{
    return manifest_member(annotations, SLICE("config.kubernetes.io/function")) ||
        manifest_member(annotations, SLICE("config.k8s.io/function")) ||
        slice_equal(
               manifest_text(manifest_member(annotations, SLICE("config.kubernetes.io/local-config"))),
               SLICE("true"));
}

bool is_configuration(const struct manifest_object *object)
{
    const struct manifest_node *metadata = manifest_member(object->root, SLICE("metadata"));
    return is_known(object->api_version, object->kind) ||
        is_local(manifest_member(metadata, SLICE("annotations"))) ||
        (!metadata && !is_builtin_group(group_of(object->api_version)));
}
