#include "manifest/groups.h"

#include "base/array_size.h"

/* The groups of k8s.io/api, of the API extensions and of the aggregator. */
static const struct slice groups[] = {
    SLICE_LITERAL(""),
    SLICE_LITERAL("admissionregistration.k8s.io"),
    SLICE_LITERAL("apiextensions.k8s.io"),
    SLICE_LITERAL("apiregistration.k8s.io"),
    SLICE_LITERAL("apps"),
    SLICE_LITERAL("authentication.k8s.io"),
    SLICE_LITERAL("authorization.k8s.io"),
    SLICE_LITERAL("autoscaling"),
    SLICE_LITERAL("batch"),
    SLICE_LITERAL("certificates.k8s.io"),
    SLICE_LITERAL("coordination.k8s.io"),
    SLICE_LITERAL("discovery.k8s.io"),
    SLICE_LITERAL("events.k8s.io"),
    SLICE_LITERAL("extensions"), /* until Kubernetes 1.22 */
    SLICE_LITERAL("flowcontrol.apiserver.k8s.io"),
    SLICE_LITERAL("internal.apiserver.k8s.io"),
    SLICE_LITERAL("lifecycle.k8s.io"),
    SLICE_LITERAL("networking.k8s.io"),
    SLICE_LITERAL("node.k8s.io"),
    SLICE_LITERAL("policy"),
    SLICE_LITERAL("rbac.authorization.k8s.io"),
    SLICE_LITERAL("resource.k8s.io"),
    SLICE_LITERAL("scheduling.k8s.io"),
    SLICE_LITERAL("storage.k8s.io"),
    SLICE_LITERAL("storagemigration.k8s.io"),
};

bool is_builtin_group(struct slice group)
{
    for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
        if (slice_equal(group, groups[i]))
            return true;
    return false;
}
