/*
 * gate.h: limits the memory of request bodies before H2O reads them.
 *
 * H2O keeps a request in the connection's input buffer until the body is complete, and calls nobody before
 * that. So the gate gets a callback from OpenSSL for each incoming record, and replaces H2O's read callback:
 * it takes the growth of the buffer from the budget and then calls H2O. If the budget is used up, the gate
 * answers 503 with Retry-After, and reads and discards everything that still arrives on the connection.
 * Otherwise the reset of the connection would hide the answer from a client that is still sending.
 *
 * What comes with the end of the TLS handshake H2O decrypts before it has a read callback. So until then the
 * kernel takes no more than a small window from a client, and the gate looks at the buffer when a request is
 * complete, and at the end of the iteration.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_GATE_H
#define APPLYGUARD_WEBHOOK_HTTP_GATE_H

#include "system/counter.h"
#include "webhook/http/budget.h"
#include "webhook/http/h2o_api.h"

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The gates of one loop. */
struct gates {
    struct budget *budget; /* NULL: no limit */
    counter *refused;
    struct gate *touched; /* the gates that have taken memory, or may have to */
};

/* The gate of one connection. The socket's on_close.data must point to it. */
struct gate {
    struct gates *gates;
    h2o_socket_t *socket;
    h2o_socket_cb http; /* H2O's read callback */
    size_t taken;
    uint64_t read_at;  /* monotonic milliseconds: the last record of TLS; 0: none so far */
    struct gate *next; /* in gates.touched */
    struct gate **link;
    bool is_touched;
    bool is_open; /* the window is as large as the kernel likes */
    bool has_refused;
    bool has_said_so; /* the client has been answered */
};

struct gate gate_start(struct gates *gates, h2o_socket_t *socket);

/* Returns what was taken. Call it when the socket is closed. */
void gate_end(struct gate *gate);

/*
 * Takes what a complete request needs with all that came behind it, if nobody has so far. False if there is
 * no room, which counts as a refusal: answer 503 then, and close the connection.
 */
bool gate_has_room(struct gate *gate);

/* When the server last read of a connection, in monotonic milliseconds; 0 without TLS. */
uint64_t gate_read_at(const h2o_socket_t *socket);

/* A callback for SSL_CTX_set_msg_callback. */
void gate_on_record(
    int is_written, int version, int content_type, const void *data, size_t length, SSL *ssl, void *unused);

/*
 * Returns what answered requests no longer need, and takes what came with the end of a handshake. Call it at
 * the end of each iteration.
 */
void gates_settle(struct gates *gates);

#endif
