#include "webhook/http/loop_thread.h"

#include "system/clock.h"
#include "webhook/http/accept.h"
#include "webhook/http/http.h"
#include "webhook/http/limits.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdlib.h>

/* A connection that is still open this long after being cut is left to the end of the process. */
#define LAST_TURNS_MS 400u

/*
 * The initial size of the buffers into which a request is read: one for the encrypted data, one for the
 * decrypted data. Most reviews fit, with their heads. H2O's default of 8 KiB does not hold a review of 8 KB
 * with its head. Reading it would take two calls and a larger buffer each time.
 */
#define INPUT_BUFFER_BYTES ((size_t)16 << 10)

/*
 * Messages
 */

static void on_messages(h2o_multithread_receiver_t *mailbox, h2o_linklist_t *messages)
{
    struct loop *loop = H2O_STRUCT_FROM_MEMBER(struct loop, mailbox, mailbox);
    while (!h2o_linklist_is_empty(messages)) {
        struct loop_message *message =
            H2O_STRUCT_FROM_MEMBER(struct loop_message, super.link, messages->next);
        h2o_linklist_unlink(&message->super.link);
        message->deliver(loop, message);
    }
}

static void stop_hearing(struct loop *loop)
{
    pthread_mutex_lock(&loop->waking);
    loop->is_deaf = true;
    pthread_mutex_unlock(&loop->waking);
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

static void report_slow(struct loop *loop, uint64_t now)
{
    uint64_t counts[PHASE_COUNT], total = 0;
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++) {
        counts[phase] = counter_read(&loop->counters.swept[phase]) - loop->slow_reported[phase];
        total += counts[phase];
    }
    if (!total || !log_is_due(&loop->slow_reported_at, now))
        return;
    struct log_line line = log_start(loop->shared->log, loop->arena, LOG_WARNING, "slow connections cut");
    log_add_number(&line, "count", total);
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++) {
        if (counts[phase])
            log_add_number(&line, phase_name(phase), counts[phase]);
        loop->slow_reported[phase] += counts[phase];
    }
    log_end(&line);
    arena_reset(loop->arena);
}

static void report_refused(struct loop *loop, uint64_t now)
{
    uint64_t count = counter_read(&loop->counters.refused) - loop->refused_reported;
    if (!count || !log_is_due(&loop->refused_reported_at, now))
        return;
    struct log_line line = log_start(
        loop->shared->log, loop->arena, LOG_WARNING, "large reviews refused, memory is at its limit");
    log_add_number(&line, "count", count);
    log_add_number(&line, "memoryLimit", loop->shared->budget.limit);
    log_end(&line);
    arena_reset(loop->arena);
    loop->refused_reported += count;
}

/* Errors that H2O answers itself, before it calls a handler. */
static void count_refused_by_http(struct loop *loop)
{
    const uint64_t *emitted = loop->context.emitted_error_status;
    counter_set(&loop->counters.malformed, emitted[H2O_STATUS_ERROR_400] + loop->refused_heads);
    counter_set(&loop->counters.too_large, emitted[H2O_STATUS_ERROR_413]);
}

static void sweep_when_due(struct loop *loop)
{
    uint64_t now = monotonic_milliseconds();
    if (now - loop->connections.last_sweep < sweep_interval(loop))
        return;
    connections_sweep(&loop->connections, &loop->context, sweep_of(loop->stage));
    report_slow(loop, now);
    report_refused(loop, now);
    count_refused_by_http(loop);
    accept_retry(loop);
    arena_rest(loop->arena);
}

static void follow_stage(struct loop *loop)
{
    enum stage stage = atomic_load_explicit(&loop->shared->stage, memory_order_acquire);
    if (loop->serves_until_stop && stage < STAGE_STOP)
        return;
    if (stage >= STAGE_CLOSING && loop->stage < STAGE_CLOSING) {
        h2o_context_request_shutdown(&loop->context);
        accept_stop(loop);
    }
    loop->stage = stage;
}

/* The time until the next sweep. H2O's own timers use the wall clock, so the sweep does not use them. */
static int32_t longest_wait(const struct loop *loop)
{
    uint64_t elapsed = monotonic_milliseconds() - loop->connections.last_sweep;
    uint32_t interval = sweep_interval(loop);
    return elapsed >= interval ? 0 : (int32_t)(interval - elapsed);
}

/* H2O's return value is useless: it is -1 for every signal that interrupts it. */
static void iterate(struct loop *loop)
{
    loop->iteration++;
    counter_add(&loop->beats, 1);
    h2o_evloop_run(loop->events, queue_resume(&loop->next_iteration) ? 0 : longest_wait(loop));
    gates_settle(&loop->connections.gates);
    if (loop->max_input_bytes)
        connections_limit_input(&loop->connections, loop->max_input_bytes);
    follow_stage(loop);
    sweep_when_due(loop);
}

/*
 * Begin and end
 */

/*
 * H2O's own timeouts use the wall clock: when it is set forward, they would cut every connection. So they are
 * disabled, and the sweep enforces the limits with the monotonic clock.
 */
static void disarm(h2o_timeout_t *timeout)
{
    h2o_linklist_unlink(&timeout->_link);
    h2o_linklist_init_anchor(&timeout->_link);
}

static void on_connection_gone(void *data)
{
    accept_resume(data);
}

static bool open_loop(struct loop *loop)
{
    int listening_socket = fcntl(loop->listening_socket, F_DUPFD_CLOEXEC, 0);
    loop->arena = arena_create();
    if (listening_socket < 0 || !loop->arena)
        return false;
    h2o_socket_buffer_prototype._initial_buf.capacity =
        INPUT_BUFFER_BYTES; /* H2O's variable is thread-local */
    loop->events = h2o_evloop_create();
    h2o_context_init(&loop->context, loop->events, &loop->config->h2o);
    disarm(&loop->context.handshake_timeout);
    disarm(&loop->context.http1.req_timeout);
    stages_init(&loop->stages, &loop->context);
    h2o_multithread_register_receiver(loop->context.queue, &loop->mailbox, on_messages);
    loop->accept =
        (h2o_accept_ctx_t){.ctx = &loop->context, .hosts = loop->config->h2o.hosts, .ssl_ctx = loop->tls};
    const struct connection_limits limits = {loop->max_connections, loop->silence_ms};
    if (!connections_open(&loop->connections, &limits, &loop->counters, on_connection_gone, loop))
        return false;
    if (loop->shares_connections)
        loop->connections.gates =
            (struct gates){.budget = &loop->shared->budget, .refused = &loop->counters.refused};
    accept_start(loop, listening_socket);
    return true;
}

static bool is_busy(const struct loop *loop)
{
    size_t listeners = atomic_load_explicit(&loop->shared->listeners, memory_order_acquire);
    return loop->awaited > 0 || connections_count(&loop->connections) > 0 ||
        (loop->shares_connections && listeners > 0);
}

/*
 * Lets H2O close the cut connections, and waits for the last messages of other loops, which may pass
 * connections on while they listen. Returns false if that takes too long.
 */
static bool finish(struct loop *loop)
{
    uint64_t deadline = monotonic_milliseconds() + LAST_TURNS_MS;
    while (is_busy(loop) && monotonic_milliseconds() < deadline)
        iterate(loop);
    /* The second iteration frees connections that the first one closes. */
    h2o_evloop_run(loop->events, 0);
    h2o_evloop_run(loop->events, 0);
    return !is_busy(loop);
}

/* H2O's caches on this thread are not freed: the process ends soon. */
static void close_loop(struct loop *loop)
{
    if (finish(loop)) {
        stop_hearing(loop);
        h2o_multithread_unregister_receiver(loop->context.queue, &loop->mailbox);
        h2o_context_dispose(&loop->context);
        h2o_evloop_destroy(loop->events);
    }
    connections_close(&loop->connections);
    arena_destroy(loop->arena);
}

static void *run(void *data)
{
    struct loop *loop = data;
    pthread_setname_np(pthread_self(), loop->thread_name);
    loop->failed_to_start = !open_loop(loop);
    bool failed = loop->failed_to_start;
    sem_post(&loop->started);
    if (failed)
        return NULL;
    while (loop->stage < STAGE_STOP)
        iterate(loop);
    close_loop(loop);
    OPENSSL_thread_stop();
    return NULL;
}

int loop_start(struct loop *loop, struct error *error)
{
    sem_init(&loop->started, 0, 0);
    pthread_mutex_init(&loop->waking, NULL);
    int status = pthread_create(&loop->thread, NULL, run, loop);
    if (status != 0) {
        sem_destroy(&loop->started);
        pthread_mutex_destroy(&loop->waking);
        return error_set(error, "cannot start a thread: %s", strerror(status));
    }
    while (sem_wait(&loop->started) != 0)
        ;
    loop->is_running = !loop->failed_to_start;
    if (loop->is_running)
        return 0;
    pthread_join(loop->thread, NULL);
    arena_destroy(loop->arena);
    sem_destroy(&loop->started);
    pthread_mutex_destroy(&loop->waking);
    return error_set(error, "cannot start a loop: too few files (ulimit -n) or too little memory");
}

void loop_join(struct loop *loop)
{
    if (!loop->is_running)
        return;
    pthread_join(loop->thread, NULL);
    sem_destroy(&loop->started);
    pthread_mutex_destroy(&loop->waking);
    loop->is_running = false;
}
