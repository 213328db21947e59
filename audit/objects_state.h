/*
 * objects_state.h: the remembered objects of a log, and how a response relates to one. Private to this
 * component.
 */
#ifndef APPLYGUARD_AUDIT_OBJECTS_STATE_H
#define APPLYGUARD_AUDIT_OBJECTS_STATE_H

#include "audit/event.h"
#include "audit/kept_objects.h"

/* The number of the latest revisions that are remembered; revisions of other writes lie between. */
#define REVISIONS ((size_t)1 << 14)

struct audit_objects {
    struct kept_objects kept;
    struct arena *arena;           /* for one call */
    uint64_t revisions[REVISIONS]; /* that the log has, each at its place */
    uint64_t removals;             /* how many objects were deleted */
};

/* The key of the request's object. Returns false if memory runs out. */
bool objects_key(const struct audit_event *event, struct arena *arena, struct kept_key *key);

/* The response's apiVersion. */
struct slice objects_api_version(const struct audit_event *event);

/* Whether the response has the uid of the kept object. */
bool objects_is_same(const struct kept_object *kept, const struct audit_event *event);

/* Whether the response has an earlier version of the kept object. */
bool objects_is_older(const struct kept_object *kept, const struct audit_event *event);

/* Whether the request ended before the one that left or showed the kept object. */
bool objects_is_earlier(const struct kept_object *kept, const struct audit_event *event);

/*
 * The object to compare the response with. A write may be stored before another one and end after it: then
 * the kept object is a later one, and a replaced object is the one before. A read may show the object before
 * the write that made it ends.
 */
struct kept_object *objects_base(
    const struct audit_objects *objects, struct kept_object *kept, const struct audit_event *event);

#endif
