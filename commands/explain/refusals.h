/* refusals.h: the resolutions of a conflict that the policy would deny. */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_REFUSALS_H
#define APPLYGUARD_COMMANDS_EXPLAIN_REFUSALS_H

#include "owners/explained.h"
#include "policy/config/config.h"

/* Sets `refused_by` of the resolutions. */
void refusals_find(
    const struct policy *policy, const struct conflict_report *report, struct explained *explained);

#endif
