/*
 * event.h: a finding as an Event of the object, which `kubectl get events` lists and `kubectl describe`
 * shows.
 *
 * It is a v1 Event, not one of events.k8s.io: an Event of events.k8s.io may change only its series later, so
 * a repetition could not show the current message, and older clients would not see that it is a repetition.
 * The struct has a fixed size and no pointers, so it outlives its review without an allocation.
 */
#ifndef APPLYGUARD_WEBHOOK_API_EVENT_H
#define APPLYGUARD_WEBHOOK_API_EVENT_H

#include "base/text.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"

#include <stdbool.h>
#include <stdint.h>

/* The limits of Kubernetes, with a NUL. */
#define EVENT_NAMESPACE_BYTES (63 + 1)
#define EVENT_NAME_BYTES (253 + 1)
#define EVENT_KIND_BYTES (63 + 1)
#define EVENT_API_VERSION_BYTES (253 + 1 + 63 + 1)
#define EVENT_MESSAGE_BYTES (1024 + 1)

/* The API server's own uids have 36 characters. */
#define EVENT_UID_BYTES (63 + 1)

#define EVENT_REASON_BYTES 64
#define EVENT_HOST_BYTES (63 + 1)

struct event {
    enum rule_id rule;
    struct action_pair actions; /* of the finding */
    bool unattended;            /* from the verdict */
    int64_t time;               /* seconds since 1970 UTC */
    char api_version[EVENT_API_VERSION_BYTES];
    char kind[EVENT_KIND_BYTES];
    char namespace[EVENT_NAMESPACE_BYTES]; /* of the object; empty: it is in none */
    char name[EVENT_NAME_BYTES];
    char uid[EVENT_UID_BYTES];
    char message[EVENT_MESSAGE_BYTES]; /* one printable line; empty if memory ran out */
};

/* The state of a recorded Event. */
struct event_record {
    uint64_t id;   /* makes its name unique */
    int64_t first; /* when it was first recorded, in seconds since 1970 UTC */
    uint32_t count;
};

/*
 * Fills the object of this verdict's Events. Returns false if no Event may be created: for dry runs, for
 * denied requests that would have created the object, for Events themselves, and for names that no API server
 * sends.
 */
bool event_describe(struct event *event, const struct verdict *verdict);

/* Fills everything else from the finding, which is the first of its rule and so the worst. */
void event_say(struct event *event, const struct verdict *verdict, const struct finding *finding);

/* "OwnershipConflict" for ownership-conflict. */
void event_reason(enum rule_id rule, char reason[EVENT_REASON_BYTES]);

/* The namespace of the Event: the object's, or `default`. */
const char *event_namespace(const struct event *event);

/*
 * The Event's name, such as "web.1a2b…". It begins with the object's name if that is valid in an Event's
 * name.
 */
void event_name(const struct event *event, uint64_t id, char name[EVENT_NAME_BYTES]);

/* The JSON that creates the Event. `host` is the reporting instance. */
struct slice event_encode(
    const struct event *event, const struct event_record *record, const char *host, struct arena *arena);

/* A merge patch that records a repetition. */
struct slice event_encode_again(
    const struct event *event, const struct event_record *record, struct arena *arena);

#endif
