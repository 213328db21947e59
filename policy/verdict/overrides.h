/*
 * overrides.h: which of a policy's overrides and scoped waivers match a review, and which have expired.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_OVERRIDES_H
#define APPLYGUARD_POLICY_VERDICT_OVERRIDES_H

#include "policy/config/config.h"
#include "policy/review/review.h"

#include <stdbool.h>

/*
 * Whether every list of the match is empty or has an item that matches, and the object has all labels of the
 * match.
 */
bool override_matches(const struct override_match *match, const struct review *review);

/* Whether the match limits the writer: it has managers, users, groups or service accounts. */
bool override_names_writer(const struct override_match *match);

/*
 * Finds the next override, from `*index` on, that has expired at the time `until` but had not at `since`, and
 * sets `*index` to its index, which the caller increments before the next call. NULL if it does not exist.
 * INT64_MIN as `since` finds all that have expired.
 */
const struct override *overrides_expiring(
    const struct policy *policy, int64_t since, int64_t until, size_t *index);

/* The same two for scoped waivers. */
bool scoped_waiver_matches(const struct scoped_waiver *waiver, const struct review *review);
const struct scoped_waiver *waivers_expiring(
    const struct policy *policy, int64_t since, int64_t until, size_t *index);

#endif
