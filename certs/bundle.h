/*
 * bundle.h: certificates in PEM text, several in a row.
 */
#ifndef APPLYGUARD_CERTS_BUNDLE_H
#define APPLYGUARD_CERTS_BUNDLE_H

#include "base/error.h"
#include "base/slice.h"

#include <openssl/x509.h>

/* Far more than any chain or bundle has; what holds more is not one. */
#define BUNDLE_MAX 64

/* Freed with this; accepts NULL. */
void bundle_free(STACK_OF(X509) * certificates);

/*
 * All certificates of the text, in order; other PEM blocks and text between are passed over. NULL and an
 * error if there is none, or a broken one.
 */
STACK_OF(X509) * bundle_parse(struct slice pem, struct error *error);

/* PEM text of them all. The caller frees `pem->bytes` with free. */
struct pem_text {
    char *bytes;
    size_t length;
};

int bundle_print(const STACK_OF(X509) * certificates, struct pem_text *pem, struct error *error);

#endif
