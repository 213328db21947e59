/*
 * certificate.h: making certificates, and reading what matters of them.
 *
 * Two kinds are made. An authority signs and is what clients trust; every one has a subject of its own, so
 * that a chain never fits the wrong one of two. A leaf is what a server shows; it names its Service in the
 * subject alternative names and nowhere else. Times are seconds since 1970, and the clock is the caller's.
 */
#ifndef APPLYGUARD_CERTS_CERTIFICATE_H
#define APPLYGUARD_CERTS_CERTIFICATE_H

#include "base/error.h"
#include "certs/validity.h"

#include <openssl/x509v3.h>
#include <stdint.h>

#define AUTHORITY_SECONDS ((int64_t)365 * 86400)
#define LEAF_SECONDS ((int64_t)7 * 86400)

/* No lifetime is longer; it keeps all times within what X.509 can say. */
#define LIFETIME_SECONDS_MAX ((int64_t)100 * 365 * 86400)

/* What signs: not owned by this struct's copies. */
struct authority {
    X509 *certificate;
    EVP_PKEY *key;
};

/* Frees both; accepts an empty one. */
void authority_release(struct authority *authority);

/*
 * A self-signed authority for `key`, from BACKDATE_SECONDS before `now` to `lifetime` seconds after. Its
 * common name begins with `name`. NULL and an error if it cannot be made.
 */
X509 *authority_issue(EVP_PKEY *key, const char *name, int64_t now, int64_t lifetime, struct error *error);

/* A leaf for `key`, signed by `authority`; it ends no later than that does. */
X509 *leaf_issue(
    const struct authority *authority, EVP_PKEY *key, GENERAL_NAMES *names, int64_t now, int64_t lifetime,
    struct error *error);

/* From when to when it is good. False if its times cannot be read. */
bool validity_of(const X509 *certificate, struct validity *validity);

#endif
