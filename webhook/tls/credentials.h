/*
 * credentials.h: what the server shows of itself and whom it lets ask, as files say.
 *
 * All of it is read together and held together: a handshake takes either what was, or what came after it.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_CREDENTIALS_H
#define APPLYGUARD_WEBHOOK_TLS_CREDENTIALS_H

#include "base/error.h"
#include "certs/pair.h"
#include "webhook/tls/tls_settings.h"
#include "webhook/tls/watched_file.h"

#include <openssl/x509.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Immutable but for the count; freed when the last holder lets go. */
struct credentials {
    struct pair pair;    /* empty: none was made yet */
    X509_STORE *clients; /* the authorities of clients; NULL: anybody may ask */
    atomic_uint holders;
};

struct credentials *credentials_hold(struct credentials *credentials);

/* Accepts NULL. */
void credentials_release(struct credentials *credentials);

#define CREDENTIALS_FILES 3
#define CREDENTIALS_DIGEST_BYTES 32

/*
 * The same, but with another pair, which it takes over. NULL if there is no memory; the pair is released then
 * too.
 */
struct credentials *credentials_with_pair(const struct credentials *credentials, struct pair *pair);

/* The files, and what became of them when they were last looked at. */
struct credentials_files {
    struct watched_file files[CREDENTIALS_FILES];   /* those that are not given have no path */
    unsigned char served[CREDENTIALS_DIGEST_BYTES]; /* of the contents that are in force */
    unsigned char failed[CREDENTIALS_DIGEST_BYTES]; /* of those that last failed */
    bool look_again;                                /* though nothing changed */
    bool was_reported;                              /* the failure, which still stands */
};

void credentials_files_init(struct credentials_files *files, const struct tls_settings *settings);

enum credentials_result {
    CREDENTIALS_UNCHANGED,
    CREDENTIALS_NEW,    /* the caller holds `*credentials` */
    CREDENTIALS_FAILED, /* `error` says why */
};

/* Reads whatever is there. With expired ones a server can at least start and say so. */
struct credentials *credentials_first(struct credentials_files *files, struct error *error);

/*
 * Reads the files if they changed, or in any case if it is forced. A certificate and key that do not fit may
 * be halfway through being replaced: they are a failure when they are still so at the next look, and then
 * told once.
 */
enum credentials_result credentials_reload(
    struct credentials_files *files, bool is_forced, int64_t now, struct credentials **credentials,
    struct error *error);

/* False from a failure that was told until the files hold what is in force. */
bool credentials_are_current(const struct credentials_files *files);

#endif
