/*
 * orphans.h: fields that stay on an object because no apply removes them.
 *
 * An apply removes only what its own manager owns. So a field that only people and scripts own stays until it
 * is deleted by hand.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_ORPHANS_H
#define APPLYGUARD_POLICY_ANALYSIS_ORPHANS_H

#include "policy/review/review.h"

#include <stdbool.h>

/*
 * Whether what the entry alone owns is left behind by every apply: it is an ad-hoc manager's, cannot hold the
 * defaults of the object's creation, and is not taken over by the absorber (absorption.h), which may be NULL.
 */
bool orphans_leaves_behind(
    const struct review *review, const struct managed_fields_entry *entry,
    const struct managed_fields_entry *absorber);

/*
 * Whether a few fields of a workload are applied server-side, while another manager owns its selector: it is
 * that one's manifest which lacks what is left.
 */
bool orphans_are_of_another(const struct review *review);

/* Whether the field is not the manifest's to remove: handles of controllers, what tools keep for themselves,
 * and what the API server writes. */
bool orphans_is_exempt(const struct path *path);

/*
 * The API server stores a Secret's stringData as data. Whether this field of data, or for data itself any of
 * it, is stringData in the last-applied annotation (NULL: it has none), and in an Apply entry, which keeps
 * the manifest's name for it. For an Apply entry also true if the search would take too long (EFFORT_OWNERS).
 */
bool orphans_is_declared_plain(const struct review *review, yyjson_val *string_data, const struct path *path);
bool orphans_is_applied_plain(const struct review *review, const struct path *path);

#endif
