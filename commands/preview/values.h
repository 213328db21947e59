/*
 * values.h: the values that the API server refuses in any object: labels, annotations, finalizers, base64.
 * Private to this component.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_VALUES_H
#define APPLYGUARD_COMMANDS_PREVIEW_VALUES_H

#include "commands/preview/refusals.h"

/*
 * Visits the problems of the object that an apply would create. `live` is the object before it; NULL: none.
 * `group_kind` has the form Deployment.apps.
 */
void values_find_refused(
    const struct value *object, const struct value *live, struct arena *arena, refusal_visit *visit,
    void *context);

#endif
