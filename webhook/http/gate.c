#include "webhook/http/gate.h"

#include "base/min.h"
#include "system/clock.h"
#include "webhook/http/limits.h"

#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/* Each connection already has buffers up to this size. */
#define FREE_CAPACITY ((size_t)16 << 10)

/*
 * One read brings at most the bytes that the kernel holds for a connection; some of them may stay encrypted
 * for a while.
 */
#define READ_AHEAD_BYTES ((size_t)2 * RECEIVE_BUFFER_BYTES)

/* The bytes that a client may have in flight until its TLS handshake is complete: more than any handshake. */
#define HANDSHAKE_WINDOW_BYTES (32 << 10)

/* A body above this size is large: large bodies leave some of the budget to the others. */
#define LARGE_CAPACITY ((size_t)256 << 10)

static const char answer[] = "HTTP/1.1 503 Service Unavailable\r\n"
                             "Connection: close\r\n"
                             "Retry-After: 1\r\n"
                             "Content-Type: text/plain; charset=utf-8\r\n"
                             "Content-Length: 50\r\n"
                             "\r\n" BUDGET_SPENT_SENTENCE;
_Static_assert(sizeof(BUDGET_SPENT_SENTENCE) - 1 == 50, "the length that the headers state");

/* The memory of the buffer, of the encrypted data behind it, and of the headers, which H2O copies. */
static size_t needed(const h2o_buffer_t *input)
{
    if (input->capacity <= FREE_CAPACITY)
        return 0;
    return input->capacity + min_u64(input->capacity, READ_AHEAD_BYTES) +
        min_u64(input->capacity, H2O_MAX_REQLEN);
}

static struct gate *gate_of(const h2o_socket_t *socket)
{
    return socket->on_close.data;
}

uint64_t gate_read_at(const h2o_socket_t *socket)
{
    return gate_of(socket)->read_at;
}

/* The connections of the other listener have no budget. */
static bool is_limited(const struct gates *gates)
{
    return gates->budget && gates->budget->limit;
}

static void limit_window(h2o_socket_t *socket, int bytes)
{
    setsockopt(h2o_socket_get_fd(socket), IPPROTO_TCP, TCP_WINDOW_CLAMP, &bytes, sizeof(bytes));
}

struct gate gate_start(struct gates *gates, h2o_socket_t *socket)
{
    if (is_limited(gates))
        limit_window(socket, HANDSHAKE_WINDOW_BYTES);
    return (struct gate){.gates = gates, .socket = socket};
}

static void touch(struct gate *gate)
{
    struct gates *gates = gate->gates;
    if (gate->is_touched)
        return;
    gate->is_touched = true;
    gate->next = gates->touched;
    gate->link = &gates->touched;
    if (gate->next)
        gate->next->link = &gate->next;
    gates->touched = gate;
}

static void let_go(struct gate *gate)
{
    if (!gate->is_touched)
        return;
    gate->is_touched = false;
    *gate->link = gate->next;
    if (gate->next)
        gate->next->link = gate->link;
}

static void give_back(struct gate *gate, size_t bytes)
{
    if (!bytes)
        return;
    budget_give_back(gate->gates->budget, bytes);
    gate->taken -= bytes;
    if (!gate->taken)
        let_go(gate);
}

void gate_end(struct gate *gate)
{
    give_back(gate, gate->taken);
    let_go(gate);
}

static bool take(struct gate *gate, size_t bytes)
{
    struct gates *gates = gate->gates;
    bool is_large = gate->socket->input->capacity > LARGE_CAPACITY;
    if (!budget_take(gates->budget, bytes, is_large ? gates->budget->large_bodies : gates->budget->bodies))
        return false;
    touch(gate);
    gate->taken += bytes;
    return true;
}

static bool settle(struct gate *gate)
{
    size_t bytes = needed(gate->socket->input);
    if (bytes > gate->taken)
        return take(gate, bytes - gate->taken);
    give_back(gate, gate->taken - bytes);
    return true;
}

/*
 * A small buffer may exceed the budget until H2O reads again, so that a small request is served even if a
 * large one follows it.
 */
bool gate_has_room(struct gate *gate)
{
    if (!is_limited(gate->gates) || settle(gate))
        return true;
    if (gate->socket->input->capacity <= 2 * FREE_CAPACITY) {
        touch(gate);
        return true;
    }
    counter_add(gate->gates->refused, 1);
    return false;
}

static void discard(h2o_socket_t *socket)
{
    if (socket->input->size)
        h2o_buffer_consume(&socket->input, socket->input->size);
}

/*
 * The client sees the end of the connection. It may still send the rest of its request, which the gate
 * discards.
 */
static void on_answered(h2o_socket_t *socket, const char *error)
{
    if (error)
        gate_of(socket)->http(socket, error);
    else
        shutdown(h2o_socket_get_fd(socket), SHUT_WR);
}

/*
 * The HTTP code is not called for the last bytes: until the end of the connection it waits for the rest of a
 * request.
 */
static void refuse(struct gate *gate)
{
    gate->has_refused = true;
    discard(gate->socket);
    give_back(gate, gate->taken);
    counter_add(gate->gates->refused, 1);
}

static void say_so(struct gate *gate)
{
    h2o_iovec_t whole = h2o_iovec_init(answer, sizeof(answer) - 1);
    gate->has_said_so = true;
    if (h2o_socket_is_writing(gate->socket))
        shutdown(h2o_socket_get_fd(gate->socket), SHUT_RDWR);
    else
        h2o_socket_write(gate->socket, &whole, 1, on_answered);
}

/* H2O has read something, or found that the connection has ended. */
static void on_read(h2o_socket_t *socket, const char *error)
{
    struct gate *gate = gate_of(socket);
    if (error) {
        gate->http(socket, error);
    } else if (!gate->has_refused && settle(gate)) {
        socket->_cb.read = gate->http;
        gate->http(socket, NULL);
    } else {
        if (gate->has_refused)
            discard(socket);
        else
            refuse(gate);
        if (!gate->has_said_so)
            say_so(gate);
    }
}

/*
 * While H2O answers a request, it reads nothing and parses its buffer: data beyond the budget then waits for
 * the end of the answer. The gate must not write here: H2O 2.2.5 does not expect writing outside of its loop.
 * The client gets its answer when the rest of its request comes.
 */
void gates_settle(struct gates *gates)
{
    for (struct gate *gate = gates->touched, *next; gate; gate = next) {
        next = gate->next;
        h2o_socket_cb reader = gate->socket->_cb.read;
        bool fits = settle(gate);
        if (fits && !gate->taken)
            let_go(gate);
        if (fits || !reader || gate->has_refused)
            continue;
        if (reader != on_read)
            gate->http = reader;
        gate->socket->_cb.read = on_read;
        refuse(gate);
    }
}

/* The handshake is over: the window grows as on any connection. */
static void open_window(struct gate *gate)
{
    if (gate->is_open)
        return;
    gate->is_open = true;
    limit_window(gate->socket, INT_MAX / 2);
}

/*
 * H2O's BIO has the socket as its data. The callback has already been called for this read, so replacing it
 * affects only the next ones.
 */
void gate_on_record(
    int is_written, int version, int content_type, const void *data, size_t length, SSL *ssl, void *unused)
{
    (void)version, (void)data, (void)length, (void)unused;
    if (is_written || content_type != SSL3_RT_HEADER)
        return;
    h2o_socket_t *socket = BIO_get_data(SSL_get_rbio(ssl));
    struct gate *gate = gate_of(socket);
    gate->read_at = monotonic_milliseconds();
    if (!is_limited(gate->gates) || !SSL_is_init_finished(ssl))
        return;
    open_window(gate);
    if (!socket->_cb.read) {
        touch(gate);
    } else if (socket->_cb.read != on_read) {
        gate->http = socket->_cb.read;
        socket->_cb.read = on_read;
    }
}
