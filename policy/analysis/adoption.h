/*
 * adoption.h: tools that take objects over from the tool that applied them before.
 *
 * People move a deployment from kubectl or Helm to a GitOps tool, and that tool takes what the other one
 * owned: once, on purpose, and with its own clean-up. From then on it has an entry of its own, and whatever
 * it takes is judged as ever.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_ADOPTION_H
#define APPLYGUARD_POLICY_ANALYSIS_ADOPTION_H

#include "policy/managers.h"
#include "policy/review/ownership.h"

#include <stdbool.h>

/* Whether the taker is adopting the object, and from a tool such as this one. */
bool adoption_is_from(const struct ownership *ownership, enum tool former);

/* Whether the taker's tool removes the last-applied annotation from what it applies. */
bool adoption_removes_last_applied(const struct ownership *ownership);

#endif
