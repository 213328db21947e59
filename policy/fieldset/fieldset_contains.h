/*
 * fieldset_contains.h: whether a FieldsV1 set owns one field.
 *
 * For single fields; to ask about all fields of a set, walk it (fields.h). An element that comes from
 * FieldsV1 is searched for as it is spelled there, which is the same in all entries that an API server wrote.
 * A list item or value that comes from an object is searched for as an API server would spell it. One bound
 * limits all searches of a review together (EFFORT_OWNERS).
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_FIELDSET_CONTAINS_H
#define APPLYGUARD_POLICY_FIELDSET_FIELDSET_CONTAINS_H

#include "base/effort.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"

#include <yyjson.h>

/* Whether the set owns the field, something in it, or an atomic value that it is part of. */
enum search_answer fieldset_contains(struct lookup *lookup, yyjson_val *fields, const struct path *path);

/* Whether it names the field, or something in it; part of an atomic value is not named. */
enum search_answer fieldset_names(struct lookup *lookup, yyjson_val *fields, const struct path *path);

/* Whether it owns something strictly below the field. */
enum search_answer fieldset_contains_below(
    struct lookup *lookup, yyjson_val *fields, const struct path *path);

#endif
