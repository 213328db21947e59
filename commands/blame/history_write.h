/*
 * history_write.h: requests, and the changes of a field that they made.
 */
#ifndef APPLYGUARD_COMMANDS_BLAME_HISTORY_WRITE_H
#define APPLYGUARD_COMMANDS_BLAME_HISTORY_WRITE_H

#include "audit/event.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* So many changes of a field are kept. */
#define HISTORY_CHANGES_MAX 10

/* A request, as long as somebody refers to it. All of it is untrusted. */
struct history_write {
    size_t references;
    struct slice time; /* when it ended: RFC 3339 in UTC */
    struct slice user;
    struct slice impersonator; /* empty: nobody acted as the user */
    struct slice user_agent;
    struct slice manager;
    struct slice verb;
    struct slice subresource;
    bool is_forced;
    char bytes[];
};

enum history_kind { HISTORY_SET, HISTORY_CHANGED, HISTORY_REMOVED };

struct history_change {
    enum history_kind kind;
    bool is_known;               /* false: it was this write or one before it, after `after` */
    struct history_write *write; /* NULL: it came behind all that the log shows */
    struct history_write *after; /* the former value is from here; NULL: there was no object */
};

struct field_history {
    struct history_change changes[HISTORY_CHANGES_MAX]; /* the last ones, as a ring */
    size_t count;                                       /* of all */
};

/* How many changes of a field are kept, and each of them from the oldest on. */
size_t history_kept(const struct field_history *field);
const struct history_change *history_change(const struct field_history *field, size_t number);

/* With one reference. NULL: there is no memory. */
struct history_write *history_write_of(const struct audit_event *event);

/* One reference more. Accepts NULL. */
struct history_write *history_write_share(struct history_write *write);

/* One less, and frees it with the last. Accepts NULL. */
void history_write_release(struct history_write *write);

/*
 * Adds a change, with references of its own to the writes, in place of the oldest where there are many.
 * Creates the history if it is NULL. False: there is no memory.
 */
bool field_history_add(struct field_history **field, const struct history_change *change);

/* Accepts NULL. */
void field_history_free(struct field_history *field);

#endif
