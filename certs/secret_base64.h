/*
 * secret_base64.h: base64 of keys and certificates, the form of bytes in Kubernetes' JSON.
 */
#ifndef APPLYGUARD_CERTS_SECRET_BASE64_H
#define APPLYGUARD_CERTS_SECRET_BASE64_H

#include "base/slice.h"
#include "certs/key.h"

#include <stdbool.h>

/*
 * Encodes bytes, which may be a key, so the result is a secret: free it with secret_free. A NUL follows the
 * text; `length` does not count it. False if memory runs out or if the input is longer than OpenSSL accepts.
 */
bool secret_base64_encode(struct slice bytes, struct secret *text);

/*
 * Decodes base64, which may have line breaks. False if it is not base64. Free the content with secret_free.
 */
bool secret_base64_decode(struct slice text, struct secret *content);

#endif
