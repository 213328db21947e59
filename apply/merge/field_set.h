/*
 * field_set.h: sets of fields, as a tree that can be united, cut and subtracted.
 *
 * An element is identified by its key in FieldsV1 (policy/fieldset/fields_element.h), in a normal form:
 * f:image, k:{"containerPort":80,"protocol":"TCP"}, v:"a". So elements can be compared as texts. A set never
 * changes after it is built, and shares parts with others.
 */
#ifndef APPLYGUARD_APPLY_MERGE_FIELD_SET_H
#define APPLYGUARD_APPLY_MERGE_FIELD_SET_H

#include "apply/merge/schema.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/json_build.h"
#include "base/text.h"
#include "policy/fieldset/path.h"

#include <stdbool.h>
#include <yyjson.h>

struct field_set;

struct field_node {
    struct slice element;
    const struct field_set *below; /* never NULL */
    bool is_member;                /* the field itself is in the set */
};

struct field_set {
    const struct field_node *nodes; /* ascending by element */
    size_t count;
};

extern const struct field_set field_set_empty;

/* Reads FieldsV1. Elements of unknown kinds are left out. Returns 0, or -1 and sets the error. */
int field_set_read(
    yyjson_val *fields, struct arena *arena, const struct field_set **set, struct error *error);

/* Adds the set as FieldsV1 to a JSON value. */
void field_set_build(struct json_build *build, const struct field_set *set);

/* Sorts nodes of different elements, and makes a set of them. Returns an empty set if memory runs out. */
const struct field_set *field_set_of(struct field_node *nodes, size_t count, struct arena *arena);

bool field_set_is_empty(const struct field_set *set);

/* Whether both have the same members. */
bool field_set_equal(const struct field_set *a, const struct field_set *b, struct arena *arena);

/* The node of an element, or NULL. */
const struct field_node *field_set_find(const struct field_set *set, struct slice element);

/* If memory runs out, the results are incomplete, and arena_has_failed() returns true. */
const struct field_set *field_set_union(
    const struct field_set *a, const struct field_set *b, struct arena *arena);
const struct field_set *field_set_union_all(
    const struct field_set *const *sets, size_t count, struct arena *arena);
const struct field_set *field_set_intersection(
    const struct field_set *a, const struct field_set *b, struct arena *arena);
const struct field_set *field_set_difference(
    const struct field_set *a, const struct field_set *b, struct arena *arena);

/* The same set, with each struct that contains a member as a member itself. */
const struct field_set *field_set_with_parents(
    const struct field_set *set, struct schema_ref type, struct arena *arena);

/* The members without members below them. */
const struct field_set *field_set_leaves(const struct field_set *set, struct arena *arena);

/* Called for each member; its path is valid during the call. */
typedef void field_set_visit(void *context, const struct path *path);

/* Visits all members, a container before its content. */
void field_set_walk(const struct field_set *set, struct arena *arena, field_set_visit *visit, void *context);

#endif
