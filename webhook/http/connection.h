/*
 * connection.h: tracks the connections of one loop.
 *
 * H2O does not expose its connections. Each socket's on_close carries a record of ours, which shows the
 * sweeper what the socket has done. The sweeper closes a socket with shutdown(2), the only safe way from
 * outside: H2O then finds the connection broken and closes it.
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
    atomic_size_t count; /* changed by the loop, read by the thread that waits for the drain */
    atomic_size_t most;  /* the most connections at a time, since connections_have_gone */
    uint64_t last_sweep; /* monotonic milliseconds */
    struct gates gates;  /* starts without a budget */
    struct slots slots;
    counter *evicted;              /* counts connections that were cut to make room */
    counter *swept;                /* counts connections that were cut for being slow, by phase */
    void (*on_remove)(void *data); /* called when a connection is gone */
    void *data;
};

struct connection_limits {
    size_t connections;  /* at a time */
    uint32_t silence_ms; /* how long a connection may be silent before it may make room for another */
};

/* Returns false if memory runs out. It must not move from here on. */
bool connections_open(
    struct connections *connections, const struct connection_limits *limits, struct http_counters *counters,
    void (*on_remove)(void *), void *data);

/* Call it when all connections are gone. */
void connections_close(struct connections *connections);

/* Counts a connection that another loop is passing to this one. Thread-safe. connections_add must follow. */
void connections_expect(struct connections *connections);

/*
 * Registers an expected socket until H2O closes it. If memory runs out, returns false and no longer expects
 * it.
 */
bool connections_add(struct connections *connections, h2o_socket_t *socket);

size_t connections_count(const struct connections *connections);

/*
 * Whether most of a crowd of connections, as many as `crowd` at a time, have gone. Returns true only once
 * each time. Only one other thread may call it.
 */
bool connections_have_gone(struct connections *connections, size_t crowd);

/* The queue entry of the connection's request. */
struct waiting *connection_waiting(h2o_req_t *request);

/* Whether the budget has room for all that has come on the connection; see gate_has_room. */
bool connection_has_room(h2o_req_t *request);

/*
 * Counts a request in this iteration of the loop. Returns false if the connection has used up its share of
 * the iteration.
 */
bool connection_may_ask(h2o_req_t *request, uint64_t iteration);

/* Whether the answer to this request should have Connection: close, because others wait for a connection. */
bool connection_is_wanted(h2o_req_t *request);

/* Call it when an answer is about to be sent. */
void connection_is_answered(h2o_req_t *request, bool is_verdict);

/*
 * Closes up to `wanted` connections to make room for others. Connections that are already being closed count.
 * See slots.h. Returns how many it closes. For each connection that is missing, a later answer closes its
 * connection.
 */
size_t connections_evict(struct connections *connections, size_t wanted);

/* Closes connections whose requests take more than `bytes` while they come. */
void connections_limit_input(struct connections *connections, size_t bytes);

enum sweep { SWEEP_SLOW, SWEEP_SLOW_AND_IDLE, SWEEP_ALL };

/*
 * Closes connections that are over their time limit, and also those without a request, or all, as `sweep`
 * says. Counts the slow ones in `swept`.
 */
void connections_sweep(struct connections *connections, h2o_context_t *context, enum sweep sweep);

#endif
