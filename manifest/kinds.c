#include "manifest/kinds.h"

#include "base/array_size.h"
#include "base/search.h"
#include "base/text.h"
#include "manifest/groups.h"

/*
 * Cluster-scoped kinds of Kubernetes 1.37: kubectl api-resources --namespaced=false, sorted by kind. All
 * other kinds of its groups are namespaced.
 */
static const struct {
    struct slice kind, group;
} cluster_kinds[] = {
    {SLICE_LITERAL("APIService"), SLICE_LITERAL("apiregistration.k8s.io")},
    {SLICE_LITERAL("CSIDriver"), SLICE_LITERAL("storage.k8s.io")},
    {SLICE_LITERAL("CSINode"), SLICE_LITERAL("storage.k8s.io")},
    {SLICE_LITERAL("CertificateSigningRequest"), SLICE_LITERAL("certificates.k8s.io")},
    {SLICE_LITERAL("ClusterRole"), SLICE_LITERAL("rbac.authorization.k8s.io")},
    {SLICE_LITERAL("ClusterRoleBinding"), SLICE_LITERAL("rbac.authorization.k8s.io")},
    {SLICE_LITERAL("ClusterTrustBundle"), SLICE_LITERAL("certificates.k8s.io")},
    {SLICE_LITERAL("ComponentStatus"), SLICE_LITERAL("")},
    {SLICE_LITERAL("CustomResourceDefinition"), SLICE_LITERAL("apiextensions.k8s.io")},
    {SLICE_LITERAL("DeviceClass"), SLICE_LITERAL("resource.k8s.io")},
    {SLICE_LITERAL("DeviceTaintRule"), SLICE_LITERAL("resource.k8s.io")},
    {SLICE_LITERAL("FlowSchema"), SLICE_LITERAL("flowcontrol.apiserver.k8s.io")},
    {SLICE_LITERAL("IPAddress"), SLICE_LITERAL("networking.k8s.io")},
    {SLICE_LITERAL("IngressClass"), SLICE_LITERAL("networking.k8s.io")},
    {SLICE_LITERAL("MutatingAdmissionPolicy"), SLICE_LITERAL("admissionregistration.k8s.io")},
    {SLICE_LITERAL("MutatingAdmissionPolicyBinding"), SLICE_LITERAL("admissionregistration.k8s.io")},
    {SLICE_LITERAL("MutatingWebhookConfiguration"), SLICE_LITERAL("admissionregistration.k8s.io")},
    {SLICE_LITERAL("Namespace"), SLICE_LITERAL("")},
    {SLICE_LITERAL("Node"), SLICE_LITERAL("")},
    {SLICE_LITERAL("PersistentVolume"), SLICE_LITERAL("")},
    {SLICE_LITERAL("PriorityClass"), SLICE_LITERAL("scheduling.k8s.io")},
    {SLICE_LITERAL("PriorityLevelConfiguration"), SLICE_LITERAL("flowcontrol.apiserver.k8s.io")},
    {SLICE_LITERAL("ResourceSlice"), SLICE_LITERAL("resource.k8s.io")},
    {SLICE_LITERAL("RuntimeClass"), SLICE_LITERAL("node.k8s.io")},
    {SLICE_LITERAL("SelfSubjectAccessReview"), SLICE_LITERAL("authorization.k8s.io")},
    {SLICE_LITERAL("SelfSubjectReview"), SLICE_LITERAL("authentication.k8s.io")},
    {SLICE_LITERAL("SelfSubjectRulesReview"), SLICE_LITERAL("authorization.k8s.io")},
    {SLICE_LITERAL("ServiceCIDR"), SLICE_LITERAL("networking.k8s.io")},
    {SLICE_LITERAL("StorageClass"), SLICE_LITERAL("storage.k8s.io")},
    {SLICE_LITERAL("StorageVersion"), SLICE_LITERAL("internal.apiserver.k8s.io")},
    {SLICE_LITERAL("StorageVersionMigration"), SLICE_LITERAL("storagemigration.k8s.io")},
    {SLICE_LITERAL("SubjectAccessReview"), SLICE_LITERAL("authorization.k8s.io")},
    {SLICE_LITERAL("TokenReview"), SLICE_LITERAL("authentication.k8s.io")},
    {SLICE_LITERAL("ValidatingAdmissionPolicy"), SLICE_LITERAL("admissionregistration.k8s.io")},
    {SLICE_LITERAL("ValidatingAdmissionPolicyBinding"), SLICE_LITERAL("admissionregistration.k8s.io")},
    {SLICE_LITERAL("ValidatingWebhookConfiguration"), SLICE_LITERAL("admissionregistration.k8s.io")},
    {SLICE_LITERAL("VolumeAttachment"), SLICE_LITERAL("storage.k8s.io")},
    {SLICE_LITERAL("VolumeAttributesClass"), SLICE_LITERAL("storage.k8s.io")},
};

static bool is_kind_before(const void *row, const void *kind)
{
    return slice_compare(*(const struct slice *)row, *(const struct slice *)kind) < 0;
}

enum kind_scope kind_scope_of(struct slice group, struct slice kind)
{
    if (!is_builtin_group(group))
        return KIND_UNKNOWN;
    size_t first =
        search_first(cluster_kinds, ARRAY_SIZE(cluster_kinds), sizeof(*cluster_kinds), is_kind_before, &kind);
    bool is_found = first < ARRAY_SIZE(cluster_kinds) && slice_equal(cluster_kinds[first].kind, kind) &&
        slice_equal(cluster_kinds[first].group, group);
    return is_found ? KIND_CLUSTER : KIND_NAMESPACED;
}

struct slice group_of(struct slice api_version)
{
    size_t slash = slice_find(api_version, '/');
    return slash < api_version.length ? slice_until(api_version, slash) : slice_until(api_version, 0);
}

struct slice version_of(struct slice api_version)
{
    size_t slash = slice_find(api_version, '/');
    return slash < api_version.length ? slice_from(api_version, slash + 1) : api_version;
}

struct slice group_kind_of(struct slice group, struct slice kind, struct arena *arena)
{
    return text_join(arena, kind, group.length ? "." : "", group);
}

static bool ends_in(struct slice text, const char *letters)
{
    return text.length && slice_contains(slice_of(letters), text.bytes[text.length - 1]);
}

struct slice kind_resource_of(struct slice kind, struct arena *arena)
{
    struct text text = text_start(arena, kind.length + 2);
    struct slice stem = slice_until(kind, kind.length ? kind.length - 1 : 0);
    bool is_ies = ends_in(kind, "yY") && !ends_in(stem, "aeiouAEIOU");
    text_append_lower(&text, is_ies ? stem : kind);
    if (!slice_equal_in_any_case(kind, SLICE("Endpoints")))
        text_append_string(&text, is_ies ? "ies" : ends_in(kind, "sxSX") ? "es" : "s");
    return text_slice(&text);
}

/* The short names of kinds that people apply, as kubectl api-resources prints them. */
static const struct {
    const char *name;
    const char *kind;
} short_names[] = {
    {"cj", "CronJob"},
    {"cm", "ConfigMap"},
    {"crd", "CustomResourceDefinition"},
    {"crds", "CustomResourceDefinition"},
    {"deploy", "Deployment"},
    {"ds", "DaemonSet"},
    {"ep", "Endpoints"},
    {"hpa", "HorizontalPodAutoscaler"},
    {"ing", "Ingress"},
    {"limits", "LimitRange"},
    {"netpol", "NetworkPolicy"},
    {"no", "Node"},
    {"ns", "Namespace"},
    {"pc", "PriorityClass"},
    {"pdb", "PodDisruptionBudget"},
    {"po", "Pod"},
    {"pv", "PersistentVolume"},
    {"pvc", "PersistentVolumeClaim"},
    {"quota", "ResourceQuota"},
    {"rc", "ReplicationController"},
    {"rs", "ReplicaSet"},
    {"sa", "ServiceAccount"},
    {"sc", "StorageClass"},
    {"sts", "StatefulSet"},
    {"svc", "Service"},
};

struct slice kind_of_short_name(struct slice name)
{
    for (size_t i = 0; i < ARRAY_SIZE(short_names); i++) {
        if (slice_equal_in_any_case(name, slice_of(short_names[i].name)))
            return slice_of(short_names[i].kind);
    }
    return (struct slice){NULL, 0};
}
