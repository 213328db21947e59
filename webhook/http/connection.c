#include "webhook/http/connection.h"

#include "system/clock.h"
#include "webhook/http/limits.h"

#include <stdlib.h>
#include <sys/socket.h>

struct connection {
    struct gate gate; /* the first member: the socket's on_close.data finds the connection by it */
    struct connections *owner;
    struct connection *next;     /* the next older one */
    struct connection *previous; /* the next newer one */
    h2o_socket_t *socket;
    const h2o_req_t *request; /* while HTTP has the connection; valid during a sweep */
    struct progress progress;
    struct slot slot;
    uint64_t iteration; /* the iteration of the last request */
    unsigned asked;     /* requests in that iteration */
    struct waiting waiting;
};

_Static_assert(offsetof(struct connection, gate) == 0, "the gate is found by the connection's address");

bool connections_open(
    struct connections *connections, const struct connection_limits *limits, struct http_counters *counters,
    void (*on_remove)(void *), void *data)
{
    *connections = (struct connections){
        .evicted = &counters->evicted,
        .swept = counters->swept,
        .on_remove = on_remove,
        .data = data,
        .last_sweep = monotonic_milliseconds()};
    return slots_open(&connections->slots, limits->connections, limits->silence_ms);
}

void connections_close(struct connections *connections)
{
    slots_close(&connections->slots);
}

size_t connections_count(const struct connections *connections)
{
    return atomic_load_explicit(&connections->count, memory_order_relaxed);
}

/* If several loops pass connections on at once, the maximum may be too low by their number. */
void connections_expect(struct connections *connections)
{
    size_t count = atomic_fetch_add_explicit(&connections->count, 1, memory_order_relaxed) + 1;
    if (count > atomic_load_explicit(&connections->most, memory_order_relaxed))
        atomic_store_explicit(&connections->most, count, memory_order_relaxed);
}

bool connections_have_gone(struct connections *connections, size_t crowd)
{
    size_t most = atomic_load_explicit(&connections->most, memory_order_relaxed);
    size_t count = connections_count(connections);
    if (most < crowd || count > most / 4)
        return false;
    atomic_store_explicit(&connections->most, count, memory_order_relaxed);
    return true;
}

/* H2O has closed the socket. */
static void on_close(void *data)
{
    struct connection *connection = data;
    struct connections *owner = connection->owner;
    *(connection->previous ? &connection->previous->next : &owner->first) = connection->next;
    *(connection->next ? &connection->next->previous : &owner->last) = connection->previous;
    gate_end(&connection->gate);
    slot_leave(&owner->slots, &connection->slot);
    free(connection);
    atomic_fetch_sub_explicit(&owner->count, 1, memory_order_relaxed);
    owner->on_remove(owner->data);
}

bool connections_add(struct connections *connections, h2o_socket_t *socket)
{
    struct connection *connection = malloc(sizeof(*connection));
    if (!connection) {
        atomic_fetch_sub_explicit(&connections->count, 1, memory_order_relaxed);
        return false;
    }
    *connection = (struct connection){
        .owner = connections,
        .next = connections->first,
        .socket = socket,
        .progress = progress_start(monotonic_milliseconds()),
        .gate = gate_start(&connections->gates, socket),
    };
    *(connection->next ? &connection->next->previous : &connections->last) = connection;
    connections->first = connection;
    slot_enter(&connections->slots, &connection->slot, socket);
    socket->on_close.cb = on_close;
    socket->on_close.data = connection;
    return true;
}

static struct connection *connection_of(h2o_req_t *request)
{
    return request->conn->callbacks->get_socket(request->conn)->on_close.data;
}

struct waiting *connection_waiting(h2o_req_t *request)
{
    return &connection_of(request)->waiting;
}

static int note_request(h2o_req_t *request, void *data)
{
    (void)data;
    connection_of(request)->request = request;
    return 0;
}

bool connection_has_room(h2o_req_t *request)
{
    return gate_has_room(&connection_of(request)->gate);
}

bool connection_may_ask(h2o_req_t *request, uint64_t iteration)
{
    struct connection *connection = connection_of(request);
    slot_asks(&connection->owner->slots, &connection->slot);
    if (connection->iteration != iteration) {
        connection->iteration = iteration;
        connection->asked = 0;
    }
    return connection->asked++ < REQUESTS_PER_ITERATION;
}

bool connection_is_wanted(h2o_req_t *request)
{
    struct connection *connection = connection_of(request);
    return slot_is_wanted(&connection->owner->slots, &connection->slot);
}

void connection_is_answered(h2o_req_t *request, bool is_verdict)
{
    struct connection *connection = connection_of(request);
    slot_is_answered(&connection->owner->slots, &connection->slot, is_verdict);
}

/* H2O sets the request's version when it has parsed the headers completely. */
static struct observation observe(const struct connection *connection)
{
    h2o_socket_t *socket = connection->socket;
    return (struct observation){
        .is_http = connection->request != NULL,
        .is_refused = connection->gate.has_refused,
        .is_writing = h2o_socket_is_writing(socket),
        .headers_complete = connection->request && connection->request->version != 0,
        .received = socket->input->size,
        .written = socket->bytes_written,
    };
}

/*
 * H2O notices on its next iteration and closes. A slow client's unread answer is discarded, because the
 * kernel would go on sending it.
 */
static void cut(const struct connection *connection, bool slow)
{
    int socket = h2o_socket_get_fd(connection->socket);
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    if (slow)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    shutdown(socket, SHUT_RDWR);
}

static bool has_request(const struct connection *connection)
{
    enum phase phase = connection->progress.phase;
    return phase == PHASE_HEADERS || phase == PHASE_BODY || phase == PHASE_ANSWER;
}

static bool is_to_be_cut(const struct connection *connection, enum sweep sweep, bool is_over)
{
    return is_over || sweep == SWEEP_ALL || (sweep == SWEEP_SLOW_AND_IDLE && !has_request(connection));
}

size_t connections_evict(struct connections *connections, size_t wanted)
{
    size_t count = 0, leaving = slots_leaving(&connections->slots);
    struct slot *slot;
    wanted = wanted > leaving ? wanted - leaving : 0;
    while (count < wanted && (slot = slots_evict(&connections->slots))) {
        cut(H2O_STRUCT_FROM_MEMBER(struct connection, slot, slot), false);
        count++;
    }
    counter_add(connections->evicted, count);
    slots_want(&connections->slots, wanted - count);
    return count;
}

void connections_limit_input(struct connections *connections, size_t bytes)
{
    for (struct connection *connection = connections->first; connection; connection = connection->next)
        if (connection->socket->input->capacity > bytes)
            cut(connection, true);
}

/*
 * The time in which the loop did not run, beyond the interval between two sweeps: the process was stopped or
 * starved, or judged a large review. Clients are not to blame for it.
 */
static uint64_t time_lost(struct connections *connections, uint64_t now)
{
    uint64_t elapsed = now - connections->last_sweep;
    connections->last_sweep = now;
    return elapsed / 2 > SWEEP_INTERVAL_MS ? elapsed - SWEEP_INTERVAL_MS : 0;
}

void connections_sweep(struct connections *connections, h2o_context_t *context, enum sweep sweep)
{
    uint64_t now = monotonic_milliseconds();
    uint64_t lost = time_lost(connections, now);
    context->globalconf->http1.callbacks.foreach_request(context, note_request, NULL);
    for (struct connection *connection = connections->first; connection; connection = connection->next) {
        struct observation seen = observe(connection);
        connection->request = NULL;
        progress_excuse(&connection->progress, lost, now);
        pace_excuse(&connection->slot.pace, lost, now);
        progress_observe(&connection->progress, &seen, now);
        if (has_request(connection))
            slot_begins(&connections->slots, &connection->slot);
        else if (connection->progress.phase == PHASE_IDLE)
            slot_rests(&connections->slots, &connection->slot);
        bool is_over = progress_is_over_limit(&connection->progress, seen.received, now);
        bool slow = is_over && connection->progress.phase != PHASE_IDLE;
        if (is_to_be_cut(connection, sweep, is_over))
            cut(connection, slow);
        if (slow)
            counter_add(&connections->swept[connection->progress.phase], 1);
    }
}
