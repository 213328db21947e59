/*
 * typed.h: the operations of structured-merge-diff on values of a type (typed/merge.go, compare.go,
 * remove.go, tofieldset.go), as in Kubernetes 1.36. tests/differential compares the two.
 */
#ifndef APPLYGUARD_APPLY_MERGE_TYPED_H
#define APPLYGUARD_APPLY_MERGE_TYPED_H

#include "apply/merge/field_set.h"
#include "apply/merge/schema.h"
#include "apply/merge/value.h"
#include "base/arena.h"
#include "base/error.h"

/*
 * The form (SCHEMA_SCALAR, ...) of a value in its type. If the type does not allow the value, or it is null
 * or NULL, the form that the type prefers.
 */
unsigned typed_form(struct schema_ref type, const struct value *value);

/*
 * The live value with the configuration merged into it. The result is NULL only if both are absent. Returns
 * 0, or -1 and sets the error: two items of the configuration's list are the same one, or memory runs out.
 */
int typed_merge(
    struct schema_ref type, const struct value *live, const struct value *configuration, struct arena *arena,
    const struct value **merged, struct error *error);

/* The fields of a value. An item without an identity has none. */
const struct field_set *typed_fields(struct schema_ref type, const struct value *value, struct arena *arena);

/* The fields of a set that a value has. Takes less than to find all fields of the value. */
const struct field_set *typed_fields_in(
    struct schema_ref type, const struct value *value, const struct field_set *set, struct arena *arena);

/* The value without the fields of the set; null if nothing is left. */
const struct value *typed_remove(
    struct schema_ref type, const struct value *value, const struct field_set *removed, struct arena *arena);

/*
 * The part of the value that is in the set: for a manager that applies, the part that it declared. An item
 * that is not in the set itself still gets its keys. A container that is in the set was declared, even if
 * empty; the content that others put into it is left out. Returns a null value if memory runs out.
 */
const struct value *typed_extract(
    struct schema_ref type, const struct value *value, const struct field_set *fields, struct arena *arena);

/*
 * Called for a value that its type does not allow: `is` and `must_be` are kinds, such as "number" and
 * "string".
 */
typedef void typed_visit(void *context, const struct path *path, const char *is, const char *must_be);

/* Visits each value that its type does not allow, but not its content (typed/validate.go). */
void typed_check(struct schema_ref type, const struct value *value, typed_visit *visit, void *context);

/* Whether a member of a map of this type is chosen. `field` is NULL for a name that the type does not have.
 */
typedef bool typed_choice(
    struct schema_ref type, const struct schema_field *field, const struct value_member *member);

/*
 * The chosen members of the maps in a value. The content of a chosen member is not searched. Items of an
 * atomic list are identified by their positions.
 */
const struct field_set *typed_members(
    struct schema_ref type, const struct value *value, typed_choice *is_chosen, struct arena *arena);

/*
 * The lists in which items that exist before and after have another order. typed_compare ignores the order,
 * but the object is stored with it.
 */
const struct field_set *typed_reordered(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena);

struct comparison {
    const struct field_set *added;
    const struct field_set *modified;
    const struct field_set *removed;
};

struct comparison typed_compare(
    struct schema_ref type, const struct value *before, const struct value *after, struct arena *arena);

#endif
