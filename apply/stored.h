/*
 * stored.h: what the API server stores of an object, which it reads into its own types and writes anew. Only
 * what is certain: defaults, and what webhooks change, are none of it. Private to preview/.
 */
#ifndef APPLYGUARD_APPLY_STORED_H
#define APPLYGUARD_APPLY_STORED_H

#include "apply/outcome.h"

/*
 * The object that is stored. `declared` are the fields that the applier had declared before. `unknown`
 * becomes the fields that are not stored, because neither the schema nor the live object has them. NULL if
 * there is no memory.
 */
const struct value *stored_object(
    const struct attempt *attempt, const struct value *object, const struct field_set *declared,
    struct arena *arena, const struct field_set **unknown);

/* The fields of a manifest of the object, with those as which they are stored. */
const struct field_set *stored_fields(
    const struct value *object, const struct field_set *fields, struct arena *arena);

#endif
