/*
 * scale.h: requests to the subresource scale, judged as what they do to the object that is scaled.
 *
 * Such a request is reviewed as a Scale: the number of replicas, and no word of who owns it. With the scaled
 * object beside it, as the API server has it, it is the change of .spec.replicas that it is. Fetching the
 * object is the caller's.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_SCALE_H
#define APPLYGUARD_POLICY_REVIEW_SCALE_H

#include "policy/review/review.h"

#include <stdbool.h>

/* What to fetch. Its names are such as paths of the API have: no more than letters, digits, dots, dashes. */
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
 * The review of the scaled object, `object` as the API server answers it, with the replicas that the scale
 * asks for. NULL if the review is no such scale, the object is another, or there is no memory (which the
 * review's arena tells).
 */
struct review *scale_review(const struct review *scale, struct slice object);

#endif
