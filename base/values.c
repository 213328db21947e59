#include "base/values.h"

#include "base/array_size.h"
#include "base/ascii.h"

#include <string.h>

struct byte_unit {
    const char *name;
    uint64_t bytes;
};

static const struct byte_unit byte_units[] = {
    {"", 1},         {"k", 1000},     {"M", 1000000},  {"G", 1000000000},
    {"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30},
};

const char *bytes_parse(const char *text, uint64_t least, uint64_t most, uint64_t *bytes)
{
    char digits[24] = "";
    uint64_t number, product;
    size_t length = strspn(text, "0123456789");
    if (length == 0 || length >= sizeof(digits))
        return length ? "is too large" : "is not a number of bytes; write it like 256Mi";
    memcpy(digits, text, length);
    const char *wrong = number_parse(digits, 0, UINT64_MAX, &number);
    if (wrong)
        return wrong;
    for (size_t i = 0; i < ARRAY_SIZE(byte_units); i++) {
        if (strcmp(text + length, byte_units[i].name) != 0)
            continue;
        if (__builtin_mul_overflow(number, byte_units[i].bytes, &product) || product > most)
            return "is too large";
        if (product < least)
            return "is too small";
        *bytes = product;
        return NULL;
    }
    return "has no unit of bytes; write it like 256Mi";
}

const char *number_parse(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    uint64_t value = 0;
    const char *cursor = text;
    for (; ascii_is_digit(*cursor); cursor++)
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*cursor - '0'), &value))
            return "is too large";
    if (cursor == text || *cursor)
        return "is not a whole number";
    if (value < least)
        return "is too small";
    if (value > most)
        return "is too large";
    *number = value;
    return NULL;
}
