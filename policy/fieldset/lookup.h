/*
 * lookup.h: the value at a path of an object.
 *
 * Small objects and lists are searched as they are; for large ones an index is made when first needed and
 * kept with the review, so that judging stays near-linear whatever the object looks like.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_LOOKUP_H
#define APPLYGUARD_POLICY_FIELDSET_LOOKUP_H

#include "base/arena.h"
#include "base/effort.h"
#include "policy/fieldset/path.h"

#include <yyjson.h>

struct lookup;

enum lookup_result {
    LOOKUP_FOUND,
    LOOKUP_ABSENT,
    LOOKUP_AMBIGUOUS, /* a key that several items have, an element that does not fit the value, no memory */
};

/* NULL if there is no memory. */
struct lookup *lookup_create(struct arena *arena);

/* What the review's searches have come to, to be filled in with the review's bytes. */
struct effort *lookup_effort(struct lookup *lookup);

/*
 * Pays for comparing a value with another. False once the review has had more compared than any real one
 * needs, because the same large value is asked for again and again: then it cannot be judged.
 */
bool lookup_pay_for(struct lookup *lookup, const yyjson_val *value);

/* json_equal, paid for; two large values are compared once, however often it is asked. */
enum search_answer lookup_equal(struct lookup *lookup, yyjson_val *a, yyjson_val *b);

/* The member of an object; NULL if it has none of that name or is no object. */
yyjson_val *lookup_member(struct lookup *lookup, yyjson_val *object, struct slice name);

/* The child of a node of FieldsV1 that `element` (with no regard to its parents) names, as it is spelled. */
yyjson_val *lookup_child(struct lookup *lookup, yyjson_val *node, const struct path *element);

/* The child of `parent` that `element` (with no regard to its parents) names. */
enum lookup_result lookup_element(
    struct lookup *lookup, yyjson_val *parent, const struct path *element, yyjson_val **found);

/*
 * The same of a configuration as somebody wrote it: a list item is known by the key fields that it declares,
 * as the others may be left to their defaults. Of several, the one that declares the most of them.
 */
enum lookup_result lookup_declared_element(
    struct lookup *lookup, yyjson_val *parent, const struct path *element, yyjson_val **found);

/*
 * Finds values in one object for many paths. It remembers the way to the last one, so paths that come in the
 * order of a walk cost one step each, however deep they are.
 */
struct lookup_cursor;

/* NULL if there is no memory. `object` may be NULL: then nothing is found in it. */
struct lookup_cursor *lookup_cursor_create(struct lookup *lookup, yyjson_val *object, struct arena *arena);

/* The same for lookup_declares: `configuration` is what somebody wrote. */
struct lookup_cursor *lookup_cursor_create_declared(
    struct lookup *lookup, yyjson_val *configuration, struct arena *arena);

/*
 * The value at `path`, whose elements' texts must lie in the review's document. Where it is absent,
 * `*absent_depth` is the depth of the topmost element that is not there.
 */
enum lookup_result lookup_path(
    struct lookup_cursor *cursor, const struct path *path, yyjson_val **found, unsigned *absent_depth);

/* Whether a configuration declares the field at the path. */
enum search_answer lookup_declares(struct lookup_cursor *configuration, const struct path *path);

#endif
