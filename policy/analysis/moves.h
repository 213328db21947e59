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

#include "policy/fieldset/path.h"
#include "policy/review/review.h"
#include "policy/rule_definition.h"

#include <stdbool.h>

/*
 * The part of a manager's loss that a gainer explains, and so the part of the gain that was moved to it: a
 * bit set.
 */
enum move_extent {
    MOVE_OWNED = 1,     /* what the gainer owns afterwards */
    MOVE_SHARED = 2,    /* what the gainer owns afterwards and owned before */
    MOVE_LABELS = 4,    /* labels and annotations */
    MOVE_ALL = 8,       /* everything, for any new owner */
    MOVE_RESTORED = 16, /* the gainer may own more than the previous owner did */
};

/*
 * The parts of `loser`, an entry of the old object, that may move to `gainer`, an entry of the new object: 0
 * or several of the above. `moves` are from the policy.
 */
unsigned moves_extent(
    const struct review *review, const struct manager_moves *moves,
    const struct managed_fields_entry *previous_owner, const struct managed_fields_entry *gainer);

/* How many steps it takes to match one entry with all of a side. */
size_t moves_steps(const struct managed_fields *side);

/* Whether the path is a label or an annotation: see MOVE_LABELS. */
bool moves_are_labels(const struct path *path);

/* Whether the request is that of a tool that writes the object's apiVersion into the entries of all managers.
 */
bool moves_rewrite_versions(const struct review *review);

/* Whether the request is that of a tool that clears all managedFields before its first apply. */
bool moves_clear_all(const struct review *review);

#endif
