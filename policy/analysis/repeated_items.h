/*
 * repeated_items.h: list items that client-side apply confuses with each other.
 *
 * Client-side apply identifies items by one key field (patchMergeKey), server-side apply by several
 * (listMapKey). These differ for ports and topologySpreadConstraints (kubernetes/api, core/v1/types.go).
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_REPEATED_ITEMS_H
#define APPLYGUARD_POLICY_ANALYSIS_REPEATED_ITEMS_H

#include "base/slice.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"

/* The limit of listed items; further ones are only counted. */
#define REPEATED_ITEMS_MAX FINDING_FIELDS_MAX

struct repeated_items {
    struct slice fields[REPEATED_ITEMS_MAX]; /* printed paths: .spec.ports[port=53] */
    size_t count;                            /* of the listed fields */
    size_t total;
};

/* The repeated items that a request applied client-side, each listed once. */
struct repeated_items_applied {
    struct repeated_items by_key; /* all key fields are equal */
    struct repeated_items kept;   /* the same, and they were in the configuration before, too */
    /*
     * Only the merge key is equal, to that of another declared item or of another item of the object. A list
     * with items of both kinds is only in `by_key`.
     */
    struct repeated_items by_merge_key;
    /*
     * Items of which the configuration before had several, this one has fewer, and the object has none:
     * client-side apply has removed them all. Those whose merge key alone was equal are in the second one.
     */
    struct repeated_items lost, lost_by_merge_key;
};

/*
 * The repeated items that this request applied; empty if it applied nothing client-side. Returns NULL if
 * memory runs out. The first call computes the result and caches it in the review. Lists of types that are
 * not built in are not judged, because their keys are unknown.
 */
const struct repeated_items_applied *repeated_items_applied(const struct review *review);

/* The sentence about lost items, with the way to keep the one that the manifest has. */
struct slice repeated_items_describe_lost(const struct review *review, const struct repeated_items *items);

/*
 * Collects the items of `configuration`, which another manager applies client-side, whose merge key has
 * become that of several items of the object through this request.
 */
void repeated_items_collect_made(
    const struct review *review, yyjson_val *configuration, struct repeated_items *items);

#endif
