/*
 * defaults.h: the values that the API server gives to fields that an object leaves out.
 *
 * For built-in types they come from Kubernetes' own code (tests/differential/defaults), for custom resources
 * from their CustomResourceDefinitions.
 */
#ifndef APPLYGUARD_APPLY_MERGE_DEFAULTS_H
#define APPLYGUARD_APPLY_MERGE_DEFAULTS_H

#include "apply/merge/schema.h"
#include "apply/merge/value.h"
#include "base/arena.h"

#include <stddef.h>

/* A default of a built-in type. Texts are empty where they do not apply. */
struct builtin_default {
    struct slice member;
    struct slice when;  /* another member on which the default depends */
    struct slice is;    /* its value, or "*" for any, or "latest" for an image of that tag */
    struct slice kind;  /* only within objects of this kind */
    struct slice value; /* JSON; empty: the member has no default then. If is_copied: the member to copy. */
    bool is_copied;
};

/* The place of a type's defaults in the table. They ascend by member; the first that applies counts. */
struct builtin_defaults {
    size_t first;
    size_t count;
};

struct builtin_defaults defaults_of_builtin(struct schema_ref type);
struct builtin_default defaults_builtin_at(size_t index);

/* Whether a member of a built-in type is a quantity, such as 500m, or a map of quantities. */
enum quantity_form { QUANTITY_NONE, QUANTITY_ONE, QUANTITY_MAP };
enum quantity_form defaults_quantity_form(struct schema_ref type, struct slice member);

/* Whether the API server does not store "", 0, false, or an empty list or map of a member of a built-in type.
 */
bool defaults_omit_zero(struct schema_ref type, struct slice member);

/*
 * The object with the defaults of fields that the live object has and this one lacks, and with all defaults
 * in lists and maps that are one value. `kind` is that of the object. Returns NULL if memory runs out.
 */
const struct value *defaults_fill(
    struct schema_ref type, const struct value *object, const struct value *live, struct slice kind,
    struct arena *arena);

/* The object with all defaults of its CustomResourceDefinition. Returns NULL if memory runs out. */
const struct value *defaults_fill_all(
    struct schema_ref type, const struct value *object, struct arena *arena);

#endif
