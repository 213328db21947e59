/*
 * refusals.h: what the API server would refuse, as far as it can be known without it. Private to preview/.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_REFUSALS_H
#define APPLYGUARD_COMMANDS_PREVIEW_REFUSALS_H

#include "apply/outcome.h"

/* Called with a sentence without a full stop. */
typedef void refusal_visit(void *context, struct slice sentence);

/* What the manifest says of the request itself: the object that it is for, and its version. */
void refusals_of_manifest(
    const struct value *live, const struct manifest_node *manifest, bool is_apply, refusal_visit *visit,
    void *context);

/* Values that are not of their fields' types. */
void refusals_of_types(
    const struct value *manifest, struct schema_ref type, struct arena *arena, refusal_visit *visit,
    void *context);

/* Fields of the object to come that exclude each other. */
void refusals_of_object(
    const struct value *object, struct slice group_kind, struct arena *arena, refusal_visit *visit,
    void *context);

#endif
