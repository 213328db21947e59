/*
 * base64.h: bytes as Kubernetes' JSON holds them.
 */
#ifndef APPLYGUARD_CERTS_BASE64_H
#define APPLYGUARD_CERTS_BASE64_H

#include "base/slice.h"
#include "certs/key.h"

#include <stdbool.h>

/*
 * Either may be of a key, so the result is a secret, freed with secret_free. A NUL follows the text, which
 * `length` does not count. False if there is no memory, or more than OpenSSL takes at once.
 */
bool base64_encode(struct slice bytes, struct secret *text);

/* Decodes base64, line breaks within it allowed. False if it is none. Freed with secret_free. */
bool base64_decode(struct slice text, struct secret *content);

#endif
