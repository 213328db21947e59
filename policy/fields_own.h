/*
 * fields_own.h: whether a FieldsV1 set owns one field.
 *
 * For single questions; who asks about all fields of a set walks it (fields.h).
 */
#ifndef APPLYGUARD_POLICY_FIELDS_OWN_H
#define APPLYGUARD_POLICY_FIELDS_OWN_H

#include "policy/path.h"

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

/*
 * Whether the set owns the field, something in it, or an atomic value that it is part of. The path is looked
 * for as it is spelled, which is the same in all entries that an API server wrote. `*budget` is how many
 * nodes all questions of one review may look at: once it is 0, the answer is false and says nothing.
 */
bool fields_own(yyjson_val *fields, const struct path *path, size_t *budget);

#endif
