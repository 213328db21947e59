#include "base/base64.h"

#include "base/ascii.h"

#include <string.h>

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

/* The number that a digit has. */
static unsigned number_of(char digit)
{
    if (digit >= 'A' && digit <= 'Z')
        return (unsigned)(digit - 'A');
    if (digit >= 'a' && digit <= 'z')
        return (unsigned)(digit - 'a') + 26;
    if (digit >= '0' && digit <= '9')
        return (unsigned)(digit - '0') + 52;
    return digit == '+' ? 62 : 63;
}

/* The bits of digits that make no whole byte yet. */
struct decoding {
    unsigned bits, count;
};

/* Takes a digit's number. Returns true and the next byte if it is whole. */
static bool take_digit(struct decoding *decoding, unsigned number, char *byte)
{
    decoding->bits = (decoding->bits << 6 | number) & 0xffff;
    decoding->count += 6;
    if (decoding->count < 8)
        return false;
    decoding->count -= 8;
    *byte = (char)(decoding->bits >> decoding->count & 0xff);
    return true;
}

struct slice base64_decode(struct slice encoded, struct arena *arena)
{
    const struct slice nothing = {NULL, 0};
    char *plain = base64_is_valid(encoded) ? arena_allocate(arena, encoded.length / 4 * 3 + 1) : NULL;
    size_t length = 0;
    struct decoding decoding = {0};
    for (size_t i = 0; plain && i < encoded.length; i++)
        if (base64_is_digit(encoded.bytes[i]))
            length += take_digit(&decoding, number_of(encoded.bytes[i]), &plain[length]);
    return plain ? (struct slice){plain, length} : nothing;
}

static const char url_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool base64url_append_decoded(struct text *text, struct slice encoded)
{
    struct decoding decoding = {0};
    char byte;
    if (encoded.length % 4 == 1)
        return false;
    for (size_t i = 0; i < encoded.length; i++) {
        const char *digit = encoded.bytes[i] ? strchr(url_digits, encoded.bytes[i]) : NULL;
        if (!digit)
            return false;
        if (take_digit(&decoding, (unsigned)(digit - url_digits), &byte))
            text_append(text, (struct slice){&byte, 1});
    }
    return true;
}

void base64url_append(struct text *text, struct slice plain)
{
    unsigned bits = 0, count = 0;
    for (size_t i = 0; i < plain.length; i++) {
        bits = (bits << 8 | (unsigned char)plain.bytes[i]) & 0xffff;
        for (count += 8; count >= 6; count -= 6)
            text_append(text, (struct slice){&url_digits[bits >> (count - 6) & 63], 1});
    }
    if (count)
        text_append(text, (struct slice){&url_digits[bits << (6 - count) & 63], 1});
}
