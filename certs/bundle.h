/*
 * bundle.h: PEM text with several certificates.
 */
#ifndef APPLYGUARD_CERTS_BUNDLE_H
#define APPLYGUARD_CERTS_BUNDLE_H

#include "base/error.h"
#include "base/slice.h"

#include <openssl/x509.h>

/* The limit of certificates. The authorities that a system trusts are 150. */
#define BUNDLE_MAX 1000

/* Frees the stack and its certificates. Accepts NULL. */
void bundle_free(STACK_OF(X509) * certificates);

/*
 * All certificates of the text, in order; skips other PEM blocks and other text. NULL and an error if the
 * text holds no certificate, a broken one, or too many.
 */
STACK_OF(X509) * bundle_parse(struct slice pem, struct error *error);

/* Prints all certificates as PEM text. The caller frees `pem->bytes` with free. */
struct pem_text {
    char *bytes;
    size_t length;
};

int bundle_print(const STACK_OF(X509) * certificates, struct pem_text *pem, struct error *error);

#endif
