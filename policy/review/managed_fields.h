/*
 * managed_fields.h: metadata.managedFields before and after the request, and the entry of the writer.
 *
 * The identity of an entry is manager, operation, subresource and, for Update, apiVersion (apimachinery,
 * managedfields/internal/manager... BuildManagerIdentifier); time and fieldsType are never part of it.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_MANAGED_FIELDS_H
#define APPLYGUARD_POLICY_REVIEW_MANAGED_FIELDS_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/action.h"
#include "policy/managers.h"

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

/*
 * Makes the object with its managedFields. A caller embeds it where that takes long and few reviews need it:
 * they need the fields of a manifest's first apply only for some policies.
 */
struct deferred_owners {
    yyjson_val *(*make)(struct deferred_owners *owners); /* NULL if memory runs out */
};

/* Cached results about an entry. */
struct entry_cache {
    struct deferred_owners *deferred; /* makes `fields`; NULL: the entry has its fields */
    yyjson_val *fields;               /* call entry_fields */
    bool is_searched; /* whether `owns_last_applied` is cached: call entry_owns_last_applied */
    bool owns_last_applied;
    bool has_tool; /* whether `tool` is cached: call entry_tool */
    enum tool tool;
};

struct managed_fields_entry {
    struct manager manager;
    struct slice api_version;
    struct slice time;
    yyjson_val *known_fields; /* FieldsV1, an object; NULL: it is made when it is first needed */
    bool old;                 /* it is an entry of the old object */
    size_t number;            /* among the entries of its object */
    /* The entry of the same identity in the other object; NULL: absent. */
    const struct managed_fields_entry *counterpart;
    bool same_fields; /* the counterpart owns exactly the same fields */
    struct entry_cache *cache;
};

/* The fields of the entry, FieldsV1. No fields if memory runs out. */
yyjson_val *entry_fields(const struct managed_fields_entry *entry);

/*
 * The API server merges the oldest Update entries beyond this number (apimachinery, managedfields,
 * DefaultMaxUpdateManagers).
 */
#define UPDATE_ENTRIES_MAX 10

struct managed_fields {
    struct managed_fields_entry *entries; /* in stored order */
    size_t count;
    size_t updates;    /* how many of them are Update entries */
    size_t unreadable; /* entries that are left out because they do not have the form of the API */
    struct deferred_owners *deferred; /* the object has no managedFields yet: call managed_fields_object */
    bool present;                     /* the object has managedFields at all */
    bool malformed;                   /* and they are not a list */
};

/* Reads the list of the old object or of the object; it may be NULL. Returns false if memory runs out. */
bool managed_fields_read(struct managed_fields *side, yyjson_val *list, bool old, struct arena *arena);

/* An owner of an object whose managedFields are made when they are first needed. */
struct deferred_owner {
    struct manager manager;
    struct slice api_version;
    struct slice time;
    bool owns_last_applied; /* as is known before the fields are made */
    struct deferred_owners *owners;
};

/* The object has this one owner. Returns false if memory runs out. */
bool managed_fields_defer(
    struct managed_fields *side, const struct deferred_owner *owner, struct arena *arena);

/* `object`, which is that of the side, with its managedFields. Returns NULL if memory runs out. */
yyjson_val *managed_fields_object(const struct managed_fields *side, yyjson_val *object);

/* Keeps in each entry only the fields of metadata. Returns false if memory runs out. */
bool managed_fields_keep_metadata(struct managed_fields *side, struct arena *arena);

/*
 * Leaves out entries of an old object that a later one of the same identity replaces, as the API server does
 * when it reads them. Setting replicas to the number that they have, through the subresource scale, makes two
 * of their owner's entry (apimachinery, managedfields/scalehandler.go). Returns false if memory runs out.
 */
bool managed_fields_keep_last(struct managed_fields *before, struct arena *arena);

/* Finds the counterpart of each entry. Returns false if memory runs out. */
bool managed_fields_pair(struct managed_fields *before, struct managed_fields *after, struct arena *arena);

/* The entry that the request wrote. */
struct writer {
    bool known; /* false: the review does not show the writer; `manager` is empty */
    struct manager manager;
    enum manager_class class;                  /* if unknown: by the user who sent the request */
    const struct managed_fields_entry *before; /* NULL: it had none */
    const struct managed_fields_entry *after;  /* NULL: it has none */
};

/* The strongest action of a rule against the writer: a denied controller or operator would only retry
 * forever.
 */
static inline enum action writer_ceiling(const struct writer *writer)
{
    return class_is_unattended(writer->class) ? ACTION_WARN : ACTION_DENY;
}

struct review;

struct ownership {
    struct managed_fields before; /* of the old object */
    struct managed_fields after;  /* of the object */

    /* Set by ownership_classify, since they depend on the policy's class rules: */
    const struct review *review;           /* the review that this is part of; classes depend on it too */
    const struct class_rules *class_rules; /* the policy's; NULL: none */
    struct writer writer;
    bool others_changed;       /* an entry of the old object other than the writer's has changed or is gone */
    unsigned char *classes[2]; /* of the entries of the object and of the old one: call ownership_class */
};

#endif
