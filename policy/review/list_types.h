/*
 * list_types.h: finds out, without a schema, how the items of a list are identified.
 *
 * The object's own FieldsV1 shows it: children k:{...} name the key fields, v: means a set, and a leaf means
 * an atomic list. If no manager owns anything in the list, a table of the built-in types is used
 * (kubernetes/api, listType and listMapKey markers). Otherwise the type is unknown.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_LIST_TYPES_H
#define APPLYGUARD_POLICY_REVIEW_LIST_TYPES_H

#include "policy/fieldset/path.h"
#include "policy/review/review.h"

/* LIST_UNKNOWN also if the search would take too long: EFFORT_LISTS. */
enum list_kind { LIST_UNKNOWN, LIST_ATOMIC, LIST_SET, LIST_KEYED };

struct list_type {
    enum list_kind kind;
    struct slice_list keys; /* LIST_KEYED: names of the key fields */
};

/*
 * The type of the list at `path`. Any item of a list on the way may be searched, because all items of a list
 * have the same type.
 */
struct list_type list_type_at(const struct review *review, const struct path *path);

/*
 * The type of a list of a built-in API type, from the table only. Sets `merge_key` to the key field by which
 * client-side apply identifies items (patchMergeKey), or to an empty slice. LIST_UNKNOWN for other lists and
 * other groups.
 */
struct list_type list_type_builtin(struct slice group, const struct path *path, struct slice *merge_key);

#endif
