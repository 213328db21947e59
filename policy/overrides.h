/*
 * overrides.h: which of a policy's overrides and waivers are for a review.
 */
#ifndef APPLYGUARD_POLICY_OVERRIDES_H
#define APPLYGUARD_POLICY_OVERRIDES_H

#include "policy/config.h"
#include "policy/review.h"

#include <stdbool.h>

/* Whether every list of the match is empty or has an item that fits. */
bool override_matches(const struct override_match *match, const struct review *review);

/* Whether the object's annotation applyguard.io/waive names the rule: a list of names, separated by commas.
 */
bool waiver_names_rule(const struct review *review, enum rule_id rule);

#endif
