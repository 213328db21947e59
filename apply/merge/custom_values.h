/*
 * custom_values.h: what the API server does with the values of a custom resource, by the OpenAPI v3 schema of
 * its CustomResourceDefinition (apiextensions-apiserver, pkg/apiserver/schema and pkg/apiserver/validation).
 */
#ifndef APPLYGUARD_APPLY_MERGE_CUSTOM_VALUES_H
#define APPLYGUARD_APPLY_MERGE_CUSTOM_VALUES_H

#include "apply/merge/field_set.h"
#include "apply/merge/schema.h"
#include "apply/merge/value.h"

/* The value with defaults in place of nulls where null is not allowed. Returns NULL if memory runs out. */
const struct value *custom_fill_nulls(yyjson_val *openapi, const struct value *value, struct arena *arena);

/* `problem` goes on behind the path: "is required". */
typedef void custom_visit(void *context, const struct path *path, const char *problem);

/*
 * Visits the values of an object that the schema refuses: nulls, missing fields, and values beyond an
 * enumeration or a limit; patterns, formats and expressions are not looked at. `live` is the object before,
 * or NULL: the API server takes what it leaves unchanged. `type` is the type of the same schema.
 */
void custom_check(
    yyjson_val *openapi, struct schema_ref type, const struct value *object, const struct value *live,
    struct arena *arena, custom_visit *visit, void *context);

#endif
