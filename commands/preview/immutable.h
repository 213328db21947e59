/* immutable.h: the fields of Kubernetes' own kinds that must not change. Private to this component. */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_IMMUTABLE_H
#define APPLYGUARD_COMMANDS_PREVIEW_IMMUTABLE_H

#include "apply/merge/value.h"
#include "commands/preview/sentences.h"

/*
 * Adds a sentence for each immutable field that differs between the two objects. `group_kind` has the form
 * Deployment.apps.
 */
void refusals_of_changes(
    const struct value *before, const struct value *after, struct slice group_kind,
    struct sentences *refused);

#endif
