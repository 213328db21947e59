/*
 * repeated_items.h: list items that client-side apply takes for one another.
 *
 * It tells items apart by one key field (patchMergeKey), server-side apply by several (listMapKey); they
 * differ for ports and for topologySpreadConstraints (kubernetes/api, core/v1/types.go).
 */
#ifndef APPLYGUARD_POLICY_REPEATED_ITEMS_H
#define APPLYGUARD_POLICY_REPEATED_ITEMS_H

#include "policy/review.h"
#include "policy/slice.h"
#include "policy/verdict.h"

enum repetition {
    REPEATED_KEY,       /* every key field is the same */
    REPEATED_MERGE_KEY, /* only client-side apply's is. A list that has both is left to REPEATED_KEY */
};

/* Items that are listed; beyond, they are counted. */
#define REPEATED_ITEMS_MAX FINDING_FIELDS_MAX

struct repeated_items {
    struct slice fields[REPEATED_ITEMS_MAX]; /* printed paths: .spec.ports[port=53] */
    size_t count;                            /* of the fields that are listed */
    size_t total;
};

/*
 * Collects the items that this request applied client-side, each once however often it is repeated; by merge
 * key also those beside which the object has others. None where it applied nothing in that way. False if
 * there is no memory. Lists of types that are not built in are not judged: their keys are not known here.
 */
bool repeated_items_collect(
    const struct review *review, enum repetition repetition, struct repeated_items *items);

/*
 * Collects the items of `configuration`, which somebody else applies client-side, whose merge key this
 * request has made the key of several items of the object.
 */
bool repeated_items_collect_made(
    const struct review *review, yyjson_val *configuration, struct repeated_items *items);

#endif
