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

#include <stdbool.h>

struct declared_list {
    const struct path *path; /* valid during the visit only */
    const struct list_type *type;
    struct slice merge_key; /* the key by which client-side apply identifies items */
    yyjson_val *declared;
    /* The same list in the other values. NULL: absent, or it is ambiguous. */
    yyjson_val *before;
    yyjson_val *after;
    bool is_absent_after; /* it is absent, and the object that would hold it is not */
};

/*
 * The values in which each visited list is looked up; any may be NULL. Lists with one key field are looked up
 * only if `all` is set: the declared items mostly suffice to identify these.
 */
struct declared_list_places {
    yyjson_val *before;
    yyjson_val *after;
    bool all;
};

typedef void declared_list_visit(void *context, const struct declared_list *list);

/* Visits each keyed list that `configuration` declares. Does nothing if it is NULL or of another kind. */
void declared_lists_visit(
    const struct review *review, yyjson_val *configuration, const struct declared_list_places *places,
    declared_list_visit *visit, void *context);

#endif
