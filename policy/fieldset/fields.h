/*
 * fields.h: FieldsV1, the form in which a managedFields entry says which fields its manager owns.
 *
 * FieldsV1 is nested JSON (structured-merge-diff, fieldpath/serialize-pe.go): a key is one element of a path,
 * "f:<name>", "k:<json object>" for a list item by its key fields, "v:<json>" for an item of a set,
 * "i:<index>"; "." says that the node itself is a member. A node without children is a member, so {} and
 * {".":{}} mean the same. Walks read the review's document directly and build no set from it.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_FIELDS_H
#define APPLYGUARD_POLICY_FIELDSET_FIELDS_H

#include "base/arena.h"
#include "policy/fieldset/fields_element.h"
#include "policy/fieldset/lookup.h"

#include <stdbool.h>
#include <yyjson.h>

/* Called for each owned leaf; false stops the walk. The path is valid during the call only. */
typedef bool fields_visit(void *context, const struct path *path);

/*
 * Visits every leaf that `before` owns and `after` does not own in any form: neither the leaf, nor anything
 * below it, nor its membership ("."). Either may be NULL: an empty set. Memberships are not leaves. Elements
 * are parsed before they are compared, so k:{"a":1} and k:{ "a": 1 } are the same. A part that cannot be read
 * is passed over, and the result says that there was one. Linear if both sets are in the API server's order,
 * n log n otherwise.
 */
enum fields_result fields_difference(
    yyjson_val *before, yyjson_val *after, struct lookup *lookup, fields_visit *visit, void *context);

/*
 * Whether the node at the path represents everything in it: a leaf, a list item, or a map that the manager
 * created with members. Not the annotations of an object: each is of another kind.
 */
bool fields_stand_for_all(const struct path *path, yyjson_val *node);

/* The child "f:<name>"; NULL if it does not exist, or `fields` is NULL. */
yyjson_val *fields_child(yyjson_val *fields, struct slice name);

#endif
