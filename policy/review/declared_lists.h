/*
 * declared_lists.h: finds the lists in a configuration whose items have keys.
 *
 * It searches built-in kinds that run pods, Services and ServiceAccounts. For other kinds it is unknown how
 * client-side apply merges lists; in custom resources it replaces them whole.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_DECLARED_LISTS_H
#define APPLYGUARD_POLICY_REVIEW_DECLARED_LISTS_H

#include "policy/fieldset/path.h"
#include "policy/review/list_types.h"
#include "policy/review/review.h"

struct declared_list {
    const struct path *path; /* valid during the visit only */
    const struct list_type *type;
    struct slice merge_key; /* the key by which client-side apply identifies items */
    yyjson_val *declared;
    /*
     * The same list in the old object and in the object. NULL: absent, or it is ambiguous. Set only if
     * the list has several key fields; with one, the declared items suffice to identify items.
     */
    yyjson_val *before;
    yyjson_val *after;
};

typedef void declared_list_visit(void *context, const struct declared_list *list);

/*
 * Visits each keyed list that `configuration` declares. Does nothing if it is NULL or of another kind. Looks
 * up the same lists in `old_object` and `object`, either of which may be NULL.
 */
void declared_lists_visit(
    const struct review *review, yyjson_val *configuration, yyjson_val *old_object, yyjson_val *object,
    declared_list_visit *visit, void *context);

#endif
