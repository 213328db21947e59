/* history_write.h: requests, and the field changes that they made. */
#ifndef APPLYGUARD_COMMANDS_BLAME_HISTORY_WRITE_H
#define APPLYGUARD_COMMANDS_BLAME_HISTORY_WRITE_H

#include "audit/event.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* The limit of kept changes of a field. */
#define HISTORY_CHANGES_MAX 10

/* A request, as long as a reference exists. All of it is untrusted. */
struct history_write {
    size_t references;
    struct slice time; /* when it ended: RFC 3339 in UTC */
    struct slice user;
    struct slice impersonator; /* empty: no impersonation */
    struct slice user_agent;
    struct slice manager;
    struct slice verb;
    struct slice subresource;
    struct slice webhooks; /* the mutating webhooks that changed the object, with commas; empty: none */
    bool is_forced;
    char bytes[];
};

enum history_kind { HISTORY_SET, HISTORY_CHANGED, HISTORY_REMOVED };

/* "set", "changed", "removed". */
const char *history_kind_name(enum history_kind kind);

struct history_change {
    enum history_kind kind;
    bool is_known;               /* false: this write or an earlier one after `after` made the change */
    struct history_write *write; /* NULL: it came after all writes of the log */
    struct history_write *after; /* the former value is from this write; NULL: the object did not exist */
};

struct field_history {
    struct history_change changes[HISTORY_CHANGES_MAX]; /* the last ones, as a ring */
    size_t count;                                       /* of all changes */
};

/* The number of kept changes of a field, and each of them, the oldest first. */
size_t history_kept(const struct field_history *field);
const struct history_change *history_change(const struct field_history *field, size_t number);

/* Creates it with one reference. Returns NULL if memory runs out; `arena` is for the call alone. */
struct history_write *history_write_of(const struct audit_event *event, struct arena *arena);

/* Adds a reference. Accepts NULL. */
struct history_write *history_write_share(struct history_write *write);

/* Removes a reference, and frees it with the last one. Accepts NULL. */
void history_write_release(struct history_write *write);

/* Refers to another write, or to none. Either may be NULL. */
void history_write_replace(struct history_write **write, struct history_write *other);

/*
 * Adds a change with its own references to the writes; it replaces the oldest one at the limit. Creates the
 * history if it is NULL. Returns false if memory runs out.
 */
bool field_history_add(struct field_history **field, const struct history_change *change);

/* Accepts NULL. */
void field_history_free(struct field_history *field);

#endif
