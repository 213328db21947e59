/*
 * identity.h: who sends a request, against the names that a policy lists.
 *
 * Items are globs. An empty list matches nobody: whoever means everybody by it asks before.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_IDENTITY_H
#define APPLYGUARD_POLICY_REVIEW_IDENTITY_H

#include "policy/review/review.h"
#include "policy/rule_definition.h"

#include <stdbool.h>

bool identity_is_user(const struct slice_list *users, const struct review *review);

/* Whether the user is in one of the groups. */
bool identity_is_in_group(const struct slice_list *groups, const struct review *review);

/* Whether the user is one of the service accounts, each NAMESPACE/NAME. */
bool identity_is_service_account(const struct slice_list *accounts, const struct review *review);

#endif
