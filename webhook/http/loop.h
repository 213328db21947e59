/*
 * loop.h: one event loop on its own thread: it takes connections, serves their requests and sweeps them.
 *
 * Loops share nothing that changes but the log, the memory of contested fields and some counters; policies
 * and connections come by message.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_LOOP_H
#define APPLYGUARD_WEBHOOK_HTTP_LOOP_H

#include "base/arena.h"
#include "webhook/http/budget.h"
#include "webhook/http/connection.h"
#include "webhook/http/heartbeat.h"
#include "webhook/http/http.h"
#include "webhook/http/stages.h"
#include "webhook/review/facts.h"
#include "webhook/review/policy_reference.h"
#include "webhook/server/drain.h"
#include "webhook/telemetry/counters.h"
#include "webhook/telemetry/log.h"
#include "webhook/tls/handshakes.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

struct loop;
struct lookups;
struct places;
struct self_certificate;
struct waiting_scale;

/* What all loops see. */
struct loop_shared {
    struct log *log;
    /* One for all: the API server's connections are spread over the loops, and the two sides of a fight with
     * them. NULL: nothing is remembered. */
    struct contests *contests;
    struct budget budget;
    _Atomic enum stage stage;           /* set by the thread that handles signals */
    struct loop *loops;                 /* that share connections out among each other */
    atomic_size_t loop_count;           /* 0 until all of them run */
    _Atomic uint64_t limit_reported_at; /* monotonic milliseconds: that connections are at their limit */
    atomic_size_t listeners;            /* loops that still take connections, and may send them to others */
    struct fact_board *facts;
    const struct handshakes *handshakes;
    const struct self_certificate *self_certificate; /* NULL: certificates come from files */
    struct places *places;                           /* NULL: kinds and namespaces are not told apart */
    struct lookups *lookups; /* NULL: nothing is looked up, and scales are not judged */
    struct events *events;   /* NULL: none are told */
    const char *version;
};

/*
 * What a loop is sent: a policy to hold from now on, a scale whose object is known, or a connection to serve.
 * The first two own their messages.
 */
struct loop_message {
    h2o_multithread_message_t super;
    struct waiting_scale *scale;
    struct policy_reference *policy;
    int socket; /* where both are NULL */
};

struct loop {
    struct loop_shared *shared;
    h2o_globalconf_t *config;
    SSL_CTX *tls;         /* NULL: plain HTTP */
    int listening_socket; /* shared by loops: each listens on its own duplicate */
    size_t max_connections;
    bool shares_connections; /* and the budget of memory, with the other loops of `shared` */
    uint32_t silence_ms;     /* how long a connection may be silent at least before others take its place */
    bool serves_until_stop; /* goes on as before through all stages of a drain: probes want to know to the end
                             */

    pthread_t thread;
    pthread_mutex_t waking; /* guards is_deaf */
    bool is_deaf;           /* it has ended, and can be woken no more */
    bool is_running;
    sem_t started;
    bool failed_to_start;
    struct heartbeat heartbeat; /* of the thread that looks at it */

    /* Below: of the loop's own thread. */
    h2o_evloop_t *events;
    h2o_context_t context;
    h2o_accept_ctx_t accept;
    h2o_socket_t *listener;
    bool is_listening;
    h2o_multithread_receiver_t mailbox;
    struct connections connections;
    uint64_t turn; /* how many there have been */
    struct stages stages;
    struct queue next_turn; /* requests beyond the share that their connections have of one turn */
    struct policy_reference *policy;
    struct arena *arena;      /* of the review being judged, or the line being logged */
    struct counters counters; /* read by other threads, as beats are */
    counter beats;            /* turns, and requests in them */
    enum stage stage;
    uint64_t wait_reported_at; /* monotonic milliseconds, as below */
    uint64_t refused_reported_at;
    uint64_t refused_reported;
    uint64_t slow_reported_at;
    uint64_t slow_unreported;
    uint64_t lookup_reported_at;
    size_t waiting; /* scales whose lookups are not done */
};

/*
 * Starts the loop, whose first group of members is filled in, and waits until it listens. It holds `policy`
 * (NULL for a loop that judges nothing) until it gets another or ends.
 */
int loop_start(struct loop *loop, struct policy_reference *policy, struct error *error);

/* Sends the loop another policy to hold, once. It is the `index`th that the policy is made for. */
void loop_send_policy(struct loop *loop, struct policy_reference *policy, size_t index);

/* From any thread: the message belongs to the loop from here on. */
void loop_send(struct loop *loop, struct loop_message *message);

/* Makes the loop look at the stage. */
void loop_wake(struct loop *loop);

/* Waits for the end of a loop that was told to stop. Accepts one that was never started. */
void loop_join(struct loop *loop);

/* The loop that serves `request`. */
static inline struct loop *loop_of(const h2o_req_t *request)
{
    return H2O_STRUCT_FROM_MEMBER(struct loop, context, request->conn->ctx);
}

#endif
