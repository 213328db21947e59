/*
 * authorities.h: the certificate authorities that the callers of a webhook trust.
 */
#ifndef APPLYGUARD_ISSUER_AUTHORITIES_H
#define APPLYGUARD_ISSUER_AUTHORITIES_H

#include "base/error.h"
#include "certs/bundle.h"
#include "certs/certificate.h"
#include "certs/rotation.h"

#include <stdbool.h>
#include <stdint.h>

/* When it is not known when the current one began to sign: the previous is kept until it expires. */
#define PROMOTED_AT_UNKNOWN (INT64_MAX / 2)

/* Each certificate and key is owned, and NULL where there is none. See rotation.h for what they are. */
struct authorities {
    struct authority current;
    struct authority next;
    X509 *previous;
    int64_t promoted_at; /* when `current` began to sign */
};

/* Accepts empty ones. */
void authorities_release(struct authorities *authorities);

/* Another owner of the very same certificates and keys. */
struct authorities authorities_share(const struct authorities *authorities);

/* As rotation_decide asks for it. */
struct rotation_state authorities_state(const struct authorities *authorities);

bool authorities_trust(const struct authorities *authorities, const X509 *certificate);

/*
 * The PEM text of them all, the oldest first: a step that only changes their parts leaves the text as it is,
 * so nobody has to learn of it. The caller frees `pem->bytes` with free.
 */
int authorities_bundle(const struct authorities *authorities, struct pem_text *pem, struct error *error);

#endif
