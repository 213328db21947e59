/*
 * certificate.h: creates certificates and reads their validity.
 *
 * There are two kinds. Clients trust an authority, which signs leafs. Each authority has a unique subject, so
 * that a chain never matches the wrong authority. A server presents a leaf, which names its Service only in
 * the subject alternative names. Times are seconds since 1970; the caller passes the current time.
 */
#ifndef APPLYGUARD_CERTS_CERTIFICATE_H
#define APPLYGUARD_CERTS_CERTIFICATE_H

#include "base/error.h"
#include "certs/validity.h"

#include <openssl/x509v3.h>
#include <stdint.h>

#define AUTHORITY_SECONDS ((int64_t)365 * 86400)
#define LEAF_SECONDS ((int64_t)7 * 86400)

/* The longest lifetime. It keeps all times within the range of X.509. */
#define LIFETIME_SECONDS_MAX ((int64_t)100 * 365 * 86400)

/* An authority with its key. Copies of this struct do not own them. */
struct authority {
    X509 *certificate;
    EVP_PKEY *key;
};

/* Frees both; accepts an empty one. */
void authority_release(struct authority *authority);

/*
 * Creates a self-signed authority for `key`, valid from BACKDATE_SECONDS before `now` to `lifetime` seconds
 * after. Its common name begins with `name`. NULL and an error on failure.
 */
X509 *authority_issue(EVP_PKEY *key, const char *name, int64_t now, int64_t lifetime, struct error *error);

/* Creates a leaf for `key`, signed by `authority`. It expires no later than the authority. */
X509 *leaf_issue(
    const struct authority *authority, EVP_PKEY *key, GENERAL_NAMES *names, int64_t now, int64_t lifetime,
    struct error *error);

/* Reads the validity. False if the certificate's times cannot be read. */
bool validity_of(const X509 *certificate, struct validity *validity);

#endif
