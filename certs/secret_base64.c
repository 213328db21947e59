#include "certs/secret_base64.h"

#include "base/base64.h"

#include <limits.h>
#include <openssl/evp.h>

bool secret_base64_encode(struct slice bytes, struct secret *text)
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

/* Takes out line breaks. False if anything but base64 is left: OpenSSL would take a dash for the end. */
static bool squeeze(struct slice text, struct secret *squeezed)
{
    size_t length = 0, padding = 0;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        if (byte == '\n' || byte == '\r' || byte == ' ')
            continue;
        padding += byte == '=';
        if (byte != '=' && (padding || !base64_is_digit(byte)))
            return false;
        squeezed->bytes[length++] = byte;
    }
    squeezed->length = length;
    return length > 0 && length % 4 == 0 && padding <= 2;
}

/* EVP_DecodeBlock fills whole groups of three: the padding is ours to take off. */
static bool decode(const struct secret *squeezed, struct secret *content)
{
    *content = secret_allocate(squeezed->length / 4 * 3);
    if (!content->bytes)
        return false;
    int length = EVP_DecodeBlock(
        (unsigned char *)content->bytes, (const unsigned char *)squeezed->bytes, (int)squeezed->length);
    if (length < 0) {
        secret_free(content);
        return false;
    }
    size_t padding = squeezed->bytes[squeezed->length - 1] != '=' ? 0
        : squeezed->bytes[squeezed->length - 2] != '='            ? 1
                                                                  : 2;
    content->length = (size_t)length - padding;
    return true;
}

bool secret_base64_decode(struct slice text, struct secret *content)
{
    *content = (struct secret){0};
    if (text.length == 0 || text.length > INT_MAX)
        return false;
    struct secret squeezed = secret_allocate(text.length);
    bool done = squeezed.bytes && squeeze(text, &squeezed) && decode(&squeezed, content);
    secret_free(&squeezed);
    return done;
}
