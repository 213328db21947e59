/*
 * ownership_applier.h: the manager that applies a stored object.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_OWNERSHIP_APPLIER_H
#define APPLYGUARD_POLICY_REVIEW_OWNERSHIP_APPLIER_H

#include "policy/review/ownership.h"

/*
 * Makes the object's applier the writer of the review, as if it had just applied the object: that of a whole
 * workload before one of a few fields; then a server-side applier that is a known tool, else the owner of the
 * last-applied annotation, else another applier. If an
 * object has no applier, or a controller made it, the writer is unknown. Call it after ownership_classify.
 */
void ownership_set_applier(struct ownership *ownership);

#endif
