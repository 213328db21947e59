/*
 * authority_secret.h: stores the authorities in a Secret of type kubernetes.io/tls.
 *
 *   data:
 *     tls.crt, tls.key      the authority that signs
 *     ca.crt                all authorities that are trusted, for other programs
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
 * Reads the authorities from a Secret's JSON. -1, no authorities and an error if they cannot be used: the
 * signing authority is missing, or the key does not match. Omits a next or previous one that cannot be read.
 */
int authority_secret_read(struct slice json, struct authorities *authorities, struct error *error);

/*
 * Writes the authorities into the JSON of the Secret `stored`, and keeps everything else, including its
 * resourceVersion. If `stored` is empty, writes a new Secret with this name. Free the JSON with secret_free.
 */
int authority_secret_write(
    const struct authorities *authorities, struct slice stored, const char *namespace, const char *name,
    struct secret *json, struct error *error);

#endif
