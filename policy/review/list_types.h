/*
 * list_types.h: how the items of a list are told apart, without a schema.
 *
 * The object's own FieldsV1 shows it: children k:{...} name the key fields, v: a set, a leaf an atomic list.
 * Where nobody owns anything in the list, a table of the built-in types does (kubernetes/api, listType and
 * listMapKey markers). Where neither knows, the answer is that it is not known.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_LIST_TYPES_H
#define APPLYGUARD_POLICY_REVIEW_LIST_TYPES_H

#include "policy/fieldset/path.h"
#include "policy/review/review.h"

/* Unknown, too, where finding it out would take too long: EFFORT_LISTS. */
enum list_kind { LIST_UNKNOWN, LIST_ATOMIC, LIST_SET, LIST_KEYED };

struct list_type {
    enum list_kind kind;
    struct slice_list keys; /* LIST_KEYED: names of the key fields */
};

/*
 * The type of the list at `path`. Items on the way are not told apart: all items of a list are of one type.
 */
struct list_type list_type_at(const struct review *review, const struct path *path);

/*
 * The type of a list of a built-in API type, by the table alone. `merge_key` is the one key field by which
 * client-side apply tells items apart (patchMergeKey); empty where it has none. Unknown for lists that the
 * table does not have, and for other groups.
 */
struct list_type list_type_builtin(struct slice group, const struct path *path, struct slice *merge_key);

#endif
