/*
 * custom_nulls.h: defaults in place of nulls, as the API server stores custom resources
 * (apiextensions-apiserver, pkg/apiserver/schema/defaulting).
 */
#ifndef APPLYGUARD_APPLY_MERGE_CUSTOM_NULLS_H
#define APPLYGUARD_APPLY_MERGE_CUSTOM_NULLS_H

#include "apply/merge/value.h"

/*
 * The value with defaults in place of nulls where null is not allowed, by the OpenAPI v3 schema of its
 * CustomResourceDefinition. Returns NULL if memory runs out.
 */
const struct value *custom_fill_nulls(yyjson_val *openapi, const struct value *value, struct arena *arena);

#endif
