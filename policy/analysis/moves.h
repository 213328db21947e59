/*
 * moves.h: which managers may move ownership, without a change of value, by writing metadata.managedFields.
 *
 * Tools that migrate to server-side apply, or adopt objects of another tool, move the fields of others into
 * their own Apply entry, so that fields are removed when the manifest drops them. One table lists which tool
 * moves what, by the gaining manager, and a policy can add to it. Any other loss is a rewrite
 * (ownership_rewrites.h).
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_MOVES_H
#define APPLYGUARD_POLICY_ANALYSIS_MOVES_H

#include "policy/review/review.h"
#include "policy/rule_definition.h"

#include <stdbool.h>

/* Which part of a manager's loss a gainer explains: a bit set. */
enum move_extent {
    MOVE_OWNED = 1,  /* what the gainer owns afterwards */
    MOVE_SHARED = 2, /* what the gainer owns afterwards and owned before */
    MOVE_LABELS = 4, /* labels and annotations */
    MOVE_ALL = 8,    /* everything */
};

/*
 * What `loser`, an entry of the old object, may lose to `gainer`, an entry of the new object: 0 or several of
 * the above. `moves` are from the policy.
 */
unsigned moves_extent(
    const struct review *review, const struct manager_moves *moves, const struct managed_fields_entry *loser,
    const struct managed_fields_entry *gainer);

/* Whether the request is that of a tool that clears all managedFields before its first apply. */
bool moves_clear_all(const struct review *review);

#endif
