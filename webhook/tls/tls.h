/*
 * tls.h: TLS as the API server's client speaks it: 1.2 or 1.3, HTTP/1.1 only, every connection a full
 * handshake.
 *
 * H2O keeps the SSL_CTX of a connection as a bare pointer until the client's first byte arrives, so there is
 * one SSL_CTX for life, and each handshake is given the credentials that are in force when it begins.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_TLS_H
#define APPLYGUARD_WEBHOOK_TLS_TLS_H

#include "base/error.h"
#include "webhook/tls/credentials.h"
#include "webhook/tls/handshakes.h"
#include "webhook/tls/tls_settings.h"

#include <openssl/ssl.h>

struct tls;

/*
 * Reads the certificate with its chain, its key, and the authorities of clients if there are any. NULL and an
 * error that names the file and the flag if one cannot be read or they do not belong together. Freed with
 * tls_free, after the last connection. `settings` must stay.
 */
struct tls *tls_create(const struct tls_settings *settings, struct error *error);

/* Accepts NULL. */
void tls_free(struct tls *tls);

SSL_CTX *tls_context(const struct tls *tls);

/* Takes what changed in the files; see credentials_reload. Handshakes go on meanwhile on other threads. */
enum credentials_result tls_reload(struct tls *tls, bool is_forced, struct error *error);

/* Whether the files hold what is in force; see credentials_are_current. Of the thread that reloads. */
bool tls_is_current(const struct tls *tls);

/* Shows this pair from now on, and takes it over; from any thread. -1 and an error if there is no memory. */
int tls_take_pair(struct tls *tls, struct pair *pair, struct error *error);

/* From when to when the certificate in force is good. */
struct validity tls_validity(struct tls *tls);

/*
 * How many handshakes were refused since the last call, and the name of the last alert that told a client
 * why: unknown_ca, certificate_required, protocol_version.
 */
unsigned long tls_take_refused(struct tls *tls, const char **reason);

/* How they ended so far. */
const struct handshakes *tls_handshakes(const struct tls *tls);

#endif
