/*
 * replacement.h: appliers that write the whole object, and so undo what others add to it or change in it.
 *
 * kapp sends its manifest with what its rebase rules copy from the cluster, and Argo CD with Replace=true its
 * manifest alone. Neither asks who owns a field.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_REPLACEMENT_H
#define APPLYGUARD_POLICY_ANALYSIS_REPLACEMENT_H

#include "policy/fieldset/path.h"
#include "policy/review/review.h"

#include <stdbool.h>

enum replacer_tool { REPLACER_NONE, REPLACER_KAPP, REPLACER_ARGOCD };

struct replacer {
    enum replacer_tool tool;
    const struct managed_fields_entry *entry;
    yyjson_val *configuration; /* what kapp declares; NULL for Argo CD: it is not known */
};

/* The replacer of the old object. REPLACER_NONE if it does not exist, or if the new object disables it. */
struct replacer replacer_of(const struct review *review);

/* The replacer of an object as a cluster stores it. */
struct replacer replacer_of_stored(const struct review *review);

/* Kapp's configuration of the new object, if kapp is the writer. NULL: it is not, or it is not known. */
yyjson_val *replacement_configuration(const struct review *review);

/* Whether a replacer leaves the field as it is: the API server's own, and what kapp copies by default. */
bool replacer_keeps(const struct path *path);

#endif
