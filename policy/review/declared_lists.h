/*
 * declared_lists.h: the lists in a configuration whose items have keys.
 *
 * Looked for are the lists of built-in kinds that run pods, of Services and of ServiceAccounts. Of any other
 * kind it is not known how client-side apply merges its lists: custom resources it replaces whole.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_DECLARED_LISTS_H
#define APPLYGUARD_POLICY_REVIEW_DECLARED_LISTS_H

#include "policy/fieldset/path.h"
#include "policy/review/list_types.h"
#include "policy/review/review.h"

struct declared_list {
    const struct path *path; /* valid during the visit only */
    const struct list_type *type;
    struct slice merge_key; /* by which client-side apply tells items apart */
    yyjson_val *declared;
    /* The same list in the old object, and in the object; NULL: it has none, or it is not known which it is.
     * Looked up only where the list has several key fields: one field tells items apart by what is declared.
     */
    yyjson_val *before;
    yyjson_val *after;
};

typedef void declared_list_visit(void *context, const struct declared_list *list);

/*
 * Visits each keyed list that `configuration` declares; nothing where it is NULL or the kind is another. The
 * same lists are looked up in `old_object` and `object`; NULL spares that.
 */
void declared_lists_visit(
    const struct review *review, yyjson_val *configuration, yyjson_val *old_object, yyjson_val *object,
    declared_list_visit *visit, void *context);

#endif
