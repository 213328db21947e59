/*
 * repeated_items.h: list items that client-side apply takes for one another.
 *
 * It tells items apart by one key field (patchMergeKey), server-side apply by several (listMapKey); they
 * differ for ports and for topologySpreadConstraints (kubernetes/api, core/v1/types.go).
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_REPEATED_ITEMS_H
#define APPLYGUARD_POLICY_ANALYSIS_REPEATED_ITEMS_H

#include "base/slice.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"

/* Items that are listed; beyond, they are counted. */
#define REPEATED_ITEMS_MAX FINDING_FIELDS_MAX

struct repeated_items {
    struct slice fields[REPEATED_ITEMS_MAX]; /* printed paths: .spec.ports[port=53] */
    size_t count;                            /* of the fields that are listed */
    size_t total;
};

/* What a request applied client-side, each item once however often it is repeated. */
struct repeated_items_applied {
    struct repeated_items by_key; /* every key field is the same */
    /* Only client-side apply's is, in what is declared or beside it in the object. A list that has items of
     * both kinds is left to `by_key`. */
    struct repeated_items by_merge_key;
};

/*
 * What this request applied; no items where it applied nothing client-side. NULL if there is no memory. The
 * first call collects and the review keeps the result. Lists of types that are not built in are not judged:
 * their keys are not known here.
 */
const struct repeated_items_applied *repeated_items_applied(const struct review *review);

/*
 * Collects the items of `configuration`, which somebody else applies client-side, whose merge key this
 * request has made the key of several items of the object. False if there is no memory.
 */
bool repeated_items_collect_made(
    const struct review *review, yyjson_val *configuration, struct repeated_items *items);

#endif
