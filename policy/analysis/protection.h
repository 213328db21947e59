/*
 * protection.h: finalizers that the control plane adds again at once if a request removes them.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_PROTECTION_H
#define APPLYGUARD_POLICY_ANALYSIS_PROTECTION_H

#include "policy/fieldset/path.h"
#include "policy/review/review.h"

#include <stdbool.h>

/*
 * Whether the path is such a finalizer of the object, which is not being deleted. To remove it has no effect:
 * a file that replaces the object seldom has it.
 */
bool protection_returns(const struct review *review, const struct path *path);

#endif
