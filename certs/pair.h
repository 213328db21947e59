/*
 * pair.h: what a server shows and proves: a certificate, the chain above it, and its key.
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
 * Reads the certificate with its chain, and its key, from PEM text. -1 and an error if one cannot be read or
 * they do not belong together. The sources (a file's name, say) are for the error's sentence.
 */
int pair_parse(
    struct pair *pair, struct slice certificates, const char *certificates_source, struct slice key,
    const char *key_source, struct error *error);

/* Makes `*copy` another owner of the very same certificate, chain and key. -1 if there is no memory. */
int pair_share(struct pair *copy, const struct pair *pair, struct error *error);

/* Accepts an empty one. */
void pair_release(struct pair *pair);

/* -1 and an error with the day if the leaf is not valid yet, or not any more. */
int pair_check_time(const struct pair *pair, const char *source, int64_t now, struct error *error);

#endif
