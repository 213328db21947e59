#include "webhook/accept.h"

#include "webhook/clock.h"
#include "webhook/loop.h"
#include "webhook/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static void on_connection(h2o_socket_t *listener, const char *error);

static bool has_room(const struct loop *loop)
{
    return loop->listener && connections_count(&loop->connections) < loop->max_connections;
}

static void listen_or_not(struct loop *loop, bool listen)
{
    if (listen == loop->is_listening)
        return;
    loop->is_listening = listen;
    if (listen)
        h2o_socket_read_start(loop->listener, on_connection);
    else
        h2o_socket_read_stop(loop->listener);
}

static void make_room(struct loop *loop)
{
    if (loop->evicts_idle)
        connections_evict_waiting(&loop->connections);
    else
        connections_evict_silent(&loop->connections);
}

void accept_resume(struct loop *loop)
{
    if (has_room(loop))
        listen_or_not(loop, true);
}

void accept_retry(struct loop *loop)
{
    if (loop->listener && !loop->is_listening && !has_room(loop))
        make_room(loop);
    accept_resume(loop);
}

/* Out of files or memory: the next sweep tries again. */
static void failed(struct loop *loop, int reason)
{
    if (reason != EMFILE && reason != ENFILE && reason != ENOBUFS && reason != ENOMEM)
        return;
    listen_or_not(loop, false);
    if (!log_is_due(&loop->wait_reported_at, monotonic_milliseconds()))
        return;
    struct log_line line = log_start(loop->shared->log, loop->arena, LOG_ERROR, "connections have to wait");
    log_add_string(&line, "reason", strerror(reason));
    log_add_number(&line, "connections", connections_count(&loop->connections));
    log_end(&line);
    arena_reset(loop->arena);
}

void accept_adopt(struct loop *loop, int socket)
{
    h2o_socket_t *connection =
        h2o_evloop_socket_create(loop->events, socket, H2O_SOCKET_FLAG_IS_ACCEPTED_CONNECTION);
    if (!connections_add(&loop->connections, connection)) {
        h2o_socket_close(connection);
        return;
    }
    counter_add(&loop->counters.connections, 1);
    h2o_accept(&loop->accept, connection);
}

static struct loop *least_loaded(struct loop *loop)
{
    struct loop *best = loop;
    size_t fewest = connections_count(&loop->connections);
    size_t count = atomic_load_explicit(&loop->shared->loop_count, memory_order_acquire);
    for (size_t i = 0; i < count && loop->shares_connections; i++) {
        struct loop *other = &loop->shared->loops[i];
        size_t connections = connections_count(&other->connections);
        if (connections < fewest) {
            fewest = connections;
            best = other;
        }
    }
    return best;
}

/* The count goes up before the connection is under way, so that nobody overlooks it on its way. */
static void give(struct loop *loop, struct loop *receiver, int socket)
{
    struct loop_message *message = receiver == loop ? NULL : calloc(1, sizeof(*message));
    if (!message) {
        connections_expect(&loop->connections);
        accept_adopt(loop, socket);
        return;
    }
    message->socket = socket;
    connections_expect(&receiver->connections);
    h2o_multithread_send_message(&receiver->mailbox, &message->super);
}

static int take(struct loop *loop)
{
    int socket = accept4(h2o_socket_get_fd(loop->listener), NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0)
        failed(loop, errno);
    return socket;
}

static void on_connection(h2o_socket_t *listener, const char *error)
{
    struct loop *loop = listener->data;
    int socket;
    for (unsigned i = 0; i < ACCEPTS_OF_A_TURN && !error && has_room(loop); i++) {
        if ((socket = take(loop)) < 0)
            return;
        give(loop, least_loaded(loop), socket);
    }
    if (has_room(loop))
        return;
    listen_or_not(loop, false);
    make_room(loop);
}

void accept_start(struct loop *loop, int socket)
{
    atomic_fetch_add_explicit(&loop->shared->listeners, 1, memory_order_acq_rel);
    loop->listener = h2o_evloop_socket_create(loop->events, socket, H2O_SOCKET_FLAG_DONT_READ);
    loop->listener->data = loop;
    listen_or_not(loop, true);
}

void accept_stop(struct loop *loop)
{
    int socket;
    if (!loop->listener)
        return;
    while (has_room(loop) && (socket = take(loop)) >= 0)
        give(loop, loop, socket);
    listen_or_not(loop, false);
    h2o_socket_close(loop->listener);
    loop->listener = NULL;
    atomic_fetch_sub_explicit(&loop->shared->listeners, 1, memory_order_acq_rel);
}
