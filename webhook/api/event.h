/*
 * event.h: what a rule found, as an Event of the object: what `kubectl get events` lists and `kubectl
 * describe` shows.
 *
 * A v1 Event and not one of events.k8s.io: of those nothing but the series may change later, so a repetition
 * could not say what is taken now, and an older client would not see that it is one. It is of one size and
 * holds no pointers, so it outlives its review without an allocation.
 */
#ifndef APPLYGUARD_WEBHOOK_API_EVENT_H
#define APPLYGUARD_WEBHOOK_API_EVENT_H

#include "base/text.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"

#include <stdbool.h>
#include <stdint.h>

/* What Kubernetes allows, and the NUL. */
#define EVENT_NAMESPACE_BYTES (63 + 1)
#define EVENT_NAME_BYTES (253 + 1)
#define EVENT_KIND_BYTES (63 + 1)
#define EVENT_API_VERSION_BYTES (253 + 1 + 63 + 1)
#define EVENT_MESSAGE_BYTES (1024 + 1)

/* An API server's own has 36 characters. */
#define EVENT_UID_BYTES (63 + 1)

#define EVENT_REASON_BYTES 64
#define EVENT_HOST_BYTES (63 + 1)

struct event {
    enum rule_id rule;
    struct action_pair actions; /* of the finding */
    bool unattended;            /* as the verdict has it */
    int64_t time;               /* seconds since 1970 UTC */
    char api_version[EVENT_API_VERSION_BYTES];
    char kind[EVENT_KIND_BYTES];
    char namespace[EVENT_NAMESPACE_BYTES]; /* of the object; empty: it is in none */
    char name[EVENT_NAME_BYTES];
    char uid[EVENT_UID_BYTES];
    char message[EVENT_MESSAGE_BYTES]; /* one printable line; empty if there was no memory */
};

/* What has become of an Event by now. */
struct event_record {
    uint64_t id;   /* what sets its name apart from others' */
    int64_t first; /* when it was told first, in seconds since 1970 UTC */
    uint32_t count;
};

/*
 * Fills in which object the Events of this verdict are about. False where there are to be none: for dry runs,
 * for what was refused before there was an object, for Events themselves, and for names that no API server
 * sends.
 */
bool event_describe(struct event *event, const struct verdict *verdict);

/* Fills in all else: that of the finding, which is the first of its rule, hence the worst. */
void event_say(struct event *event, const struct verdict *verdict, const struct finding *finding);

/* "OwnershipConflict" of ownership-conflict. */
void event_reason(enum rule_id rule, char reason[EVENT_REASON_BYTES]);

/* Where it is kept: the object's own namespace, or `default`. */
const char *event_namespace(const struct event *event);

/* "web.1a2b…", behind the name of the object where it can be a part of an Event's name. */
void event_name(const struct event *event, uint64_t id, char name[EVENT_NAME_BYTES]);

/* The whole Event as JSON, as it is when it is created; `host` is who reports it. */
struct slice event_encode(
    const struct event *event, const struct event_record *record, const char *host, struct arena *arena);

/* A merge patch: that it was so once more. */
struct slice event_encode_again(
    const struct event *event, const struct event_record *record, struct arena *arena);

#endif
