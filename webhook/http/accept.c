#include "webhook/http/accept.h"

#include "system/clock.h"
#include "webhook/http/limits.h"
#include "webhook/http/loop.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static void on_connection(h2o_socket_t *listener, const char *error);

static size_t room_of(const struct loop *loop)
{
    size_t count = connections_count(&loop->connections);
    return count < loop->max_connections ? loop->max_connections - count : 0;
}

/* A new connection goes to the loop that has the most room. */
static struct loop *roomiest(struct loop *loop)
{
    struct loop *best = loop;
    size_t most = room_of(loop);
    size_t count = atomic_load_explicit(&loop->shared->loop_count, memory_order_acquire);
    for (size_t i = 0; i < count && loop->shares_connections; i++) {
        struct loop *other = &loop->shared->loops[i];
        size_t room = room_of(other);
        if (room > most) {
            most = room;
            best = other;
        }
    }
    return best;
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

void accept_resume(struct loop *loop)
{
    if (loop->listener && room_of(loop))
        listen_or_not(loop, true);
}

void accept_retry(struct loop *loop)
{
    if (loop->listener)
        listen_or_not(loop, true);
}

/*
 * How many connections wait to be accepted, at least one: for a listening socket, Linux reports this number
 * in tcpi_unacked. 0: another loop has accepted them.
 */
static size_t waiting(const struct loop *loop)
{
    int socket = h2o_socket_get_fd(loop->listener);
    struct pollfd file = {.fd = socket, .events = POLLIN};
    struct tcp_info info = {0};
    socklen_t length = sizeof(info);
    if (poll(&file, 1, 0) != 1)
        return 0;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 || info.tcpi_unacked == 0)
        return 1;
    return info.tcpi_unacked;
}

static bool limit_is_to_be_reported(struct loop_shared *shared)
{
    uint64_t now = monotonic_milliseconds();
    uint64_t before = atomic_load_explicit(&shared->limit_reported_at, memory_order_relaxed), last = before;
    return log_is_due(&last, now) &&
        atomic_compare_exchange_strong_explicit(
               &shared->limit_reported_at, &before, last, memory_order_relaxed, memory_order_relaxed);
}

/* Once a minute, for all loops together. */
static void report_limit(struct loop *loop)
{
    struct loop_shared *shared = loop->shared;
    size_t count = atomic_load_explicit(&shared->loop_count, memory_order_acquire), limit = 0;
    uint64_t evicted = 0;
    if (!loop->shares_connections || !limit_is_to_be_reported(shared))
        return;
    for (size_t i = 0; i < count; i++) {
        limit += shared->loops[i].max_connections;
        evicted += counter_read(&shared->loops[i].counters.evicted);
    }
    struct log_line line = log_start(shared->log, loop->arena, LOG_WARNING, "connections at their limit");
    log_add_number(&line, "maxConnections", limit);
    log_add_number(&line, "evictedSoFar", evicted);
    log_end(&line);
    arena_reset(loop->arena);
}

/*
 * Each loop makes room for its share of the waiting connections. It listens again when the connections that
 * it cut are closed. If no connection was idle, it listens again when one closes, or at the next sweep.
 */
static void make_room(struct loop *loop)
{
    size_t count = atomic_load_explicit(&loop->shared->loop_count, memory_order_acquire);
    size_t wanted = waiting(loop);
    if (!wanted)
        return;
    if (loop->shares_connections && count > 1)
        wanted = (wanted + count - 1) / count;
    listen_or_not(loop, false);
    connections_evict(&loop->connections, wanted < ACCEPTS_PER_ITERATION ? wanted : ACCEPTS_PER_ITERATION);
    counter_add(&loop->counters.at_limit, 1);
    report_limit(loop);
}

/* Files or memory have run out: the loop listens again when a connection is closed, or at the next sweep. */
static void failed(struct loop *loop, int reason)
{
    if (reason != EMFILE && reason != ENFILE && reason != ENOBUFS && reason != ENOMEM)
        return;
    listen_or_not(loop, false);
    if (reason == EMFILE)
        connections_evict(&loop->connections, 1);
    if (!log_is_due(&loop->wait_reported_at, monotonic_milliseconds()))
        return;
    struct log_line line = log_start(loop->shared->log, loop->arena, LOG_ERROR, "connections have to wait");
    log_add_string(&line, "reason", strerror(reason));
    log_add_number(&line, "connections", connections_count(&loop->connections));
    log_end(&line);
    arena_reset(loop->arena);
}

static void adopt(struct loop *loop, int socket)
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

/* A connection on its way to the loop that is to serve it. */
struct given {
    struct loop_message message;
    int socket;
};

static void deliver(struct loop *loop, struct loop_message *message)
{
    struct given *given = H2O_STRUCT_FROM_MEMBER(struct given, message, message);
    adopt(loop, given->socket);
    free(given);
}

/*
 * The count is raised before the socket is sent, so that a connection on its way to another loop is counted
 * too.
 */
static void give(struct loop *loop, struct loop *receiver, int socket)
{
    struct given *given = receiver == loop ? NULL : calloc(1, sizeof(*given));
    if (!given) {
        connections_expect(&loop->connections);
        adopt(loop, socket);
        return;
    }
    *given = (struct given){.message.deliver = deliver, .socket = socket};
    connections_expect(&receiver->connections);
    loop_send(receiver, &given->message);
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
    for (unsigned i = 0; i < ACCEPTS_PER_ITERATION && !error; i++) {
        int socket;
        if (!room_of(roomiest(loop))) {
            make_room(loop);
            return;
        }
        if ((socket = take(loop)) < 0)
            return;
        /* Choose a loop for each connection: another loop may have accepted some meanwhile. */
        give(loop, roomiest(loop), socket);
    }
}

void accept_start(struct loop *loop, int socket)
{
    if (loop->shares_connections)
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
    while (room_of(loop) && (socket = take(loop)) >= 0)
        give(loop, loop, socket);
    listen_or_not(loop, false);
    h2o_socket_close(loop->listener);
    loop->listener = NULL;
    if (loop->shares_connections)
        atomic_fetch_sub_explicit(&loop->shared->listeners, 1, memory_order_acq_rel);
}
