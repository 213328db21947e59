/*
 * connection.h: the connections of one loop: how many, and how they fare.
 *
 * H2O keeps its connections to itself. Each socket's on_close carries a record of ours, from which the
 * sweeper sees what the socket has done, and closes it from outside in the one way that is safe: shutdown(2),
 * after which H2O itself finds the connection broken and takes it down.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_CONNECTION_H
#define APPLYGUARD_WEBHOOK_HTTP_CONNECTION_H

#include "webhook/http/gate.h"
#include "webhook/http/h2o_api.h"
#include "webhook/http/http_counters.h"
#include "webhook/http/progress.h"
#include "webhook/http/queue.h"
#include "webhook/http/slots.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct connection;

struct connections {
    struct connection *first; /* the newest */
    struct connection *last;
    atomic_size_t count; /* changed by the loop, read by the thread that waits for it to drain */
    uint64_t last_sweep; /* monotonic milliseconds */
    struct gates gates;  /* its budget is none in the beginning */
    struct slots slots;
    counter *evicted;              /* counts those cut to make room */
    counter *swept;                /* by phase: counts those cut for being too slow */
    void (*on_remove)(void *data); /* called when a connection is gone */
    void *data;
};

struct connection_limits {
    size_t connections;  /* at a time */
    uint32_t silence_ms; /* how long one may be silent at least before it goes in favour of another */
};

/* False if there is no memory. It must not move from here on. */
bool connections_open(
    struct connections *connections, const struct connection_limits *limits, struct http_counters *counters,
    void (*on_remove)(void *), void *data);

/* When all of them are gone. */
void connections_close(struct connections *connections);

/* Counts a connection that is on its way here; any thread may call it. connections_add must follow. */
void connections_expect(struct connections *connections);

/* Registers an expected socket, until H2O closes it. False, and not expected any more, if there is no memory.
 */
bool connections_add(struct connections *connections, h2o_socket_t *socket);

size_t connections_count(const struct connections *connections);

/* Where the connection's request waits. */
struct waiting *connection_waiting(h2o_req_t *request);

/* Notes a request, in this iteration of the loop. False if the connection has had its share of the iteration.
 */
bool connection_may_ask(h2o_req_t *request, uint64_t iteration);

/* Whether the answer to this request ought to say Connection: close, because others wait for a connection. */
bool connection_is_wanted(h2o_req_t *request);

/* Notes that an answer is about to be sent. */
void connection_is_answered(h2o_req_t *request, bool is_verdict);

/*
 * Cuts up to so many connections that others may go in favour of; see slots.h. Returns how many. For each
 * that is lacking, an answer will be the last of its connection.
 */
size_t connections_evict(struct connections *connections, size_t wanted);

enum sweep { SWEEP_SLOW, SWEEP_SLOW_AND_IDLE, SWEEP_ALL };

/* Cuts those over their limit; with the others, also those without a request, or all. Returns how many were
 * slow. */
size_t connections_sweep(struct connections *connections, h2o_context_t *context, enum sweep sweep);

#endif
