/*
 * lookup.h: the value at a path of an object.
 *
 * Small objects and lists are searched one by one. For large ones an index is built when it is first needed
 * and kept with the review, so that judging is near-linear for any object.
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
    LOOKUP_SEVERAL,   /* items of the list have the key */
    LOOKUP_MISFIT,    /* the element is of a map and its parent a list, or the reverse */
    LOOKUP_AMBIGUOUS, /* which one is meant is not known: the element is not a key, or memory or time ran out
                       */
};

/* Returns NULL if memory runs out. */
struct lookup *lookup_create(struct arena *arena);

/* The work that the review's searches have caused. The caller sets the review's bytes. */
struct effort *lookup_effort(struct lookup *lookup);

/*
 * Charges one comparison of the value (EFFORT_COMPARED). False once the review has caused more comparisons
 * than any real review needs, for example of the same large value again and again: the comparison must answer
 * ANSWER_UNKNOWN.
 */
bool lookup_pay_for(struct lookup *lookup, const yyjson_val *value);

/* As json_equal, but charged. Two large values are compared only once and the answer is kept. */
enum search_answer lookup_equal(struct lookup *lookup, yyjson_val *a, yyjson_val *b);

/* The member of an object. NULL if it does not exist, or if `object` is not an object. */
yyjson_val *lookup_member(struct lookup *lookup, yyjson_val *object, struct slice name);

/*
 * The child of a FieldsV1 node with the key of `element`, as it is spelled. Ignores the parents of `element`.
 */
yyjson_val *lookup_child(struct lookup *lookup, yyjson_val *node, const struct path *element);

/* The child of `parent` that `element` names. Ignores the parents of `element`. */
enum lookup_result lookup_element(
    struct lookup *lookup, yyjson_val *parent, const struct path *element, yyjson_val **found);

/*
 * The same for a configuration as a person wrote it, which may leave key fields to their defaults: an item
 * matches by the key fields that it declares. If several match, finds the one that declares the most key
 * fields.
 */
enum lookup_result lookup_declared_element(
    struct lookup *lookup, yyjson_val *parent, const struct path *element, yyjson_val **found);

/*
 * Finds values in one object for many paths. It remembers the position of the last one, so paths in the order
 * of a walk cost one step each, at any depth.
 */
struct lookup_cursor;

/* Returns NULL if memory runs out. `object` may be NULL: then nothing is found in it. */
struct lookup_cursor *lookup_cursor_create(struct lookup *lookup, yyjson_val *object, struct arena *arena);

/* The same for lookup_declares: `configuration` is a configuration as a person wrote it. */
struct lookup_cursor *lookup_cursor_create_declared(
    struct lookup *lookup, yyjson_val *configuration, struct arena *arena);

/*
 * The value at `path`, whose elements' texts must point into the review's document. If it is not found,
 * `*absent_depth` is the depth of the topmost element that led nowhere.
 */
enum lookup_result lookup_path(
    struct lookup_cursor *cursor, const struct path *path, yyjson_val **found, unsigned *absent_depth);

/* Whether a configuration declares the field at the path. */
enum search_answer lookup_declares(struct lookup_cursor *configuration, const struct path *path);

#endif
