/*
 * handshakes.h: how TLS handshakes end.
 *
 * OpenSSL counts those that begin and those that succeed. Of the others, what is worth knowing is the alert
 * that ended them: an API server that does not trust the certificate says so there, and nowhere else.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_HANDSHAKES_H
#define APPLYGUARD_WEBHOOK_TLS_HANDSHAKES_H

#include <openssl/ssl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum alert {
#define ALERT(number, name) ALERT_##name,
#include "webhook/tls/alerts.def"
#undef ALERT
    ALERT_OTHER,
    ALERT_COUNT
};

struct handshakes {
    SSL_CTX *context;                            /* counts those that begin and succeed */
    atomic_uint_fast64_t alerts[2][ALERT_COUNT]; /* [received]; any loop counts, but seldom */
};

/* Takes what OpenSSL tells an info callback of a connection: alerts are counted. */
void handshakes_note(struct handshakes *handshakes, int where, int value);

uint64_t handshakes_started(const struct handshakes *handshakes);
uint64_t handshakes_completed(const struct handshakes *handshakes);

/* Which one has this number on the wire; ALERT_OTHER if none has. */
enum alert alert_of(int description);

/* "bad_certificate", as the RFC has them; "other". */
const char *alert_name(enum alert alert);

#endif
