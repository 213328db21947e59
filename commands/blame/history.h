/*
 * history.h: who changed each field of an object, by the API server's audit log.
 *
 * The response to a write (level RequestResponse) is compared with the response to the write before it. A
 * change belongs to the write that shows it, unless something says that another one came between: then who
 * made it is not known. Signs of that are a write of which the log holds no object, a resourceVersion that a
 * request expected and the response before does not have, a generation that was passed over, and, where the
 * log has managedFields, a field that belongs to another manager than the one that wrote.
 *
 * Memory follows the object and not the log: of each field the last HISTORY_CHANGES_MAX changes are kept.
 */
#ifndef APPLYGUARD_COMMANDS_BLAME_HISTORY_H
#define APPLYGUARD_COMMANDS_BLAME_HISTORY_H

#include "commands/blame/history_write.h"
#include "owners/object.h"

#include <stdbool.h>
#include <stddef.h>

/* Why of a write it is not known which fields it changed. */
enum history_reason {
    HISTORY_LEVEL,       /* the log's level does not hold the object */
    HISTORY_TRUNCATED,   /* the level does, and the object was left out of the log all the same */
    HISTORY_VERSION,     /* the response is of another API version */
    HISTORY_SUBRESOURCE, /* the response is no object of this kind */
    HISTORY_LATE,        /* it is logged behind a later one */
    HISTORY_LISTS,       /* the object has so many more list items that they are not all looked for */
    HISTORY_OPTIONS,     /* of a delete: the log does not tell it from a dry run */
};

struct history_unclear {
    struct history_write *write;
    enum history_reason reason;
};

/* One owner, freed by history_free, which must be before the arena of its blame is reset. */
struct history;

struct history_summary {
    const struct history_write *first; /* whose response is the first; NULL: there is none */
    const struct history_write *last;
    bool is_created;                       /* by the first */
    const struct history_unclear *unclear; /* the last ones, in order */
    size_t unclear_count;                  /* at most HISTORY_CHANGES_MAX */
    size_t unclear_total;
    const struct history_write *removal;        /* a delete of this object; NULL: there was none */
    bool is_recreated;                          /* an earlier object of this name is in the log */
    const struct history_write *former_removal; /* its delete; NULL: not known */
    size_t dry_runs;
    size_t refused;
};

/* NULL: there is no memory. Sets the blame's history. */
struct history *history_start(struct blame *blame);

/* Follows a request, if it is about the object. False: there is no memory. */
bool history_add(struct history *history, const struct audit_event *event);

/* Once, after the last request: what became of the object since. False: there is no memory. */
bool history_end(struct history *history);

/* Accepts NULL. */
void history_free(struct history *history);

struct history_summary history_summary(const struct history *history);

/* A sentence without a full stop. */
const char *history_reason_text(enum history_reason reason);

#endif
