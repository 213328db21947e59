#include "base/durations.h"

#include "base/array_size.h"
#include "base/digits.h"

static const struct {
    char letter;
    size_t seconds;
} units[] = {{'h', 3600}, {'m', 60}, {'s', 1}};

#define UNIT_COUNT ARRAY_SIZE(units)

static bool unit_parse(char letter, size_t *seconds)
{
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (units[i].letter == letter) {
            *seconds = units[i].seconds;
            return true;
        }
    }
    return false;
}

bool seconds_parse(struct slice text, size_t *seconds)
{
    size_t value = 0, unit = 0;
    bool has_leading_zero = text.length > 2 && text.bytes[0] == '0';
    if (text.length < 2 || has_leading_zero || !unit_parse(text.bytes[text.length - 1], &unit) ||
        !digits_parse(slice_until(text, text.length - 1), &value))
        return false;
    return !__builtin_mul_overflow(value, unit, seconds);
}

void seconds_append(struct text *text, size_t seconds)
{
    size_t unit = 0;
    while (unit + 1 < UNIT_COUNT && (seconds == 0 || seconds % units[unit].seconds != 0))
        unit++;
    text_append_number(text, seconds / units[unit].seconds);
    text_append(text, (struct slice){&units[unit].letter, 1});
}
