/* object_name.h: names of objects that the API server refuses. */
#ifndef APPLYGUARD_POLICY_ANALYSIS_OBJECT_NAME_H
#define APPLYGUARD_POLICY_ANALYSIS_OBJECT_NAME_H

#include "base/slice.h"

#include <stdbool.h>

/*
 * Why an object with this name cannot be created, as a sentence without a full stop; NULL: it can.
 * `group_kind` has the form Deployment.apps. Other rules apply to kinds that are neither Kubernetes' own nor
 * defined by a CustomResourceDefinition; few are known.
 */
const char *object_name_refusal(struct slice group_kind, bool is_known, struct slice name);

#endif
