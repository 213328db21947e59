/*
 * credentials.h: the server's certificate and the CAs of its clients, from files.
 *
 * They are read and replaced together, so a handshake uses either all of the old or all of the new ones.
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

/* Immutable except for the reference count. The last holder frees it. */
struct credentials {
    struct pair pair;    /* empty: not issued yet */
    X509_STORE *clients; /* the CAs of clients; NULL: any client is accepted */
    atomic_uint holders;
};

struct credentials *credentials_hold(struct credentials *credentials);

/* Accepts NULL. */
void credentials_release(struct credentials *credentials);

#define CREDENTIALS_FILES 3
#define CREDENTIALS_DIGEST_BYTES 32

/*
 * A copy with another pair, which it then owns. Returns NULL if memory runs out; releases the pair in that
 * case, too.
 */
struct credentials *credentials_with_pair(const struct credentials *credentials, struct pair *pair);

/* The files, and the result of the last check. */
struct credentials_files {
    struct watched_file files[CREDENTIALS_FILES];   /* files that are not configured have no path */
    unsigned char loaded[CREDENTIALS_DIGEST_BYTES]; /* of the contents that loaded last */
    unsigned char served[CREDENTIALS_DIGEST_BYTES]; /* of the contents in use */
    unsigned char failed[CREDENTIALS_DIGEST_BYTES]; /* of the last failure: the contents and the reason */
    bool look_again;                                /* even if nothing has changed */
    bool was_reported;                              /* the current failure has been reported */
    bool are_stale; /* a failure has been reported since the files last had the credentials in use */
};

void credentials_files_init(struct credentials_files *files, const struct tls_settings *settings);

enum credentials_result {
    CREDENTIALS_UNCHANGED,
    CREDENTIALS_NEW,    /* the caller holds `*credentials`, and must report whether it uses them: see below */
    CREDENTIALS_FAILED, /* `error` says why */
};

/*
 * Reads the files at the start. Accepts expired certificates, so that the server can start and report them.
 * The caller must use the result.
 */
struct credentials *credentials_first(struct credentials_files *files, struct error *error);

/*
 * Reads the files if they have changed, or if `is_forced`. A certificate and key that do not match may be in
 * the middle of being replaced: they are a failure only if the next check finds them unchanged. A failure is
 * reported once, but never final: it may be temporary, for example if memory runs out, so the next check
 * reads the files again even if they have not changed.
 */
enum credentials_result credentials_reload(
    struct credentials_files *files, bool is_forced, int64_t now, struct credentials **credentials,
    struct error *error);

/* The new credentials are in use: later checks report their contents no more. */
void credentials_served(struct credentials_files *files);

/*
 * New credentials could not be put in use, so the next check loads them again. Returns the result of the
 * check.
 */
enum credentials_result credentials_not_served(
    struct credentials_files *files, bool is_forced, const struct error *error);

/* Returns false from a reported failure on, until the files have the credentials in use. */
bool credentials_are_current(const struct credentials_files *files);

#endif
