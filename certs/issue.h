/*
 * issue.h: issues authorities and certificates into a directory, for `certs create` and `certs renew`.
 */
#ifndef APPLYGUARD_CERTS_ISSUE_H
#define APPLYGUARD_CERTS_ISSUE_H

#include "certs/certificate.h"
#include "certs/directory.h"
#include "certs/names.h"

/* The files of the directory. ca.crt has all trusted authorities, the signing one first. */
#define CERTS_CA "ca.crt"
#define CERTS_CA_KEY "ca.key"
#define CERTS_CA_NEXT_KEY "ca-next.key"
#define CERTS_TLS "tls.crt"
#define CERTS_TLS_KEY "tls.key"

/* The kind of the keys, and how long certificates are valid. */
struct issue_options {
    enum key_kind key_kind;
    int64_t leaf_seconds;
    int64_t authority_seconds;
};

/* Creates an authority with a new key. Its name begins with `name`. */
int issue_authority(
    const struct issue_options *options, const char *name, int64_t now, struct authority *authority,
    struct error *error);

/*
 * Creates a key and a certificate for it, and writes both files. A certificate does not outlive its
 * authority: `not_after` is when it ends.
 */
int issue_leaf(
    const struct directory *directory, const struct issue_options *options, const struct authority *authority,
    GENERAL_NAMES *names, int64_t now, int64_t *not_after, struct error *error);

/* Writes a key with mode 0600. */
int issue_write_key(
    const struct directory *directory, const char *name, const EVP_PKEY *key, struct error *error);

/* Writes ca.crt: the authorities in this order, except for NULLs. */
int issue_write_bundle(
    const struct directory *directory, X509 *const *authorities, size_t count, struct error *error);

#endif
