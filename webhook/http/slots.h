/*
 * slots.h: a loop's connections by what they are at, and which of them goes first when another has no room.
 *
 * The one that has been idle for longest does, whatever it asked: first of those that were not last answered
 * a verdict, then of the others, which API servers may want again, and there of an address that has more than
 * its share. These do not make room for more and more that ask nothing: a crowd of those has to go first. Who
 * has a request under way stays; only if nobody is idle, half a request of which nothing more comes goes.
 * Each connection is in the list of its state, in the order in which it came there, so choosing takes a few
 * looks however many there are.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_SLOTS_H
#define APPLYGUARD_WEBHOOK_HTTP_SLOTS_H

#include "webhook/http/h2o_api.h"
#include "webhook/http/sources.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum slot_state {
    SLOT_NEW,      /* has asked nothing so far */
    SLOT_IDLE,     /* was last answered something else than a verdict: a probe, an error */
    SLOT_REVIEWED, /* was last answered a verdict */
    SLOT_BEGUN,    /* was found with a part of a request, or of an answer that is still to be read */
    SLOT_BUSY,     /* has a request that is to be answered */
    SLOT_EVICTED,  /* is on its way out */
};
#define SLOT_STATES 6

/* Of one connection. */
struct slot {
    h2o_socket_t *socket;
    enum slot_state state;
    uint64_t since; /* the move that brought it there */
    h2o_linklist_t link;
    h2o_linklist_t of_source; /* among those of its source that are SLOT_REVIEWED */
    struct source *source;    /* NULL where there was no memory */
};

/* Of one loop. */
struct slots {
    h2o_linklist_t lists[SLOT_STATES];
    size_t counts[SLOT_STATES];
    uint64_t moves; /* so far: tells what was earlier */
    size_t limit;   /* connections at a time */
    uint32_t silence_ms;
    size_t wanted; /* slots that others wait for, and that nobody idle could give up */
    struct sources sources;
};

/*
 * For `limit` connections. Those that have asked nothing so far, and half requests, are left alone until they
 * were silent for `silence_ms`. False if there is no memory. It must not move from here on.
 */
bool slots_open(struct slots *slots, size_t limit, uint32_t silence_ms);

/* After the last connection has left. */
void slots_close(struct slots *slots);

void slot_enter(struct slots *slots, struct slot *slot, h2o_socket_t *socket);
void slot_leave(struct slots *slots, struct slot *slot);

/* A whole request has come. */
void slot_asks(struct slots *slots, struct slot *slot);

/* Its answer is about to be sent. */
void slot_is_answered(struct slots *slots, struct slot *slot, bool is_verdict);

/* Takes out the connection that goes first, which whoever asked cuts. NULL if there is none that may go. */
struct slot *slots_evict(struct slots *slots);

/* So many wait, for whom slots_evict found nobody. */
void slots_want(struct slots *slots, size_t count);

/* Whether the connection whose request is answered ought to close with that, because others wait for it. */
bool slot_is_wanted(struct slots *slots, const struct slot *slot);

#endif
