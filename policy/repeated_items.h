/*
 * repeated_items.h: list items that a last-applied configuration declares more than once.
 *
 * Client-side apply tells items apart by one key field (patchMergeKey), server-side apply by several
 * (listMapKey); they differ for ports and for topologySpreadConstraints (kubernetes/api, core/v1/types.go).
 */
#ifndef APPLYGUARD_POLICY_REPEATED_ITEMS_H
#define APPLYGUARD_POLICY_REPEATED_ITEMS_H

#include "policy/review.h"
#include "policy/slice.h"
#include "policy/verdict.h"

enum repetition {
    REPEATED_KEY,       /* every key field is the same */
    REPEATED_MERGE_KEY, /* only client-side apply's is */
};

/* Items that are told apart; beyond, they are counted. */
#define REPEATED_ITEMS_MAX FINDING_FIELDS_MAX

struct repeated_items {
    struct slice fields[REPEATED_ITEMS_MAX]; /* printed paths: .spec.ports[port=53] */
    size_t count;                            /* of the fields that are listed */
    size_t total;
};

/*
 * Collects the items of the annotation that the request wrote, each once however often it is repeated. None
 * where it wrote none, wrote another object's, or only keeps books. False if there is no memory. Lists of
 * types that are not built in are not judged: their keys are not known here.
 */
bool repeated_items_collect(
    const struct review *review, enum repetition repetition, struct repeated_items *items);

#endif
