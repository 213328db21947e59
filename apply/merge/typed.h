/*
 * typed.h: what structured-merge-diff does with values of a type (typed/merge.go, compare.go, remove.go,
 * tofieldset.go), in the versions of Kubernetes 1.36. tests/differential compares the two.
 */
#ifndef APPLYGUARD_APPLY_MERGE_TYPED_H
#define APPLYGUARD_APPLY_MERGE_TYPED_H

#include "apply/merge/field_set.h"
#include "apply/merge/schema.h"
#include "apply/merge/value.h"
#include "base/arena.h"
#include "base/error.h"

/*
 * Which of its type's forms (SCHEMA_SCALAR, ...) a value has. If it has none of them, or is null or NULL, the
 * form that the type prefers.
 */
unsigned typed_form(struct schema_ref type, const struct value *value);

/*
 * The live value with the configuration merged into it. The result is NULL only where both are absent.
 * Returns 0, or -1 with an error: two items of the configuration's list are the same one, or there is no
 * memory.
 */
int typed_merge(
    struct schema_ref type, const struct value *live, const struct value *configuration, struct arena *arena,
    const struct value **merged, struct error *error);

/* The fields that a value has. An item that cannot be told apart from others has none. */
const struct field_set *typed_fields(struct schema_ref type, const struct value *value, struct arena *arena);

/* The value without the fields of the set; null if nothing is left. */
const struct value *typed_remove(
    struct schema_ref type, const struct value *value, const struct field_set *removed, struct arena *arena);

/*
 * The value with nothing but the fields of the set: of a manager that applies, what it declared. An item that
 * is not in the set itself has its keys all the same. A container that is in the set was declared, be it
 * empty; what others have put into it is none of it. Null if there is no memory.
 */
const struct value *typed_extract(
    struct schema_ref type, const struct value *value, const struct field_set *fields, struct arena *arena);

/* Called with a value that its type does not allow: what it is, and must be, as "number" and "string". */
typedef void typed_visit(void *context, const struct path *path, const char *is, const char *must_be);

/* Visits what of a value its type does not allow, without what is below it (typed/validate.go). */
void typed_check(struct schema_ref type, const struct value *value, typed_visit *visit, void *context);

/* Whether a member of a map of this type is chosen. */
typedef bool typed_choice(struct schema_ref type, const struct value_member *member);

/*
 * The chosen members of the maps in a value. What is in a chosen one is not searched. Items of an atomic list
 * go by their positions.
 */
const struct field_set *typed_members(
    struct schema_ref type, const struct value *value, typed_choice *is_chosen, struct arena *arena);

/*
 * The lists whose items are in another order than before, by the items that both have. That is no difference
 * to typed_compare, and the object is stored with it.
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
