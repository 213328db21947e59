/*
 * shared_fields.h: the leaf fields that an entry of managedFields owns together with appliers.
 *
 * Only what says something of two configurations counts: no memberships, no key fields of list items (whoever
 * sets one field of an item declares its key), nothing that tools keep for themselves, nothing that the
 * object does not hold, and no defaults that a client-side applier owns but never declared.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_SHARED_FIELDS_H
#define APPLYGUARD_POLICY_ANALYSIS_SHARED_FIELDS_H

#include "policy/fieldset/fieldset_overlap.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"

/* Some of the object's entries: what lies behind their count is not set. */
struct appliers {
    const struct managed_fields_entry *entries[FIELDSET_OVERLAP_MAX];
    size_t count;
    bool too_many; /* there are more, so that they cannot be compared */
};

/*
 * Finds the appliers of the object beside the taker whose fields mean the same as the taker's: entries of
 * another apiVersion are left out, and so are those that the taker absorbs when it applies. `mixed` chooses
 * those that mix with the taker's way of applying, or those that do not.
 */
void appliers_beside_taker(const struct review *review, bool mixed, struct appliers *appliers);

/*
 * Whether the two apply one object in two ways: one server-side, and the other client-side or under the same
 * name.
 */
bool appliers_mix(
    const struct ownership *ownership, const struct managed_fields_entry *a,
    const struct managed_fields_entry *b);

struct shared_fields {
    const struct slice *fields; /* at most FINDING_FIELDS_MAX, printable */
    size_t listed;
    size_t total;
    const struct manager *owners; /* of the appliers, those that share at least one of them */
    size_t owner_count;
    bool is_news; /* the taker did not own one of them before, or an owner has written since the taker did */
};

/*
 * The fields of the taker's entry that others own as well. None, and a word of it among the unjudged, where
 * they cannot be compared.
 */
struct shared_fields shared_fields_find(
    const struct review *review, struct verdict *verdict, const struct appliers *others);

/* The same of the fields that the taker's entry had, and has no more. */
struct shared_fields shared_fields_find_dropped(
    const struct review *review, struct verdict *verdict, const struct appliers *others);

#endif
