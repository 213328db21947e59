#include "policy/analysis/autoscalers.h"

#include "base/array_size.h"

#include <stddef.h>

struct autoscaler_kind {
    struct slice group_kind;
    struct slice api_version; /* the default */
    struct slice kind;        /* the default */
};

static const struct autoscaler_kind kinds[] = {
    {SLICE_LITERAL("HorizontalPodAutoscaler.autoscaling"), SLICE_LITERAL(""), SLICE_LITERAL("")},
    {SLICE_LITERAL("ScaledObject.keda.sh"), SLICE_LITERAL("apps/v1"), SLICE_LITERAL("Deployment")},
};

bool autoscaler_complete_target(struct slice group_kind, struct autoscaler_target *target)
{
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        if (!slice_equal(group_kind, kinds[i].group_kind))
            continue;
        if (!target->api_version.length)
            target->api_version = kinds[i].api_version;
        if (!target->kind.length)
            target->kind = kinds[i].kind;
        return true;
    }
    return false;
}
