/*
 * comparison.h: server-side applies by which a tool only compares what is with what it declares.
 *
 * helm-controller detects drift by a dry run, Argo CD shows its server-side diff, and Flux finds out what it
 * has to apply. They do not keep what the dry run shows: what they then write is another request, often of
 * another kind, and is judged for itself.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_COMPARISON_H
#define APPLYGUARD_POLICY_REVIEW_COMPARISON_H

#include "policy/review/review.h"

#include <stdbool.h>

/*
 * Whether the review is of such a dry run. It repeats at each interval, its warnings have no reader, and a
 * denial would only keep the tool from comparing: it may hold fields that the tool is configured to ignore.
 */
bool is_comparison(const struct review *review);

#endif
