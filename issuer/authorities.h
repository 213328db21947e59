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

/* If it is unknown when the current one began to sign. The previous is then kept until it expires. */
#define PROMOTED_AT_UNKNOWN (INT64_MAX / 2)

/*
 * The struct owns each certificate and key, which are NULL if the authority is absent. rotation.h explains
 * the three.
 */
struct authorities {
    struct authority current;
    struct authority next;
    X509 *previous;
    int64_t promoted_at; /* when `current` began to sign */
};

/* Accepts empty ones. */
void authorities_release(struct authorities *authorities);

/* Another owner of the same certificates and keys. */
struct authorities authorities_share(const struct authorities *authorities);

/* The state for rotation_decide. */
struct rotation_state authorities_state(const struct authorities *authorities);

bool authorities_trust(const struct authorities *authorities, const X509 *certificate);

/*
 * The PEM text of all authorities, the oldest first, so that a promotion does not change it. The caller frees
 * `pem->bytes` with free; after -1 there is nothing to free.
 */
int authorities_bundle(const struct authorities *authorities, struct pem_text *pem, struct error *error);

#endif
