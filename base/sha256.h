/* sha256.h: the SHA-256 digest (FIPS 180-4), for identifiers that others compute the same way; not for
 * secrets. */
#ifndef APPLYGUARD_BASE_SHA256_H
#define APPLYGUARD_BASE_SHA256_H

#include "base/slice.h"

#define SHA256_BYTES 32

void sha256_digest(struct slice bytes, unsigned char digest[static SHA256_BYTES]);

#endif
