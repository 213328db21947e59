#include "policy/analysis/object_name.h"

#include "base/array_size.h"
#include "base/dns.h"

/* CronJobs derive the names of Jobs from their own (pkg/apis/batch/validation). */
#define CRON_JOB_BYTES_MAX 52

/* Kinds whose names may be any part of a path, or have their own form (pkg/apis/.../validation). */
static const char *const free_kinds[] = {
    "CertificateSigningRequest.certificates.k8s.io",
    "ClusterRole.rbac.authorization.k8s.io",
    "ClusterRoleBinding.rbac.authorization.k8s.io",
    "ClusterTrustBundle.certificates.k8s.io",
    "Event",
    "Event.events.k8s.io",
    "IPAddress.networking.k8s.io",
    "PodDisruptionBudget.policy",
    "Role.rbac.authorization.k8s.io",
    "RoleBinding.rbac.authorization.k8s.io",
    "StorageVersion.internal.apiserver.k8s.io",
};

/* Older API servers require a letter at the beginning of a Service's name. */
static const char *const label_kinds[] = {"Namespace", "Service"};

/* Whether the name can be a part of a path (apimachinery, api/validation/path). */
static bool is_path_segment(struct slice name)
{
    return !slice_equal(name, SLICE(".")) && !slice_equal(name, SLICE("..")) && !slice_contains(name, '/') &&
        !slice_contains(name, '%');
}

const char *object_name_refusal(struct slice group_kind, bool is_known, struct slice name)
{
    if (!is_path_segment(name))
        return "metadata.name must not be \".\" or \"..\", and must not contain / or %";
    if (!is_known || slice_is_one_of(group_kind, free_kinds, ARRAY_SIZE(free_kinds)))
        return NULL;
    if (slice_is_one_of(group_kind, label_kinds, ARRAY_SIZE(label_kinds)))
        return dns_is_label(name)
            ? NULL
            : "metadata.name must have a-z, 0-9 and - only, begin and end with a letter or digit, and "
              "have at most 63 characters";
    if (!dns_is_subdomain(name))
        return "metadata.name must have a-z, 0-9, - and . only, begin and end each part with a letter or "
               "digit, and have at most 253 characters";
    if (slice_equal(group_kind, SLICE("CronJob.batch")) && name.length > CRON_JOB_BYTES_MAX)
        return "metadata.name of a CronJob must have at most 52 characters";
    return NULL;
}
