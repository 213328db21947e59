#include "manifest/kinds.h"

#include "base/array_size.h"
#include "base/text.h"
#include "manifest/groups.h"

/*
 * Cluster-scoped kinds of Kubernetes 1.36: kubectl api-resources --namespaced=false. All other kinds of its
 * groups are namespaced.
 */
static const char *const cluster_kinds[] = {
    "ComponentStatus",
    "Namespace",
    "Node",
    "PersistentVolume",
    "MutatingAdmissionPolicy.admissionregistration.k8s.io",
    "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io",
    "MutatingWebhookConfiguration.admissionregistration.k8s.io",
    "ValidatingAdmissionPolicy.admissionregistration.k8s.io",
    "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io",
    "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
    "CustomResourceDefinition.apiextensions.k8s.io",
    "APIService.apiregistration.k8s.io",
    "SelfSubjectReview.authentication.k8s.io",
    "TokenReview.authentication.k8s.io",
    "SelfSubjectAccessReview.authorization.k8s.io",
    "SelfSubjectRulesReview.authorization.k8s.io",
    "SubjectAccessReview.authorization.k8s.io",
    "CertificateSigningRequest.certificates.k8s.io",
    "ClusterTrustBundle.certificates.k8s.io",
    "FlowSchema.flowcontrol.apiserver.k8s.io",
    "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io",
    "StorageVersion.internal.apiserver.k8s.io",
    "IngressClass.networking.k8s.io",
    "IPAddress.networking.k8s.io",
    "ServiceCIDR.networking.k8s.io",
    "RuntimeClass.node.k8s.io",
    "ClusterRole.rbac.authorization.k8s.io",
    "ClusterRoleBinding.rbac.authorization.k8s.io",
    "DeviceClass.resource.k8s.io",
    "DeviceTaintRule.resource.k8s.io",
    "ResourceSlice.resource.k8s.io",
    "PriorityClass.scheduling.k8s.io",
    "CSIDriver.storage.k8s.io",
    "CSINode.storage.k8s.io",
    "StorageClass.storage.k8s.io",
    "VolumeAttachment.storage.k8s.io",
    "VolumeAttributesClass.storage.k8s.io",
    "StorageVersionMigration.storagemigration.k8s.io",
};

static bool is_kind(const char *name, struct slice group, struct slice kind)
{
    struct slice rest = slice_of(name);
    if (!slice_starts_with(rest, kind))
        return false;
    rest = slice_from(rest, kind.length);
    return group.length ? rest.length && rest.bytes[0] == '.' && slice_equal(slice_from(rest, 1), group)
                        : rest.length == 0;
}

enum kind_scope kind_scope_of(struct slice group, struct slice kind)
{
    if (!is_builtin_group(group))
        return KIND_UNKNOWN;
    for (size_t i = 0; i < ARRAY_SIZE(cluster_kinds); i++)
        if (is_kind(cluster_kinds[i], group, kind))
            return KIND_CLUSTER;
    return KIND_NAMESPACED;
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
    struct text text = text_start(arena, kind.length + group.length + 1);
    text_append(&text, kind);
    text_append_string(&text, group.length ? "." : "");
    text_append(&text, group);
    return text_slice(&text);
}
