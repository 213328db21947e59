/*
 * tls.h: TLS as the API server's client speaks it: 1.2 or 1.3, HTTP/1.1 only, every connection a full
 * handshake.
 *
 * H2O keeps the SSL_CTX of a connection as a bare pointer until the client's first byte arrives, so there is
 * one SSL_CTX for life, and each handshake is given the certificate that is in force when it begins.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_H
#define APPLYGUARD_WEBHOOK_TLS_H

#include "policy/error.h"

#include <openssl/ssl.h>

struct tls;

/*
 * Reads the certificate with its chain, and its key. NULL and an error that names the file and the flag if
 * one cannot be read or they do not belong together. Freed with tls_free, after the last connection.
 */
struct tls *tls_create(const char *certificate_path, const char *key_path, struct error *error);

/* Accepts NULL. */
void tls_free(struct tls *tls);

SSL_CTX *tls_context(const struct tls *tls);

/* Seconds until the certificate's notAfter; negative once it is over. */
long tls_seconds_left(const struct tls *tls);

#endif
