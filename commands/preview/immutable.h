/* immutable.h: the fields of Kubernetes' own kinds that must not change. Private to this component. */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_IMMUTABLE_H
#define APPLYGUARD_COMMANDS_PREVIEW_IMMUTABLE_H

#include "commands/preview/refusals.h"

/*
 * Visits each immutable field that differs between the two objects. `group_kind` has the form
 * Deployment.apps.
 */
void immutable_find(
    const struct value *before, const struct value *after, struct slice group_kind, struct arena *arena,
    refusal_visit *visit, void *context);

#endif
