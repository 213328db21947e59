/* refusals.h: refusals of the API server that can be predicted without it. Private to this component. */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_REFUSALS_H
#define APPLYGUARD_COMMANDS_PREVIEW_REFUSALS_H

#include "apply/outcome.h"
#include "policy/review/review.h"

/* Called with a sentence without a full stop. */
typedef void refusal_visit(void *context, struct slice sentence);

/* The manifest's statements about the request: the object that it is for, and its version. */
void refusals_of_manifest(
    const struct value *live, const struct manifest_node *manifest, bool is_apply, refusal_visit *visit,
    void *context);

/* Values whose types do not match their fields. */
void refusals_of_types(
    const struct value *manifest, struct schema_ref type, struct arena *arena, refusal_visit *visit,
    void *context);

/*
 * Values that the CustomResourceDefinition of a custom resource does not allow, if it is known, and those
 * that only the API server can check.
 */
void refusals_of_custom(
    const struct attempt *attempt, const struct value *object, struct arena *arena, refusal_visit *visit,
    refusal_visit *visit_unknown, void *context);

/* Fields of the resulting object that exclude each other, that are there twice, or that are missing. */
void refusals_of_object(
    const struct review *review, struct arena *arena, refusal_visit *visit, void *context);

#endif
