/*
 * gate.h: what stands between a connection's bytes and HTTP, so that bodies cannot take more memory than
 * there is.
 *
 * H2O keeps a request in the connection's input buffer until the last byte of its body is there, and asks
 * nobody before that. So OpenSSL tells of each record that comes in, and H2O's callback for what has been
 * read is replaced by the gate, which takes what the buffer has grown by from the budget and then lets H2O
 * have it. If the budget has no more, the gate answers instead: 503 with Retry-After, and what still comes on
 * that connection is read and thrown away, because a client that is still sending would not see an answer
 * after which the connection was reset.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_GATE_H
#define APPLYGUARD_WEBHOOK_HTTP_GATE_H

#include "system/counter.h"
#include "webhook/http/budget.h"
#include "webhook/http/h2o_api.h"

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>

/* The gates of one loop. */
struct gates {
    struct budget *budget; /* NULL: nothing is taken, and nothing refused */
    counter *refused;
    struct gate *charged; /* those that have taken something */
};

/* Of one connection: whoever has the socket keeps it where the socket's on_close.data points to. */
struct gate {
    struct gates *gates;
    h2o_socket_t *socket;
    h2o_socket_cb http; /* what the gate stands before */
    size_t taken;
    struct gate *next; /* that has taken something */
    struct gate **link;
    bool has_refused;
};

struct gate gate_start(struct gates *gates, h2o_socket_t *socket);

/* Gives back what was taken. The socket is closed. */
void gate_end(struct gate *gate);

/* The callback that SSL_CTX_set_msg_callback wants. */
void gate_on_record(
    int is_written, int version, int content_type, const void *data, size_t length, SSL *ssl, void *unused);

/* Gives back what is not needed any more, since requests were answered. For the end of each iteration. */
void gates_settle(struct gates *gates);

#endif
