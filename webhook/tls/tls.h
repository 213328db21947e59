/*
 * tls.h: TLS for the API server's client: 1.2 or 1.3, HTTP/1.1 only, and a full handshake for every
 * connection.
 *
 * H2O keeps a plain pointer to the SSL_CTX of a connection until the client's first byte arrives, so one
 * SSL_CTX lives as long as the process, and each handshake gets the current credentials when it begins.
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
 * Reads the certificate with its chain, its key, and the CAs of clients if there are any. If a file cannot be
 * read or they do not match, returns NULL and sets an error that names the file and the flag. Free it with
 * tls_free after the last connection. `settings` must live as long.
 */
struct tls *tls_create(const struct tls_settings *settings, struct error *error);

/* Accepts NULL. */
void tls_free(struct tls *tls);

SSL_CTX *tls_context(const struct tls *tls);

/*
 * The size of the certificates that the server reads from a client before it has verified the client. 0: the
 * server asks for none.
 */
size_t tls_certificates_bytes(const struct tls_settings *settings);

/* Loads changed files; see credentials_reload. Other threads may do handshakes meanwhile. */
enum credentials_result tls_reload(struct tls *tls, bool is_forced, struct error *error);

/*
 * Whether the files have the credentials in use; see credentials_are_current. Only for the thread that
 * reloads.
 */
bool tls_is_current(const struct tls *tls);

/* Uses this pair from now on, and owns it. Thread-safe. Returns -1 and sets the error if memory runs out. */
int tls_take_pair(struct tls *tls, struct pair *pair, struct error *error);

/* The validity of the certificate in use. */
struct validity tls_validity(struct tls *tls);

/*
 * How many handshakes were refused since the last call. Sets `reason` to the name of the last alert that was
 * sent: unknown_ca, certificate_required, protocol_version.
 */
unsigned long tls_take_refused(struct tls *tls, const char **reason);

/* The counts of handshakes and alerts. */
const struct handshakes *tls_handshakes(const struct tls *tls);

#endif
