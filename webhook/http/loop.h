/*
 * loop.h: one event loop on its own thread: it accepts connections, serves their requests and sweeps them.
 *
 * Loops share no mutable state except struct loop_shared. Everything else reaches them by messages.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_LOOP_H
#define APPLYGUARD_WEBHOOK_HTTP_LOOP_H

#include "base/arena.h"
#include "system/log.h"
#include "webhook/http/budget.h"
#include "webhook/http/connection.h"
#include "webhook/http/drain_stage.h"
#include "webhook/http/h2o_api.h"
#include "webhook/http/heartbeat.h"
#include "webhook/http/http_counters.h"
#include "webhook/http/queue.h"
#include "webhook/http/stages.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

struct http_config;
struct loop;
struct loop_message;

/* Data that all loops share. */
struct loop_shared {
    struct log *log;
    struct budget budget;
    _Atomic enum stage stage; /* set by the thread that handles signals */
    struct loop *loops;       /* all loops, which pass connections to each other */
    atomic_size_t loop_count; /* 0 until all of them run */
    _Atomic uint64_t
        limit_reported_at;   /* monotonic milliseconds when the limit of connections was last reported */
    atomic_size_t listeners; /* loops that still accept connections and may pass them to others */
};

/* Called on the loop's own thread. It owns the message. */
typedef void loop_deliver(struct loop *loop, struct loop_message *message);

/* The head of each message to a loop. */
struct loop_message {
    h2o_multithread_message_t super;
    loop_deliver *deliver;
};

struct loop {
    struct loop_shared *shared;
    struct http_config *config;
    SSL_CTX *tls;         /* NULL: plain HTTP */
    int listening_socket; /* shared by loops: each listens on its own duplicate */
    size_t max_connections;
    bool shares_connections; /* shares connections and the memory budget with the other loops of `shared` */
    uint32_t silence_ms;     /* how long a connection may be silent before it may make room for another */
    size_t max_input_bytes;  /* of one connection, for a loop without a budget and with few connections; 0: no
                                limit */
    bool serves_until_stop;  /* ignores all stages of a drain except the last, for probes */
    char thread_name[32];    /* as ps -L shows it; the system takes 15 bytes */

    void *data; /* for the handlers of its routes */

    pthread_t thread;
    pthread_mutex_t waking; /* guards is_deaf */
    bool is_deaf;           /* it has ended and can no longer be woken */
    bool is_running;
    sem_t started;
    bool failed_to_start;
    struct heartbeat heartbeat; /* belongs to the thread that checks it */

    /* Everything below belongs to the loop's own thread. */
    h2o_evloop_t *events;
    h2o_context_t context;
    h2o_accept_ctx_t accept;
    h2o_socket_t *listener;
    bool is_listening;
    h2o_multithread_receiver_t mailbox;
    struct connections connections;
    uint64_t iteration; /* number of the current iteration */
    struct stages stages;
    struct queue next_iteration;   /* requests beyond the shares of their connections in one iteration */
    struct arena *arena;           /* of the review being judged, or the line being logged */
    struct http_counters counters; /* other threads read them, and beats */
    counter beats;                 /* iterations, and requests in them */
    enum stage stage;
    uint64_t wait_reported_at; /* monotonic milliseconds, as below */
    uint64_t refused_reported_at;
    uint64_t refused_reported;
    uint64_t refused_heads; /* requests that head_check refuses */
    uint64_t slow_reported_at;
    uint64_t slow_reported[PHASE_COUNT];
    size_t awaited; /* messages that other threads will certainly send; the loop does not end before they
                       arrive */
};

/* Sends a message, which the loop then owns. Thread-safe. */
void loop_send(struct loop *loop, struct loop_message *message);

/* Makes the loop check the stage. */
void loop_wake(struct loop *loop);

/* The loop that serves `request`. */
static inline struct loop *loop_of(const h2o_req_t *request)
{
    return H2O_STRUCT_FROM_MEMBER(struct loop, context, request->conn->ctx);
}

#endif
