/*
 * replicas.h: .spec.replicas, the field that manifests and autoscalers fight over most.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_REPLICAS_H
#define APPLYGUARD_POLICY_ANALYSIS_REPLICAS_H

#include "policy/review/review.h"

#include <stdbool.h>

#define REPLICAS_PATH ".spec.replicas"

/* Whether objects of the kind run one pod if no number is set. */
bool replicas_become_one(const struct review *review);

/*
 * Whether an apply no longer declares replicas, and the number falls because of that: no other manager owns
 * it, so a default replaces it, which is mostly 1.
 */
bool replicas_dropped(const struct review *review);

#endif
