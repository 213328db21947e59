/*
 * review_classify.h: a review as one policy sees it.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_REVIEW_CLASSIFY_H
#define APPLYGUARD_POLICY_REVIEW_REVIEW_CLASSIFY_H

#include "policy/review/review.h"

/*
 * The review with its managers classified by a policy's class rules (NULL: none), and with its writer found.
 * A copy, which shares the objects and entries with `decoded`, and has caches and bounds of effort of its
 * own: so one review can be judged under several policies. It lives as long as `decoded`. Returns NULL if
 * memory runs out.
 */
struct review *review_classify(const struct review *decoded, const struct class_rules *class_rules);

#endif
