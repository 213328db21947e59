/*
 * removals.h: requests that remove fields and do not show who sent them.
 *
 * An update that takes no field leaves no trace of its writer: no entry gains a field, and no time changes
 * (apimachinery, managedfieldsupdater.go). Where such a request names no field manager, it may be one of the
 * owner, which drops a field of its own, unless the owner always names itself.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_REMOVALS_H
#define APPLYGUARD_POLICY_ANALYSIS_REMOVALS_H

#include "policy/managers.h"

#include <stdbool.h>

/*
 * Whether a request that names no field manager may be one of this owner. One that sends no name is known by
 * its User-Agent: kapp, Terraform, client libraries.
 */
bool removal_may_be_its_own(const struct manager *owner);

#endif
