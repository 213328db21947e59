/*
 * overrides.h: which of a policy's overrides are for a review, and which have expired.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_OVERRIDES_H
#define APPLYGUARD_POLICY_VERDICT_OVERRIDES_H

#include "policy/config/config.h"
#include "policy/review/review.h"

#include <stdbool.h>

/* Whether every list of the match is empty or has an item that fits. */
bool override_matches(const struct override_match *match, const struct review *review);

/* Whether the match picks the writer out, by its manager's name, user, group or service account. */
bool override_names_writer(const struct override_match *match);

/*
 * The next of the policy's overrides, from the `*index`th on, that is expired at the time `until` but was not
 * at `since`; then `*index` is its index, to be increased before the next call. NULL: there is none. With
 * INT64_MIN as `since` all that are expired are found.
 */
const struct override *overrides_expiring(
    const struct policy *policy, int64_t since, int64_t until, size_t *index);

#endif
