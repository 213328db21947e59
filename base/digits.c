#include "base/digits.h"

bool digits_parse(struct slice text, size_t *number)
{
    size_t value = 0;
    for (size_t i = 0; i < text.length; i++) {
        unsigned digit = (unsigned)text.bytes[i] - '0';
        if (digit > 9 || __builtin_mul_overflow(value, (size_t)10, &value) ||
            __builtin_add_overflow(value, (size_t)digit, &value))
            return false;
    }
    *number = value;
    return text.length > 0;
}

struct slice digits_write(uint64_t number, char bytes[DIGITS_MAX])
{
    size_t first = DIGITS_MAX;
    do
        bytes[--first] = (char)('0' + number % 10);
    while (number /= 10);
    return (struct slice){bytes + first, DIGITS_MAX - first};
}
