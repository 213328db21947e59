/*
 * ownership.h: whose fields are whose: metadata.managedFields before and after the request, and who wrote it.
 *
 * The identity of an entry is manager, operation, subresource and, for Update, apiVersion (apimachinery,
 * managedfields/internal/manager... BuildManagerIdentifier); time and fieldsType are never part of it.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_OWNERSHIP_H
#define APPLYGUARD_POLICY_REVIEW_OWNERSHIP_H

#include "base/arena.h"
#include "base/effort.h"
#include "base/slice.h"
#include "policy/action.h"
#include "policy/fieldset/path.h"
#include "policy/managers.h"

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

struct lookup;

struct managed_fields_entry {
    struct manager manager;
    struct slice api_version;
    struct slice time;
    yyjson_val *fields; /* FieldsV1: an object, or NULL where there is none that can be read */
    bool old;           /* it is the old object's */
    /* The entry of the same identity in the other object; NULL: there is none. */
    const struct managed_fields_entry *counterpart;
    bool same_fields; /* the counterpart owns the very same */
    bool has_class;   /* whether `class` stands: ownership_class tells it */
    enum manager_class class;
    bool is_searched; /* whether `owns_last_applied` stands: entry_owns_last_applied tells it */
    bool owns_last_applied;
};

struct managed_fields {
    struct managed_fields_entry *entries; /* in stored order */
    size_t count;
    size_t unreadable; /* entries that were left out, because they are not of the API's form */
    bool present;      /* the object has managedFields at all */
    bool malformed;    /* and they are not a list */
};

/* The entry that the request wrote. */
struct taker {
    bool known; /* false: the review does not show it; `manager` is empty */
    struct manager manager;
    enum manager_class class; /* CLASS_CONTROLLER, whose row of the table is the mildest, where unknown */
    const struct managed_fields_entry *before; /* NULL: it had none */
    const struct managed_fields_entry *after;  /* NULL: it has none */
};

/* Denied, a controller would only try again and again: the most that a rule does to the taker. */
static inline enum action taker_ceiling(const struct taker *taker)
{
    return taker->class == CLASS_CONTROLLER ? ACTION_WARN : ACTION_DENY;
}

struct review;

struct ownership {
    const struct review *review;  /* that it is a part of; it speaks for classes, too */
    struct managed_fields before; /* of the old object */
    struct managed_fields after;  /* of the object */
    struct taker taker;
    bool others_changed;              /* an entry of the old object but the taker's is another now, or gone */
    const struct manager_line *lines; /* the policy's classes */
    size_t line_count;
    bool has_other_classes; /* whether `other_classes` stands: ownership_has_other tells of it */
    unsigned other_classes;
};

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

/* The class of an entry of either side, as an owner. The first call finds it and keeps it, which does not
 * change what the review says. */
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

/* Whether somebody owns something strictly below the path: then {} there is a membership, not a value. */
enum search_answer managed_fields_own_below(
    const struct managed_fields *side, const struct path *path, struct lookup *lookup);

#endif
