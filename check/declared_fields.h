/*
 * declared_fields.h: the FieldsV1 of what a manifest declares, as the API server would record it.
 *
 * How the items of lists are identified is known of Kubernetes' own types (list_types.h); in custom resources
 * lists are atomic, as they are without a schema that says otherwise.
 */
#ifndef APPLYGUARD_CHECK_DECLARED_FIELDS_H
#define APPLYGUARD_CHECK_DECLARED_FIELDS_H

#include "base/text.h"
#include "manifest/node.h"

/* Appends the set, without the fields that have no owner (apimachinery, managedfields: stripSet). */
void declared_fields_append(struct text *text, struct slice group, const struct manifest_node *object);

#endif
