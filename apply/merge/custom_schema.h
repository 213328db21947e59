/*
 * custom_schema.h: what the OpenAPI v3 schema of a CustomResourceDefinition says. Private to this component.
 */
#ifndef APPLYGUARD_APPLY_MERGE_CUSTOM_SCHEMA_H
#define APPLYGUARD_APPLY_MERGE_CUSTOM_SCHEMA_H

#include "base/json.h"

/* The schema of a member; NULL: it has none. */
static inline yyjson_val *custom_member_schema(yyjson_val *openapi, struct slice name)
{
    yyjson_val *property = json_member(json_member(openapi, SLICE("properties")), name);
    return property ? property : json_member(openapi, SLICE("additionalProperties"));
}

static inline bool custom_is_set(yyjson_val *openapi, const char *name)
{
    return yyjson_is_true(json_member(openapi, slice_of(name)));
}

/* Empty: values of any type are allowed. */
static inline struct slice custom_type_of(yyjson_val *openapi)
{
    bool is_either = custom_is_set(openapi, "x-kubernetes-int-or-string");
    return is_either ? SLICE("int-or-string") : json_text(json_member(openapi, SLICE("type")));
}

static inline bool custom_allows_null(yyjson_val *openapi)
{
    return !custom_type_of(openapi).length || custom_is_set(openapi, "nullable");
}

#endif
