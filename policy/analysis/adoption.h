/*
 * adoption.h: tools that take objects over from the tool that applied them before.
 *
 * People move a deployment from kubectl or Helm to a GitOps tool, and that tool takes what the other one
 * owned: once, on purpose, and with its own clean-up. From then on it has an entry of its own. While the
 * former tool does not write again, whatever else the new one takes of it belongs to the same move.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_ADOPTION_H
#define APPLYGUARD_POLICY_ANALYSIS_ADOPTION_H

#include "policy/managers.h"
#include "policy/review/ownership.h"

#include <stdbool.h>

enum adoption {
    ADOPTION_NONE, /* the taker's tool adopts nothing of that tool, which may own nothing, or write in turn */
    ADOPTION_BEGINS,  /* the taker's tool has no entry yet */
    ADOPTION_SETTLED, /* the former tool has not written since the taker's tool did */
};

/* How far the taker's tool has come in adopting the object from the former one. */
enum adoption adoption_from(const struct ownership *ownership, enum tool former);

/* Whether the taker's tool removes the last-applied annotation from what it applies. */
bool adoption_removes_last_applied(const struct ownership *ownership);

#endif
