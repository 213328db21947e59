/*
 * values.h: metadata that the API server refuses in any object: the size of annotations, and new finalizers
 * of an object that is being deleted. Private to this component.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_VALUES_H
#define APPLYGUARD_COMMANDS_PREVIEW_VALUES_H

#include "apply/merge/value.h"
#include "commands/preview/sentences.h"

/* Adds the refusals of the object that an apply would create. `live` is the object before it; NULL: none. */
void refusals_of_metadata(const struct value *object, const struct value *live, struct sentences *refused);

#endif
