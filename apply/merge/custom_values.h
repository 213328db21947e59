/*
 * custom_values.h: the values of a custom resource that the API server refuses, by the OpenAPI v3 schema of
 * its CustomResourceDefinition (apiextensions-apiserver, pkg/apiserver/validation).
 */
#ifndef APPLYGUARD_APPLY_MERGE_CUSTOM_VALUES_H
#define APPLYGUARD_APPLY_MERGE_CUSTOM_VALUES_H

#include "apply/merge/field_set.h"
#include "apply/merge/schema.h"
#include "apply/merge/value.h"

/* A value that the API server refuses, or may refuse. */
struct custom_problem {
    const char *sentence; /* goes on behind the path: "is required" */
    struct slice wanted;  /* goes on behind the sentence, such as a pattern; empty: nothing */
    bool is_certain;
};

typedef void custom_visit(void *context, const struct path *path, const struct custom_problem *problem);

/*
 * Visits the values of an object that its schema refuses, expressions of CEL aside. `live` is the object
 * before, or NULL: the API server takes what it leaves unchanged. `type` is the type of the same schema.
 */
void custom_check(
    yyjson_val *openapi, struct schema_ref type, const struct value *object, const struct value *live,
    struct arena *arena, custom_visit *visit, void *context);

#endif
