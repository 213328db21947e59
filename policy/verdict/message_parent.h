/*
 * message_parent.h: the object that people change instead of one that a controller made.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_PARENT_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_PARENT_H

#include "base/slice.h"
#include "policy/review/review.h"

/*
 * "ScaledObject web": the controller in the object's ownerReferences. For a pod of a Deployment it is the
 * Deployment, not its ReplicaSet. Printable. Empty: it does not exist; or memory runs out.
 */
struct slice message_parent(const struct review *review);

#endif
