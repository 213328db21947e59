#include "policy/analysis/protection.h"

#include "base/array_size.h"
#include "base/json.h"

/* kubernetes/kubernetes, pkg/controller/volume (pvprotection and others) and pkg/controller/servicecidrs */
static const struct {
    const char *kind, *finalizer;
} protections[] = {
    {"PersistentVolume", "kubernetes.io/pv-protection"},
    {"PersistentVolumeClaim", "kubernetes.io/pvc-protection"},
    {"VolumeAttributesClass.storage.k8s.io", "kubernetes.io/vac-protection"},
    {"ServiceCIDR.networking.k8s.io", "networking.k8s.io/service-cidr-finalizer"},
};

bool protection_returns(const struct review *review, const struct path *path)
{
    const bool is_finalizer = path->kind == PATH_VALUE && path_is_in_metadata(path, SLICE("finalizers"));
    for (size_t i = 0; is_finalizer && !review->deleting && i < ARRAY_SIZE(protections); i++)
        if (slice_equal(review->group_kind, slice_of(protections[i].kind)) &&
            slice_equal(json_text(path->json), slice_of(protections[i].finalizer)))
            return true;
    return false;
}
