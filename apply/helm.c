#include "apply/helm.h"

#include "manifest/kinds.h"

bool helm_is_client_side(const struct live *live, struct slice manager)
{
    bool has_updated = false;
    for (size_t i = 0; live && i < live->count; i++) {
        const struct manager *own = &live->entries[i].manager;
        if (own->subresource.length || !slice_equal(own->name, manager))
            continue;
        if (own->operation == MANAGER_APPLY)
            return false;
        has_updated = true;
    }
    return has_updated;
}

bool helm_lacks_type(struct slice api_version)
{
    return slice_equal(group_of(api_version), SLICE("apiregistration.k8s.io"));
}
