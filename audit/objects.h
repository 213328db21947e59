/*
 * objects.h: the objects of a log, as its requests left them.
 *
 * The API server answers a write with the new object, so the object before a write is the last one that it
 * answered with. An audit log may lack a write, or contain two in another order: if that shows, the object
 * before is unknown, because a review with a wrong one would have wrong findings. Without a sign, it cannot
 * be noticed.
 *
 * Memory is limited: the least recently seen objects are forgotten.
 */
#ifndef APPLYGUARD_AUDIT_OBJECTS_H
#define APPLYGUARD_AUDIT_OBJECTS_H

#include "audit/event.h"

#include <stdbool.h>
#include <stddef.h>

enum audit_before {
    AUDIT_BEFORE_NONE, /* the request creates the object */
    AUDIT_BEFORE_KNOWN,
    AUDIT_BEFORE_DOUBTFUL,   /* known, unless the log lacks a write between, which would not show */
    AUDIT_BEFORE_FIRST_SEEN, /* the log does not show the object before */
    AUDIT_BEFORE_GAP,        /* a write between is missing, or out of order */
    AUDIT_BEFORE_UNANSWERED, /* the log does not show the object after a write between */
    AUDIT_BEFORE_SCALED,     /* the log does not show the object after a scale */
    AUDIT_BEFORE_VERSION,    /* only another API version of it is known */
    AUDIT_BEFORE_FORGOTTEN,
    AUDIT_BEFORE_NO_MEMORY,
};

struct audit_objects;

/* Keeps objects of at most `bytes_max` bytes. Returns NULL if memory runs out. */
struct audit_objects *audit_objects_create(size_t bytes_max);

/* Accepts NULL. */
void audit_objects_free(struct audit_objects *objects);

/* Whether the response is the whole object of the request: not a Status, only its metadata, a Scale, … */
bool audit_is_whole(const struct audit_event *event);

/* Whether the response is not the object because the client asked for another form. */
bool audit_is_partial(const struct audit_event *event);

/*
 * The object before a write that had an effect, or before a dry run. The response must be a whole object.
 * `*object` is set for AUDIT_BEFORE_KNOWN and AUDIT_BEFORE_DOUBTFUL, and lives in the arena.
 */
enum audit_before audit_objects_before(
    struct audit_objects *objects, const struct audit_event *event, struct arena *arena, yyjson_val **object);

/*
 * Does the same for a request that is answered with a Scale of the object: its `spec.replicas` before are
 * those of `*object`, and `*json` is the object as text. The result is never AUDIT_BEFORE_DOUBTFUL.
 */
enum audit_before audit_objects_before_scale(
    struct audit_objects *objects, const struct audit_event *event, struct arena *arena, yyjson_val **object,
    struct slice *json);

/*
 * The object as the writer last saw it, if others have changed its spec since: as far as the log shows when
 * the writer read or wrote it. Returns NULL if it saw the latest one, or that is unknown. Call it for a write
 * whose former object is known.
 */
yyjson_val *audit_objects_seen(
    struct audit_objects *objects, const struct audit_event *event, struct arena *arena);

/*
 * Remembers that the log has the write that made this revision of the cluster's state. Call it for each
 * event, also of objects that are not followed, and before it is asked for the object before.
 */
void audit_objects_see(struct audit_objects *objects, const struct audit_event *event);

/*
 * Remembers the object that the request left or shows. Call it for each event, in order. Returns false if
 * memory runs out.
 */
bool audit_objects_follow(struct audit_objects *objects, const struct audit_event *event);

#endif
