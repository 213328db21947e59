/*
 * slots.h: a loop's connections by state, and which of them to close first when a new one needs room.
 *
 * The connection that has been idle longest is closed first. Connections whose last answer was not a verdict
 * come before the others, which API servers may reuse; among these, an address with more than its share comes
 * first. Connections with verdicts do not make room for a growing number of connections that never send a
 * request: those are closed first. A connection with a request in progress stays, unless its client is slow
 * to send it, or to read the answer: then it is closed before connections with verdicts. Each connection is
 * in the list of its state, ordered by time, so the choice takes constant time.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_SLOTS_H
#define APPLYGUARD_WEBHOOK_HTTP_SLOTS_H

#include "webhook/http/h2o_api.h"
#include "webhook/http/pace.h"
#include "webhook/http/sources.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum slot_state {
    SLOT_NEW,      /* no request so far, or a part of the first one */
    SLOT_IDLE,     /* the last answer was not a verdict: a probe, an error */
    SLOT_REVIEWED, /* the last answer was a verdict */
    SLOT_BEGUN,    /* has a partial request, or an answer that the client has not yet read */
    SLOT_BUSY,     /* has a request without an answer */
    SLOT_EVICTED,  /* is being closed */
};
#define SLOT_STATES 6

/* The state of one connection. */
struct slot {
    h2o_socket_t *socket;
    enum slot_state state;
    enum slot_state rest; /* the state before SLOT_BEGUN */
    uint64_t since;       /* the value of slots.moves when it entered the state */
    struct pace pace;     /* at the beginning of the first request, or of the transfer in SLOT_BEGUN */
    h2o_linklist_t link;
    h2o_linklist_t of_source; /* in the list of its source, if SLOT_REVIEWED */
    struct source *source;    /* NULL if memory ran out */
};

/* The connections of one loop. */
struct slots {
    h2o_linklist_t lists[SLOT_STATES];
    size_t counts[SLOT_STATES];
    uint64_t moves; /* counts state changes, to order them */
    size_t limit;   /* connections at a time */
    uint32_t silence_ms;
    size_t wanted; /* the number of waiting connections for which no idle one could be closed */
    struct sources sources;
};

/*
 * Sets up slots for `limit` connections. Clients that have asked nothing, or are sending a request or reading
 * an answer, have the patience of `silence_ms` (see pace.h). Returns false if memory runs out. The struct
 * must not move afterwards.
 */
bool slots_open(struct slots *slots, size_t limit, uint32_t silence_ms);

/* Call it after the last slot_leave. */
void slots_close(struct slots *slots);

void slot_enter(struct slots *slots, struct slot *slot, h2o_socket_t *socket);
void slot_leave(struct slots *slots, struct slot *slot);

/* A complete request has arrived. */
void slot_asks(struct slots *slots, struct slot *slot);

/* Its answer is about to be sent. */
void slot_is_answered(struct slots *slots, struct slot *slot, bool is_verdict);

/* A sweep has found a request or an answer under way. */
void slot_begins(struct slots *slots, struct slot *slot);

/* A sweep has found no request or answer under way, even if an earlier one has. */
void slot_rests(struct slots *slots, struct slot *slot);

/*
 * Removes and returns the connection to close first, which the caller closes. Returns NULL if none may be
 * closed.
 */
struct slot *slots_evict(struct slots *slots);

/* The number of connections that slots_evict returned and that are not closed yet: they will make room. */
size_t slots_leaving(const struct slots *slots);

/* Sets how many waiting connections slots_evict could not make room for. */
void slots_want(struct slots *slots, size_t count);

/* Whether the connection should close after the current answer, because others wait. */
bool slot_is_wanted(struct slots *slots, const struct slot *slot);

#endif
