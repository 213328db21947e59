/*
 * history.h: the writer of each change of an object's fields, from the API server's audit log.
 *
 * The response to a write (level RequestResponse) is compared with the response to the write before it. A
 * change belongs to the write that shows it, unless a sign shows that another write came between: then its
 * writer is unknown. The signs are a write without the object in the log, a request that expected another
 * resourceVersion than that of the response before, a generation that was skipped, and, if the log has
 * managedFields, a changed field that belongs to another manager than the writer.
 *
 * Memory depends on the object and not on the log: each field keeps its last HISTORY_CHANGES_MAX changes.
 */
#ifndef APPLYGUARD_COMMANDS_BLAME_HISTORY_H
#define APPLYGUARD_COMMANDS_BLAME_HISTORY_H

#include "commands/blame/history_write.h"
#include "owners/object.h"

#include <stdbool.h>
#include <stddef.h>

/* Why it is unknown which fields a write changed. */
enum history_reason {
    HISTORY_LEVEL,       /* the log's level does not include the object */
    HISTORY_TRUNCATED,   /* the level includes the object, but the log lacks it */
    HISTORY_VERSION,     /* the response has another API version */
    HISTORY_SUBRESOURCE, /* the response is not an object of this kind */
    HISTORY_LATE,        /* it is logged after a later one */
    HISTORY_LISTS,       /* the object has so many list items that not all were compared */
    HISTORY_OPTIONS,     /* for a delete: the log does not distinguish it from a dry run */
};

struct history_unclear {
    struct history_write *write;
    enum history_reason reason;
};

/* Free it with history_free, before the arena of its blame is reset. */
struct history;

struct history_summary {
    const struct history_write *first; /* the first write with a response; NULL: none */
    const struct history_write *last;
    bool is_created;                       /* the first write created the object */
    const struct history_unclear *unclear; /* the last ones, in order */
    size_t unclear_count;                  /* at most HISTORY_CHANGES_MAX */
    size_t unclear_total;
    const struct history_write *removal;        /* a delete of this object; NULL: none */
    bool is_recreated;                          /* the log contains an earlier object with this name */
    const struct history_write *former_removal; /* its delete; NULL: unknown */
    size_t dry_runs;
    size_t refused;
};

/* Returns NULL if memory runs out. Sets the blame's history. */
struct history *history_start(struct blame *blame);

/* Follows a request, if it is about the object. Returns false if memory runs out. */
bool history_add(struct history *history, const struct audit_event *event);

/*
 * Call it once, after the last request: finds out how the object has changed since. Returns false if memory
 * runs out.
 */
bool history_end(struct history *history);

/* Accepts NULL. */
void history_free(struct history *history);

struct history_summary history_summary(const struct history *history);

/* A sentence without a full stop. */
const char *history_reason_text(enum history_reason reason);

#endif
