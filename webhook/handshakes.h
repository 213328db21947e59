/*
 * handshakes.h: how TLS handshakes end.
 *
 * OpenSSL counts those that begin and those that succeed. Of the others, what is worth knowing is the alert
 * that ended them: an API server that does not trust the certificate says so there, and nowhere else.
 */
#ifndef APPLYGUARD_WEBHOOK_HANDSHAKES_H
#define APPLYGUARD_WEBHOOK_HANDSHAKES_H

#include <openssl/ssl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* RFC 8446, 6: the fatal alerts that tell what is wrong with certificates, versions and ciphers. */
enum alert {
    ALERT_UNEXPECTED_MESSAGE,
    ALERT_BAD_RECORD_MAC,
    ALERT_HANDSHAKE_FAILURE,
    ALERT_BAD_CERTIFICATE,
    ALERT_UNSUPPORTED_CERTIFICATE,
    ALERT_CERTIFICATE_REVOKED,
    ALERT_CERTIFICATE_EXPIRED,
    ALERT_CERTIFICATE_UNKNOWN,
    ALERT_UNKNOWN_CA,
    ALERT_DECODE_ERROR,
    ALERT_DECRYPT_ERROR,
    ALERT_PROTOCOL_VERSION,
    ALERT_CERTIFICATE_REQUIRED,
    ALERT_OTHER,
};
#define ALERT_COUNT 14

struct handshakes {
    SSL_CTX *context;                            /* counts those that begin and succeed */
    atomic_uint_fast64_t alerts[2][ALERT_COUNT]; /* [received]; any loop counts, but seldom */
};

/* Takes what OpenSSL tells an info callback of a connection: alerts are counted. */
void handshakes_note(struct handshakes *handshakes, int where, int value);

uint64_t handshakes_started(const struct handshakes *handshakes);
uint64_t handshakes_completed(const struct handshakes *handshakes);

/* "bad_certificate", as the RFC has them; "other". */
const char *alert_name(enum alert alert);

#endif
