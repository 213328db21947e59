#include "base/quantity.h"

#include "base/count.h"

#include <math.h>

struct suffix {
    const char *text;
    long double factor;
};

static const struct suffix suffixes[] = {
    {"", 1},         {"n", 1e-9L},    {"u", 1e-6L},    {"m", 1e-3L},    {"k", 1e3L},     {"M", 1e6L},
    {"G", 1e9L},     {"T", 1e12L},    {"P", 1e15L},    {"E", 1e18L},    {"Ki", 0x1p10L}, {"Mi", 0x1p20L},
    {"Gi", 0x1p30L}, {"Ti", 0x1p40L}, {"Pi", 0x1p50L}, {"Ei", 0x1p60L},
};

/* Nobody writes longer ones; a long double holds this many digits. */
#define QUANTITY_BYTES_MAX 24

static size_t read_digits(struct slice text, long double *number, long double *scale)
{
    size_t count = 0;
    while (count < text.length && text.bytes[count] >= '0' && text.bytes[count] <= '9') {
        *number = *number * 10 + (text.bytes[count] - '0');
        *scale *= 10;
        count++;
    }
    return count;
}

/* Digits, with a fraction or without, and a suffix. Exponents are left out: they do not come as suffixes. */
static bool read_quantity(struct slice text, long double *amount)
{
    long double number = 0, ignored = 1, scale = 1;
    bool negative = text.length && text.bytes[0] == '-';
    if (text.length > QUANTITY_BYTES_MAX)
        return false;
    if (negative)
        text = slice_from(text, 1);
    size_t digits = read_digits(text, &number, &ignored);
    text = slice_from(text, digits);
    if (text.length && text.bytes[0] == '.') {
        size_t fraction = read_digits(slice_from(text, 1), &number, &scale);
        digits += fraction;
        text = slice_from(text, fraction + 1);
    }
    for (size_t i = 0; digits && i < COUNT(suffixes); i++) {
        if (slice_equal(text, slice_of(suffixes[i].text))) {
            *amount = (negative ? -number : number) / scale * suffixes[i].factor;
            return true;
        }
    }
    return false;
}

bool quantities_equal(struct slice a, struct slice b)
{
    long double x, y;
    if (!read_quantity(a, &x) || !read_quantity(b, &y))
        return false;
    /* 0.1 and 100m differ in the last bit; amounts that anybody means to tell apart do not come that near. */
    return fabsl(x - y) <= fabsl(x) * 1e-15L;
}

bool is_base64_of(struct slice encoded, struct slice plain)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (encoded.length != (plain.length + 2) / 3 * 4)
        return false;
    for (size_t i = 0; i < encoded.length; i++) {
        size_t start = i / 4 * 3, digit = i % 4;
        unsigned group = 0;
        for (size_t byte = start; byte < start + 3; byte++)
            group = (group << 8) | (byte < plain.length ? (unsigned char)plain.bytes[byte] : 0u);
        bool padding = start + digit > plain.length;
        if (encoded.bytes[i] != (padding ? '=' : alphabet[(group >> (18 - 6 * digit)) & 63]))
            return false;
    }
    return true;
}
