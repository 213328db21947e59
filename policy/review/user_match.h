/*
 * user_match.h: matches the sender of a request against the names in a policy.
 *
 * Items are globs. An empty list matches no user; callers that treat an empty list as "all" check for it
 * before calling.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_USER_MATCH_H
#define APPLYGUARD_POLICY_REVIEW_USER_MATCH_H

#include "policy/review/review.h"
#include "policy/rule_definition.h"

#include <stdbool.h>

bool user_matches(const struct slice_list *users, const struct review *review);

/* Whether the user is in one of the groups. */
bool group_matches(const struct slice_list *groups, const struct review *review);

/* Whether the user is one of the service accounts, each NAMESPACE/NAME. */
bool service_account_matches(const struct slice_list *accounts, const struct review *review);

#endif
