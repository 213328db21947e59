/*
 * pair.h: what a TLS server needs: a certificate, its chain and its key.
 */
#ifndef APPLYGUARD_CERTS_PAIR_H
#define APPLYGUARD_CERTS_PAIR_H

#include "base/error.h"
#include "base/slice.h"
#include "certs/validity.h"

#include <openssl/x509.h>

struct pair {
    X509 *leaf;
    STACK_OF(X509) * chain; /* above the leaf, possibly empty */
    EVP_PKEY *key;
    struct validity validity; /* of the leaf */
};

/*
 * Reads the certificate with its chain, and its key, from PEM text. -1 and an error if one cannot be read, or
 * if they do not match. The error names the sources, such as files.
 */
int pair_parse(
    struct pair *pair, struct slice certificates, const char *certificates_source, struct slice key,
    const char *key_source, struct error *error);

/* Makes `*copy` another owner of the same certificate, chain and key. -1 if memory runs out. */
int pair_share(struct pair *copy, const struct pair *pair, struct error *error);

/* Accepts an empty one. */
void pair_release(struct pair *pair);

/* -1 and an error with the day if the leaf is not yet valid or has expired. */
int pair_check_time(const struct pair *pair, const char *source, int64_t now, struct error *error);

#endif
