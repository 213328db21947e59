/*
 * names.h: which names of objects the API server refuses. Private to preview/.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_NAMES_H
#define APPLYGUARD_COMMANDS_PREVIEW_NAMES_H

#include "base/slice.h"

#include <stdbool.h>

/*
 * Why an object of this name cannot be created, as a sentence without a full stop; NULL: it can. `group_kind`
 * is as Deployment.apps. Of kinds that are neither Kubernetes' own nor defined by a CustomResourceDefinition
 * little is known.
 */
const char *name_problem(struct slice group_kind, bool is_known, struct slice name);

#endif
