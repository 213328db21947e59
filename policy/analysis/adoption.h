/*
 * adoption.h: tools that take over objects from the tool that applied them before.
 *
 * When people move an object from kubectl or Helm to a GitOps tool, that tool takes the former tool's fields
 * once and on purpose, and cleans up. From then on it has an entry of its own. As long as the former tool
 * does not write again, anything else that the new tool takes from it belongs to the same move.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_ADOPTION_H
#define APPLYGUARD_POLICY_ANALYSIS_ADOPTION_H

#include "policy/managers.h"
#include "policy/review/ownership.h"

#include <stdbool.h>

enum adoption {
    ADOPTION_NONE, /* the taker's tool adopts nothing from the former one, which owns nothing or still writes
                    */
    ADOPTION_BEGINS,  /* the taker's tool has no entry yet */
    ADOPTION_SETTLED, /* the former tool has not written since the taker's tool did */
};

/* How far the taker's tool has adopted the object from the former one. */
enum adoption adoption_from(const struct ownership *ownership, enum tool former);

/* Whether the taker's tool removes the last-applied annotation from objects that it applies. */
bool adoption_removes_last_applied(const struct ownership *ownership);

#endif
