/*
 * ownership.h: whose fields are whose, before and after the request, and who wrote it.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_OWNERSHIP_H
#define APPLYGUARD_POLICY_REVIEW_OWNERSHIP_H

#include "base/effort.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/managed_fields.h"

/*
 * Reads managedFields of the review's old object and object (either may be NULL), pairs their entries and
 * finds the taker. All else of the review must have been read. `subresource` is the one that entries of this
 * request have. False if there is no memory.
 */
bool ownership_read(struct ownership *ownership, const struct review *review, struct slice subresource);

/* The class of whoever writes the request under this name: `after` is what it owns then, or NULL. */
enum manager_class ownership_writer_class(
    const struct ownership *ownership, const struct manager *manager,
    const struct managed_fields_entry *after);

/* The class of an entry of either side, as an owner. */
enum manager_class ownership_class(
    const struct ownership *ownership, const struct managed_fields_entry *entry);

/* Whether an entry of the object but the taker's is of the class. The first call finds it out for all. */
bool ownership_has_other(const struct ownership *ownership, enum manager_class class);

/* Whether one entry may have been written when the other was, or later; of one without a time it is not
 * known. */
bool entry_may_be_newer(const struct managed_fields_entry *entry, const struct managed_fields_entry *than);

/* Whether the entry owns the last-applied annotation. The first call finds out and keeps it. */
bool entry_owns_last_applied(const struct managed_fields_entry *entry);

/* Whether the field is one that tools keep for themselves; who writes it last is no conflict. */
bool field_is_bookkeeping(const struct path *path);

/* Whether the entry is of a client-side applier: one that owns the last-applied annotation, or kubectl by
 * name. */
bool entry_applies_client_side(const struct ownership *ownership, const struct managed_fields_entry *entry);

/* Whether somebody applies the object client-side. */
bool managed_fields_client_side_applied(const struct ownership *ownership, const struct managed_fields *side);

/* Whether somebody applies the object server-side, bookkeeping aside. */
bool managed_fields_server_side_applied(const struct ownership *ownership, const struct managed_fields *side);

/*
 * Whether owning a path says only that a map or list is there, not what is in it: somebody of the side owns
 * something below. `value` is what the path leads to; NULL: nothing, so that it may have been a map.
 */
enum search_answer managed_fields_bare(
    const struct managed_fields *side, const struct path *path, yyjson_val *value, struct lookup *lookup);

/* The same of both sides of the review. */
enum search_answer ownership_bare(
    const struct ownership *ownership, const struct path *path, yyjson_val *value, struct lookup *lookup);

#endif
