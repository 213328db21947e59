/* refusals.h: refusals of the API server that can be predicted without it. Private to this component. */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_REFUSALS_H
#define APPLYGUARD_COMMANDS_PREVIEW_REFUSALS_H

#include "apply/outcome.h"
#include "commands/preview/sentences.h"
#include "policy/review/review.h"

/* Each function adds a sentence for each refusal that it finds. */

/* The manifest's statements about the request: the object that it is for, and its version. */
void refusals_of_manifest(
    const struct attempt *attempt, const struct manifest_node *manifest, struct sentences *refused);

/* Values whose types do not match their fields. */
void refusals_of_types(const struct value *manifest, struct schema_ref type, struct sentences *refused);

/*
 * Values that the CustomResourceDefinition of a custom resource does not allow, if it is known, and those
 * that only the API server can check.
 */
void refusals_of_custom(
    const struct attempt *attempt, const struct value *object, struct sentences *refused,
    struct sentences *unknown);

/* Fields of the resulting object that exclude each other, that are there twice, or that are missing. */
void refusals_of_object(const struct review *review, struct sentences *refused);

#endif
