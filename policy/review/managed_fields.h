/*
 * managed_fields.h: what metadata.managedFields says before and after the request, and who wrote the request.
 *
 * The identity of an entry is manager, operation, subresource and, for Update, apiVersion (apimachinery,
 * managedfields/internal/manager... BuildManagerIdentifier); time and fieldsType are never part of it.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_MANAGED_FIELDS_H
#define APPLYGUARD_POLICY_REVIEW_MANAGED_FIELDS_H

#include "base/slice.h"
#include "policy/action.h"
#include "policy/managers.h"

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

/* What was found out of an entry, so that it is found once. */
struct entry_cache {
    bool has_class; /* whether `class` stands: ownership_class tells it */
    enum manager_class class;
    bool is_searched; /* whether `owns_last_applied` stands: entry_owns_last_applied tells it */
    bool owns_last_applied;
};

struct managed_fields_entry {
    struct manager manager;
    struct slice api_version;
    struct slice time;
    yyjson_val *fields; /* FieldsV1: an object, or NULL where there is none that can be read */
    bool old;           /* it is the old object's */
    /* The entry of the same identity in the other object; NULL: there is none. */
    const struct managed_fields_entry *counterpart;
    bool same_fields; /* the counterpart owns the very same */
    struct entry_cache *cache;
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
    bool others_changed;            /* an entry of the old object but the taker's is another now, or gone */
    const struct class_rule *lines; /* the policy's classes */
    size_t line_count;
};

#endif
