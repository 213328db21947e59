/*
 * shared_fields.h: the leaf fields that a managedFields entry owns together with appliers.
 *
 * Only fields that both configurations really declare count. Excluded are memberships, key fields of list
 * items (setting any field of an item declares its key), bookkeeping fields, fields that the object does not
 * have, and defaults that a client-side applier owns but never declared.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_SHARED_FIELDS_H
#define APPLYGUARD_POLICY_ANALYSIS_SHARED_FIELDS_H

#include "policy/fieldset/fieldset_overlap.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"

/* Some of the object's entries. */
struct appliers {
    const struct managed_fields_entry *entries[FIELDSET_OVERLAP_MAX];
    size_t count;
    bool too_many; /* there are more than can be compared */
};

/*
 * Finds the object's other appliers whose fields can be compared with the writer's. Omits entries of another
 * apiVersion, and entries that the writer absorbs when it applies. `mixed` selects appliers that apply the
 * object in the writer's other way: one of the two server-side, and the other client-side or under the same
 * name.
 */
void appliers_beside_writer(const struct review *review, bool mixed, struct appliers *appliers);

struct shared_fields {
    const struct slice *fields; /* at most FINDING_FIELDS_MAX, printable */
    size_t listed;
    size_t total;
    const struct manager *owners; /* the appliers that share at least one of them */
    size_t owner_count;
    bool is_news; /* there is one that the writer did not own before, or an owner has written since the writer
                     did; and the writer does more than compare */
};

/*
 * The fields of the writer's entry that others own as well. If they cannot be compared, returns none and
 * records that as unjudged.
 */
struct shared_fields shared_fields_find(
    const struct review *review, struct verdict *verdict, const struct appliers *others);

/* The same for fields that the writer's entry had before but no longer has. */
struct shared_fields shared_fields_find_dropped(
    const struct review *review, struct verdict *verdict, const struct appliers *others);

#endif
