#include "manifest/groups.h"

#include "base/array_size.h"

/* The groups of k8s.io/api, of the API extensions and of the aggregator. */
static const char *const groups[] = {
    "",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "extensions", /* until Kubernetes 1.22 */
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
};

bool is_builtin_group(struct slice group)
{
    return slice_is_one_of(group, groups, ARRAY_SIZE(groups));
}
