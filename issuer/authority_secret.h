/*
 * authority_secret.h: how a Secret of type kubernetes.io/tls keeps the authorities.
 *
 *   data:
 *     tls.crt, tls.key      the authority that signs
 *     ca.crt                all that are trusted, for whoever needs to know them
 *     next.crt, next.key    the one that will sign next, if there is one
 *     previous.crt          the one that signed before, for as long as its leafs live
 *   metadata:
 *     annotations:
 *       applyguard.io/promoted-at: "2026-03-14T09:26:53Z"    when the current one began to sign
 */
#ifndef APPLYGUARD_ISSUER_AUTHORITY_SECRET_H
#define APPLYGUARD_ISSUER_AUTHORITY_SECRET_H

#include "base/slice.h"
#include "certs/key.h"
#include "issuer/authorities.h"

/*
 * Reads them from a Secret's JSON. -1, no authorities and an error that says what is wrong where they cannot
 * be used: nothing that signs, or a key that is another's. A next or previous one that cannot be read is left
 * out.
 */
int authority_secret_read(struct slice json, struct authorities *authorities, struct error *error);

/*
 * Writes them into a Secret's JSON, `stored`, of which everything else stays, its resourceVersion as well;
 * with an empty `stored` into a new one of this name. Freed with secret_free.
 */
int authority_secret_write(
    const struct authorities *authorities, struct slice stored, const char *namespace, const char *name,
    struct secret *json, struct error *error);

#endif
