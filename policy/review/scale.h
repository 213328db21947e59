/*
 * scale.h: judges requests to the subresource scale as changes of the scaled object.
 *
 * The review of such a request holds a Scale: the number of replicas, but not who owns it. Together with the
 * scaled object, which the caller fetches from the API server, it becomes a review of a change of
 * .spec.replicas.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_SCALE_H
#define APPLYGUARD_POLICY_REVIEW_SCALE_H

#include "policy/review/review.h"

#include <stdbool.h>

/* The object to fetch. Its names are safe in API paths: only letters, digits, dots and dashes. */
struct scale_target {
    struct resource resource;
    struct slice namespace;
    struct slice name;
    struct slice uid;
    struct slice resource_version; /* of the object before the request */
};

/*
 * Whether the review changes the replicas of a Deployment, StatefulSet or ReplicaSet through scale. The
 * target's slices point into the review.
 */
bool scale_target_of(const struct review *review, struct scale_target *target);

/*
 * The review of the scaled object with the replicas that the scale requests, classified by a policy's class
 * rules (NULL: none). `object` is the API server's answer. NULL if the review is not such a scale, if the
 * object is a different one, or if memory runs out (then arena_has_failed is true for the review's arena).
 */
struct review *scale_review(
    const struct review *scale, struct slice object, const struct class_rules *class_rules);

#endif
