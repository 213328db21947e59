/*
 * handshakes.h: counts TLS handshakes and alerts.
 *
 * OpenSSL counts handshakes that begin and that succeed. For failed ones the alert matters: an API server
 * that does not trust the certificate shows it only by an alert.
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
    SSL_CTX *context;                            /* counts handshakes that begin and succeed */
    atomic_uint_fast64_t alerts[2][ALERT_COUNT]; /* [received]; any loop may count, but seldom does */
};

/* Counts alerts. Call it from OpenSSL's info callback. */
void handshakes_note(struct handshakes *handshakes, int where, int value);

uint64_t handshakes_started(const struct handshakes *handshakes);
uint64_t handshakes_completed(const struct handshakes *handshakes);

/* The alert with this number on the wire; ALERT_OTHER if it is unknown. */
enum alert alert_of(int description);

/* The RFC's name, such as "bad_certificate"; or "other". */
const char *alert_name(enum alert alert);

#endif
