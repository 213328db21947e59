#include "webhook/loop.h"

#include "webhook/clock.h"
#include "webhook/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdlib.h>

/* Connections that are still there this long after being cut are left to the end of the process. */
#define LAST_TURNS_MS 1000u

/* Slow clients are reported at most this often, with their number. */
#define SLOW_REPORT_INTERVAL_MS 60000u

struct policy_message {
    h2o_multithread_message_t super;
    struct policy_reference *policy;
};

struct loop *loop_of(const h2o_req_t *request)
{
    return H2O_STRUCT_FROM_MEMBER(struct loop, context, request->conn->ctx);
}

/*
 * Accepting
 */

static void on_accept(h2o_socket_t *listener, const char *error);

static bool may_listen(const struct loop *loop)
{
    return loop->listener && connections_count(&loop->connections) < loop->max_connections;
}

/* A listener that cannot be served is not polled: the kernel would report it again at once, for ever. */
static void update_listener(struct loop *loop, bool listen)
{
    if (listen == loop->is_listening)
        return;
    loop->is_listening = listen;
    if (listen)
        h2o_socket_read_start(loop->listener, on_accept);
    else
        h2o_socket_read_stop(loop->listener);
}

static void on_connection_gone(void *data)
{
    struct loop *loop = data;
    if (may_listen(loop))
        update_listener(loop, true);
}

/* Out of files or memory: the next sweep tries again. */
static void accept_failed(struct loop *loop, int reason)
{
    if (reason != EMFILE && reason != ENFILE && reason != ENOBUFS && reason != ENOMEM)
        return;
    update_listener(loop, false);
    struct log_line line = log_start(loop->shared->log, loop->arena, LOG_ERROR, "connections have to wait");
    log_add_string(&line, "reason", strerror(reason));
    log_add_number(&line, "connections", connections_count(&loop->connections));
    log_end(&line);
    arena_reset(loop->arena);
}

static bool accept_one(struct loop *loop)
{
    h2o_socket_t *socket = h2o_evloop_socket_accept(loop->listener);
    if (!socket) {
        accept_failed(loop, errno);
        return false;
    }
    if (!connections_add(&loop->connections, socket)) {
        h2o_socket_close(socket);
        return true;
    }
    h2o_accept(&loop->accept, socket);
    if (!may_listen(loop))
        update_listener(loop, false);
    return true;
}

/* One at a time: API servers have few connections, and they should not all end up on the loop that woke
 * first. */
static void on_accept(h2o_socket_t *listener, const char *error)
{
    if (!error)
        accept_one(listener->data);
}

/* Whoever waits in the queue is still served: closing the socket would reset them. */
static void close_listener(struct loop *loop)
{
    if (!loop->listener)
        return;
    while (may_listen(loop) && accept_one(loop))
        ;
    update_listener(loop, false);
    h2o_socket_close(loop->listener);
    loop->listener = NULL;
}

/*
 * Messages
 */

static void on_messages(h2o_multithread_receiver_t *mailbox, h2o_linklist_t *messages)
{
    struct loop *loop = H2O_STRUCT_FROM_MEMBER(struct loop, mailbox, mailbox);
    while (!h2o_linklist_is_empty(messages)) {
        struct policy_message *message =
            H2O_STRUCT_FROM_MEMBER(struct policy_message, super.link, messages->next);
        h2o_linklist_unlink(&message->super.link);
        policy_reference_release(loop->policy);
        loop->policy = message->policy;
        free(message);
    }
}

int loop_send_policy(struct loop *loop, struct policy_reference *policy)
{
    struct policy_message *message = calloc(1, sizeof(*message));
    if (!message)
        return -1;
    message->policy = policy_reference_hold(policy);
    h2o_multithread_send_message(&loop->mailbox, &message->super);
    return 0;
}

void loop_wake(struct loop *loop)
{
    if (loop->is_running)
        h2o_multithread_send_message(&loop->mailbox, NULL);
}

/*
 * Sweeping and stages
 */

static enum sweep sweep_of(enum stage stage)
{
    return stage >= STAGE_STOP ? SWEEP_ALL : stage >= STAGE_CUT_IDLE ? SWEEP_SLOW_AND_IDLE : SWEEP_SLOW;
}

static uint32_t sweep_interval(const struct loop *loop)
{
    return loop->stage >= STAGE_CLOSING ? DRAIN_SWEEP_INTERVAL_MS : SWEEP_INTERVAL_MS;
}

static void report_slow(struct loop *loop, size_t count, uint64_t now)
{
    loop->slow_unreported += count;
    if (!loop->slow_unreported ||
        (loop->slow_reported_at && now - loop->slow_reported_at < SLOW_REPORT_INTERVAL_MS))
        return;
    struct log_line line = log_start(loop->shared->log, loop->arena, LOG_WARNING, "slow connections cut");
    log_add_number(&line, "count", loop->slow_unreported);
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
        if (loop->connections.swept[phase])
            log_add_number(&line, phase_name(phase), loop->connections.swept[phase]);
    log_end(&line);
    arena_reset(loop->arena);
    loop->slow_reported_at = now;
    loop->slow_unreported = 0;
}

static void sweep_when_due(struct loop *loop)
{
    uint64_t now = monotonic_milliseconds();
    if (now - loop->connections.last_sweep < sweep_interval(loop))
        return;
    size_t slow = connections_sweep(&loop->connections, &loop->context, sweep_of(loop->stage));
    report_slow(loop, slow, now);
    if (may_listen(loop))
        update_listener(loop, true);
}

static void follow_stage(struct loop *loop)
{
    enum stage stage = atomic_load_explicit(&loop->shared->stage, memory_order_acquire);
    if (loop->serves_until_stop && stage < STAGE_STOP)
        return;
    if (stage >= STAGE_CLOSING && loop->stage < STAGE_CLOSING) {
        h2o_context_request_shutdown(&loop->context);
        close_listener(loop);
    }
    loop->stage = stage;
}

/* Until the next sweep. H2O's own timers go by the wall clock, so the sweep is none of them. */
static int32_t longest_wait(const struct loop *loop)
{
    uint64_t elapsed = monotonic_milliseconds() - loop->connections.last_sweep;
    uint32_t interval = sweep_interval(loop);
    return elapsed >= interval ? 0 : (int32_t)(interval - elapsed);
}

/* H2O's return value is of no use: it is -1 for every signal that interrupts it. */
static void turn(struct loop *loop)
{
    h2o_evloop_run(loop->events, longest_wait(loop));
    follow_stage(loop);
    sweep_when_due(loop);
}

/*
 * Begin and end
 */

static bool open_loop(struct loop *loop)
{
    int listening_socket = fcntl(loop->listening_socket, F_DUPFD_CLOEXEC, 0);
    loop->arena = arena_create();
    if (listening_socket < 0 || !loop->arena)
        return false;
    loop->events = h2o_evloop_create();
    h2o_context_init(&loop->context, loop->events, loop->config);
    h2o_multithread_register_receiver(loop->context.queue, &loop->mailbox, on_messages);
    loop->accept =
        (h2o_accept_ctx_t){.ctx = &loop->context, .hosts = loop->config->hosts, .ssl_ctx = loop->tls};
    connections_init(&loop->connections, on_connection_gone, loop);
    loop->listener = h2o_evloop_socket_create(loop->events, listening_socket, H2O_SOCKET_FLAG_DONT_READ);
    loop->listener->data = loop;
    update_listener(loop, true);
    return true;
}

/* Buffers that H2O keeps for reuse on this thread go with the thread. */
static void free_recycled_buffers(void)
{
    h2o_mem_recycle_t *recycled = &h2o_socket_buffer_prototype.allocator;
    while (recycled->cnt)
        free(h2o_mem_alloc_recycle(recycled, 0));
}

/* Lets H2O take the cut connections down, and the last messages arrive; false if some connection does not go.
 */
static bool finish(struct loop *loop)
{
    uint64_t deadline = monotonic_milliseconds() + LAST_TURNS_MS;
    do {
        turn(loop);
    } while (connections_count(&loop->connections) && monotonic_milliseconds() < deadline);
    /* Twice, so that sockets closed in the first turn are freed in the second. */
    h2o_evloop_run(loop->events, 0);
    h2o_evloop_run(loop->events, 0);
    return connections_count(&loop->connections) == 0;
}

static void close_loop(struct loop *loop)
{
    if (finish(loop)) {
        h2o_multithread_unregister_receiver(loop->context.queue, &loop->mailbox);
        h2o_context_dispose(&loop->context);
        h2o_evloop_destroy(loop->events);
    }
    policy_reference_release(loop->policy);
    arena_destroy(loop->arena);
    free_recycled_buffers();
}

static void *run(void *data)
{
    struct loop *loop = data;
    loop->failed_to_start = !open_loop(loop);
    bool failed = loop->failed_to_start;
    sem_post(&loop->started);
    if (failed)
        return NULL;
    while (loop->stage < STAGE_STOP)
        turn(loop);
    close_loop(loop);
    OPENSSL_thread_stop();
    return NULL;
}

int loop_start(struct loop *loop, struct policy_reference *policy, struct error *error)
{
    sem_init(&loop->started, 0, 0);
    loop->policy = policy ? policy_reference_hold(policy) : NULL;
    int status = pthread_create(&loop->thread, NULL, run, loop);
    if (status != 0) {
        policy_reference_release(loop->policy);
        sem_destroy(&loop->started);
        return error_set(error, "cannot start a thread: %s", strerror(status));
    }
    while (sem_wait(&loop->started) != 0)
        ;
    loop->is_running = !loop->failed_to_start;
    if (loop->is_running)
        return 0;
    pthread_join(loop->thread, NULL);
    policy_reference_release(loop->policy);
    arena_destroy(loop->arena);
    sem_destroy(&loop->started);
    return error_set(error, "cannot start a loop: too few files (ulimit -n) or too little memory");
}

void loop_join(struct loop *loop)
{
    if (!loop->is_running)
        return;
    pthread_join(loop->thread, NULL);
    sem_destroy(&loop->started);
    loop->is_running = false;
}
