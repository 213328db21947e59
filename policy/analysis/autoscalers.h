/*
 * autoscalers.h: the kinds of objects that scale others, and how they name their target.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_AUTOSCALERS_H
#define APPLYGUARD_POLICY_ANALYSIS_AUTOSCALERS_H

#include "base/slice.h"

#include <stdbool.h>

/* The member .spec.scaleTargetRef. Missing parts are empty. */
struct autoscaler_target {
    struct slice api_version;
    struct slice kind;
    struct slice name;
};

/*
 * Sets the parts that the kind of autoscaler lets a reference leave out. False: objects of this kind
 * (HorizontalPodAutoscaler.autoscaling) do not scale others.
 */
bool autoscaler_complete_target(struct slice group_kind, struct autoscaler_target *target);

#endif
