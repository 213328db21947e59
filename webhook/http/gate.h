/*
 * gate.h: limits the memory of request bodies before H2O reads them.
 *
 * H2O keeps a request in the connection's input buffer until the body is complete, and calls no handler
 * before that. So the gate gets a callback from OpenSSL for each incoming record, and replaces H2O's read
 * callback: it takes the growth of the buffer from the budget and then calls H2O. If the budget is used up,
 * the gate answers 503 with Retry-After, and reads and discards everything that still arrives on the
 * connection. Otherwise the reset of the connection would hide the answer from a client that is still
 * sending.
 *
 * Data that comes with the end of the TLS handshake is decrypted before H2O has a read callback. So until
 * then the kernel takes no more than a small window from a client, and the gate looks at the buffer when a
 * request is complete, and at the end of the iteration.
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
    struct gate *touched; /* the gates that have taken memory, or may have to take some */
};

/* The gate of one connection. The socket's on_close.data must point to it. */
struct gate {
    struct gates *gates;
    h2o_socket_t *socket;
    h2o_socket_cb http; /* H2O's read callback */
    size_t taken;
    uint64_t read_at;  /* monotonic milliseconds of the last TLS record; 0: none yet */
    struct gate *next; /* in gates.touched */
    struct gate **link;
    bool is_touched;
    bool is_open; /* the kernel alone limits the window */
    bool has_refused;
    bool has_said_so; /* the gate has answered the client */
};

struct gate gate_start(struct gates *gates, h2o_socket_t *socket);

/* Returns its memory to the budget. Call it when the socket is closed. */
void gate_end(struct gate *gate);

/*
 * Takes from the budget the memory of a complete request and of the data behind it, unless that was done
 * before. Returns false if the budget is used up, which counts as a refusal: answer 503 then, and close the
 * connection.
 */
bool gate_has_room(struct gate *gate);

/* When the server last read from a connection, in monotonic milliseconds; 0 without TLS. */
uint64_t gate_read_at(const h2o_socket_t *socket);

/* A callback for SSL_CTX_set_msg_callback. */
void gate_on_record(
    int is_written, int version, int content_type, const void *data, size_t length, SSL *ssl, void *unused);

/*
 * Returns memory that answered requests no longer need to the budget, and takes memory for the data that came
 * with the end of a handshake. Call it at the end of each iteration.
 */
void gates_settle(struct gates *gates);

#endif
