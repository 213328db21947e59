#include "base/durations.h"

#include "base/array_size.h"
#include "base/ascii.h"

#define SECOND ((size_t)1000)

static const struct unit {
    const char *name;
    size_t milliseconds;
} units[] = {{"h", 3600 * SECOND}, {"m", 60 * SECOND}, {"s", SECOND}, {"ms", 1}};

/* From the end: "ms" begins with "m". */
static const struct unit *unit_take(struct slice *text)
{
    for (size_t i = ARRAY_SIZE(units); i-- > 0;) {
        struct slice name = slice_of(units[i].name);
        if (slice_starts_with(*text, name)) {
            *text = slice_from(*text, name.length);
            return &units[i];
        }
    }
    return NULL;
}

/* "90s", or "1.5h". */
struct part {
    size_t whole;
    double value;  /* with the fraction */
    bool is_exact; /* `whole` is the value, and written without zeros before it */
    const struct unit *unit;
};

/* Takes digits with an optional fraction; false without digits. */
static bool number_take(struct slice *text, struct part *part)
{
    const char *digit = text->bytes, *end = text->bytes + text->length;
    bool has_digits = false, has_overflow = false;
    double scale = 1;
    *part = (struct part){0};
    for (; digit < end && ascii_is_digit(*digit); digit++, has_digits = true) {
        has_overflow |= __builtin_mul_overflow(part->whole, (size_t)10, &part->whole) ||
            __builtin_add_overflow(part->whole, (size_t)(*digit - '0'), &part->whole);
        part->value = part->value * 10 + (*digit - '0');
    }
    bool has_leading_zero = digit - text->bytes > 1 && *text->bytes == '0';
    part->is_exact = !has_overflow && !has_leading_zero && !(digit < end && *digit == '.');
    if (digit < end && *digit == '.')
        for (digit++; digit < end && ascii_is_digit(*digit); digit++, has_digits = true)
            part->value += (*digit - '0') * (scale /= 10);
    *text = slice_from(*text, (size_t)(digit - text->bytes));
    return has_digits;
}

const char *duration_parse_long(const char *text, double *milliseconds)
{
    struct slice rest = slice_of(text);
    *milliseconds = 0;
    if (slice_equal(rest, SLICE("0")))
        return NULL;
    do {
        struct part part;
        if (!number_take(&rest, &part))
            return "is not a duration; write it like 10s, 500ms or 1m30s";
        part.unit = unit_take(&rest);
        if (!part.unit)
            return "needs a unit: ms, s, m or h; write it like 10s, 500ms or 1m30s";
        *milliseconds += part.value * (double)part.unit->milliseconds;
    } while (rest.length);
    return NULL;
}

const char *duration_parse(const char *text, uint32_t *milliseconds)
{
    double read;
    const char *wrong = duration_parse_long(text, &read);
    if (wrong)
        return wrong;
    if (read > DURATION_LIMIT_MS)
        return "is more than a day";
    *milliseconds = (uint32_t)(read + 0.5);
    return NULL;
}

bool duration_parse_seconds(struct slice text, size_t *seconds)
{
    struct part part;
    return number_take(&text, &part) && part.is_exact && (part.unit = unit_take(&text)) && !text.length &&
        part.unit->milliseconds >= SECOND &&
        !__builtin_mul_overflow(part.whole, part.unit->milliseconds / SECOND, seconds);
}

void duration_append_seconds(struct text *text, size_t seconds)
{
    const struct unit *unit = units;
    while (unit->milliseconds > SECOND && (seconds == 0 || seconds % (unit->milliseconds / SECOND) != 0))
        unit++;
    text_append_all(text, seconds / (unit->milliseconds / SECOND), unit->name);
}
