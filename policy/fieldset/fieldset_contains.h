/*
 * fieldset_contains.h: whether a FieldsV1 set owns one field.
 *
 * For single questions; who asks about all fields of a set walks it (fields.h). A path of FieldsV1 is looked
 * for as it is spelled, which is the same in all entries that an API server wrote; a list item or value
 * without a text, found in an object, as an API server would spell it. All questions of one review together
 * have a bound (EFFORT_OWNERS).
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_FIELDSET_CONTAINS_H
#define APPLYGUARD_POLICY_FIELDSET_FIELDSET_CONTAINS_H

#include "base/effort.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"

#include <yyjson.h>

/* Whether the set owns the field, something in it, or an atomic value that it is part of. */
enum search_answer fieldset_contains(struct lookup *lookup, yyjson_val *fields, const struct path *path);

/* Whether it owns something strictly below the field. */
enum search_answer fieldset_contains_below(
    struct lookup *lookup, yyjson_val *fields, const struct path *path);

#endif
