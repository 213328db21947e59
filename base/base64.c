#include "base/base64.h"

#include "base/ascii.h"

bool base64_is_digit(char byte)
{
    return ascii_is_alphanumeric(byte) || byte == '+' || byte == '/';
}

bool base64_is_valid(struct slice text)
{
    size_t count = 0, padding = 0;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        if (byte == '\n' || byte == '\r')
            continue;
        padding += byte == '=';
        if (byte != '=' && (padding || !base64_is_digit(byte)))
            return false;
        count++;
    }
    return count % 4 == 0 && padding <= 2;
}

static size_t length_of(struct slice plain)
{
    return (plain.length + 2) / 3 * 4;
}

/* The character at this place of the base64. */
static char character_at(struct slice plain, size_t place)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t start = place / 4 * 3, digit = place % 4;
    unsigned group = 0;
    for (size_t byte = start; byte < start + 3; byte++)
        group = (group << 8) | (byte < plain.length ? (unsigned char)plain.bytes[byte] : 0u);
    return start + digit > plain.length ? '=' : alphabet[(group >> (18 - 6 * digit)) & 63];
}

bool base64_is_of(struct slice encoded, struct slice plain)
{
    if (encoded.length != length_of(plain))
        return false;
    for (size_t i = 0; i < encoded.length; i++)
        if (encoded.bytes[i] != character_at(plain, i))
            return false;
    return true;
}

void base64_append(struct text *text, struct slice plain)
{
    size_t length = length_of(plain);
    char *encoded = text_extend(text, length);
    for (size_t i = 0; encoded && i < length; i++)
        encoded[i] = character_at(plain, i);
}
