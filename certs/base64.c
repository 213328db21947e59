#include "certs/base64.h"

#include <limits.h>
#include <openssl/evp.h>

bool base64_encode(struct slice bytes, struct secret *text)
{
    *text = (struct secret){0};
    if (bytes.length > INT_MAX / 2)
        return false;
    size_t length = (bytes.length + 2) / 3 * 4;
    *text = secret_allocate(length + 1);
    if (!text->bytes)
        return false;
    EVP_EncodeBlock((unsigned char *)text->bytes, (const unsigned char *)bytes.bytes, (int)bytes.length);
    text->bytes[length] = '\0';
    text->length = length;
    return true;
}
