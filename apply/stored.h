/*
 * stored.h: the object as the API server stores it, after decoding it into its own types. It contains only
 * certain changes: no defaults, and no changes by webhooks. Private to this component.
 */
#ifndef APPLYGUARD_APPLY_STORED_H
#define APPLYGUARD_APPLY_STORED_H

#include "apply/outcome.h"

/*
 * The stored object. `unknown` receives the fields that are not stored, because neither the schema nor the
 * live object has them. Returns NULL if memory runs out.
 */
const struct value *stored_object(
    const struct attempt *attempt, const struct value *object, struct arena *arena,
    const struct field_set **unknown);

/* The object, or a configuration of it, with the stringData of a Secret as data. NULL if memory runs out. */
const struct value *stored_string_data(
    const struct attempt *attempt, const struct value *object, struct arena *arena);

/* The fields of a manifest of the object, and the fields under which they are stored. */
const struct field_set *stored_fields(
    const struct value *object, const struct field_set *fields, struct arena *arena);

#endif
