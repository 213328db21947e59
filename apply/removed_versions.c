#include "apply/removed_versions.h"

#include "base/array_size.h"
#include "base/split.h"

#include <stddef.h>

/*
 * Only those that were removed before Kubernetes 1.30. Some of these versions have got other kinds since,
 * such as networking.k8s.io/v1beta1 IPAddress, so each kind is named.
 */
static const struct removed_version removed[] = {
    {SLICE_LITERAL("extensions/v1beta1"), "DaemonSet Deployment ReplicaSet", "1.16", "apps/v1"},
    {SLICE_LITERAL("extensions/v1beta1"), "NetworkPolicy", "1.16", "networking.k8s.io/v1"},
    {SLICE_LITERAL("extensions/v1beta1"), "Ingress", "1.22", "networking.k8s.io/v1"},
    {SLICE_LITERAL("apps/v1beta1"), "Deployment StatefulSet", "1.16", "apps/v1"},
    {SLICE_LITERAL("apps/v1beta2"), "DaemonSet Deployment ReplicaSet StatefulSet", "1.16", "apps/v1"},
    {SLICE_LITERAL("admissionregistration.k8s.io/v1beta1"),
     "MutatingWebhookConfiguration ValidatingWebhookConfiguration", "1.22",
     "admissionregistration.k8s.io/v1"},
    {SLICE_LITERAL("apiextensions.k8s.io/v1beta1"), "CustomResourceDefinition", "1.22",
     "apiextensions.k8s.io/v1"},
    {SLICE_LITERAL("apiregistration.k8s.io/v1beta1"), "APIService", "1.22", "apiregistration.k8s.io/v1"},
    {SLICE_LITERAL("certificates.k8s.io/v1beta1"), "CertificateSigningRequest", "1.22",
     "certificates.k8s.io/v1"},
    {SLICE_LITERAL("coordination.k8s.io/v1beta1"), "Lease", "1.22", "coordination.k8s.io/v1"},
    {SLICE_LITERAL("networking.k8s.io/v1beta1"), "Ingress IngressClass", "1.22", "networking.k8s.io/v1"},
    {SLICE_LITERAL("rbac.authorization.k8s.io/v1alpha1"), "ClusterRole ClusterRoleBinding Role RoleBinding",
     "1.22", "rbac.authorization.k8s.io/v1"},
    {SLICE_LITERAL("rbac.authorization.k8s.io/v1beta1"), "ClusterRole ClusterRoleBinding Role RoleBinding",
     "1.22", "rbac.authorization.k8s.io/v1"},
    {SLICE_LITERAL("scheduling.k8s.io/v1beta1"), "PriorityClass", "1.22", "scheduling.k8s.io/v1"},
    {SLICE_LITERAL("storage.k8s.io/v1beta1"), "CSIDriver CSINode StorageClass VolumeAttachment", "1.22",
     "storage.k8s.io/v1"},
    {SLICE_LITERAL("autoscaling/v2beta1"), "HorizontalPodAutoscaler", "1.25", "autoscaling/v2"},
    {SLICE_LITERAL("batch/v1beta1"), "CronJob", "1.25", "batch/v1"},
    {SLICE_LITERAL("discovery.k8s.io/v1beta1"), "EndpointSlice", "1.25", "discovery.k8s.io/v1"},
    {SLICE_LITERAL("events.k8s.io/v1beta1"), "Event", "1.25", "events.k8s.io/v1"},
    {SLICE_LITERAL("node.k8s.io/v1beta1"), "RuntimeClass", "1.25", "node.k8s.io/v1"},
    {SLICE_LITERAL("policy/v1beta1"), "PodDisruptionBudget", "1.25", "policy/v1"},
    {SLICE_LITERAL("autoscaling/v2beta2"), "HorizontalPodAutoscaler", "1.26", "autoscaling/v2"},
    {SLICE_LITERAL("flowcontrol.apiserver.k8s.io/v1beta1"), "FlowSchema PriorityLevelConfiguration", "1.26",
     "flowcontrol.apiserver.k8s.io/v1"},
    {SLICE_LITERAL("storage.k8s.io/v1beta1"), "CSIStorageCapacity", "1.27", "storage.k8s.io/v1"},
    {SLICE_LITERAL("flowcontrol.apiserver.k8s.io/v1beta2"), "FlowSchema PriorityLevelConfiguration", "1.29",
     "flowcontrol.apiserver.k8s.io/v1"},
};

const struct removed_version *removed_version_find(struct slice api_version, struct slice kind)
{
    for (size_t i = 0; i < ARRAY_SIZE(removed); i++)
        if (slice_equal(api_version, removed[i].api_version) &&
            split_has(slice_of(removed[i].kinds), ' ', kind))
            return &removed[i];
    return NULL;
}
