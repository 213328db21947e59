/*
 * moves.h: who may move ownership although no value changes, by writing metadata.managedFields.
 *
 * Tools that go over to server-side apply, or adopt what another tool applied, move what others owned into
 * their own Apply entry, so that what a manifest drops goes away. Which tool moves what is one table, by the
 * manager that gains; a policy adds lines of its own. All that others lose beside these is rewritten.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_MOVES_H
#define APPLYGUARD_POLICY_ANALYSIS_MOVES_H

#include "policy/review/review.h"
#include "policy/rule_definition.h"

#include <stdbool.h>

/* How much of what a manager lost another one accounts for: a set of these. */
enum move_extent {
    MOVE_OWNED = 1,  /* what the other one owns afterwards */
    MOVE_SHARED = 2, /* what the other one owns afterwards, and owned before */
    MOVE_LABELS = 4, /* labels and annotations */
    MOVE_ALL = 8,    /* everything */
};

/* What `loser`, an entry of the old object, may lose for the sake of `gainer`, an entry of the object: 0 or
 * several of the above. `moves` are the policy's own. */
unsigned moves_extent(
    const struct review *review, const struct manager_moves *moves, const struct managed_fields_entry *loser,
    const struct managed_fields_entry *gainer);

/* Whether a tool has cleared all managedFields before it applies for the first time. */
bool moves_clear_all(const struct review *review);

#endif
