/*
 * objects.h: the objects that a log shows, as the requests left them.
 *
 * The API server answers a write with the object as it is then, so the object before a write is the last
 * answer about it. An audit log may lack a write, or have two in another order: what shows that makes the
 * object before unknown, because a review with a wrong one would have wrong findings. What leaves no sign
 * cannot be known.
 *
 * Memory is bounded: the objects that were seen least recently are forgotten.
 */
#ifndef APPLYGUARD_AUDIT_OBJECTS_H
#define APPLYGUARD_AUDIT_OBJECTS_H

#include "audit/event.h"

#include <stdbool.h>
#include <stddef.h>

enum audit_before {
    AUDIT_BEFORE_NONE, /* the request creates the object */
    AUDIT_BEFORE_KNOWN,
    AUDIT_BEFORE_FIRST_SEEN, /* the log does not show the object before */
    AUDIT_BEFORE_GAP,        /* a write between is missing, or came out of order */
    AUDIT_BEFORE_VERSION,    /* it is known in another version of the API only */
    AUDIT_BEFORE_FORGOTTEN,
    AUDIT_BEFORE_NO_MEMORY,
};

struct audit_objects;

/* Keeps objects of at most `bytes_max` bytes. NULL: there is no memory. */
struct audit_objects *audit_objects_create(size_t bytes_max);

/* Accepts NULL. */
void audit_objects_free(struct audit_objects *objects);

/* Whether the response is the whole object that the request is about: not a Status, its metadata alone, a
 * Scale, … */
bool audit_is_whole(const struct audit_event *event);

/* Whether the response is something else than the object because the client asked for that. */
bool audit_is_partial(const struct audit_event *event);

/*
 * The object as it was before a write that was done, or a dry run. Its answer is whole. `*object` and `*json`
 * are set if it is AUDIT_BEFORE_KNOWN, and live in the arena.
 */
enum audit_before audit_objects_before(
    struct audit_objects *objects, const struct audit_event *event, struct arena *arena, yyjson_val **object);

/*
 * The same for a request that is answered with a Scale of the object: its `spec.replicas` before are those of
 * `*object`, and `*json` is the object as text.
 */
enum audit_before audit_objects_before_scale(
    struct audit_objects *objects, const struct audit_event *event, struct arena *arena, yyjson_val **object,
    struct slice *json);

/*
 * The object as the writer last saw it, if others have changed its spec since: as far as the log shows when
 * the writer read or wrote it. NULL: it saw the latest, or that is not known. For a write whose object before
 * is known.
 */
yyjson_val *audit_objects_seen(
    struct audit_objects *objects, const struct audit_event *event, struct arena *arena);

/* Remembers what the request left or shows. Call it for each event, in order. False: there is no memory. */
bool audit_objects_follow(struct audit_objects *objects, const struct audit_event *event);

#endif
