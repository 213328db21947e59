#include "commands/check/configuration.h"

#include "base/array_size.h"
#include "manifest/groups.h"
#include "manifest/kinds.h"

/* A group, or one kind of it. */
struct row {
    struct slice group;
    struct slice kind; /* empty: all kinds of the group */
};

/* docs/check.md has the same rows, for users. */
static const struct row configurations[] = {
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
    {SLICE_LITERAL("kops.k8s.io"), SLICE_LITERAL("Cluster")},
    {SLICE_LITERAL("kops.k8s.io"), SLICE_LITERAL("InstanceGroup")},
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

/* The API server's answers and questions, as kubectl's cache and recorded requests have them. */
static const struct row messages[] = {
    {SLICE_LITERAL("meta.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("apidiscovery.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("admission.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("imagepolicy.k8s.io"), SLICE_LITERAL("")},
    {SLICE_LITERAL("apiextensions.k8s.io"), SLICE_LITERAL("ConversionReview")},
    {SLICE_LITERAL(""), SLICE_LITERAL("APIGroup")},
    {SLICE_LITERAL(""), SLICE_LITERAL("APIGroupList")},
    {SLICE_LITERAL(""), SLICE_LITERAL("APIResourceList")},
    {SLICE_LITERAL(""), SLICE_LITERAL("APIVersions")},
    {SLICE_LITERAL(""), SLICE_LITERAL("CreateOptions")},
    {SLICE_LITERAL(""), SLICE_LITERAL("DeleteOptions")},
    {SLICE_LITERAL(""), SLICE_LITERAL("PatchOptions")},
    {SLICE_LITERAL(""), SLICE_LITERAL("Status")},
    {SLICE_LITERAL(""), SLICE_LITERAL("UpdateOptions")},
    {SLICE_LITERAL(""), SLICE_LITERAL("WatchEvent")},
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

static bool has_row(const struct row *rows, size_t count, struct slice group, struct slice kind)
{
    for (size_t i = 0; i < count; i++)
        if (slice_equal(group, rows[i].group) && (!rows[i].kind.length || slice_equal(kind, rows[i].kind)))
            return true;
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

bool is_message(const struct manifest_object *object)
{
    return has_row(messages, ARRAY_SIZE(messages), group_of(object->api_version), object->kind);
}

bool is_configuration(const struct manifest_object *object)
{
    const struct manifest_node *metadata = manifest_member(object->root, SLICE("metadata"));
    return has_row(
               configurations, ARRAY_SIZE(configurations), program_of(object->api_version), object->kind) ||
        is_local(manifest_member(metadata, SLICE("annotations"))) ||
        (!metadata && !is_builtin_group(group_of(object->api_version)));
}
