#include "manifest/number.h"

#include "base/ascii.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <yyjson.h>

bool number_parse_digits(struct slice digits, unsigned base, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < digits.length; i++) {
        unsigned value = ascii_hex_value(digits.bytes[i]);
        if (value >= base || __builtin_mul_overflow(*number, (uint64_t)base, number) ||
            __builtin_add_overflow(*number, (uint64_t)value, number))
            return false;
    }
    return digits.length != 0;
}

bool number_parse_integer(struct slice text, int64_t *number)
{
    bool is_negative = text.length && text.bytes[0] == '-';
    uint64_t magnitude;
    if (text.length && (text.bytes[0] == '-' || text.bytes[0] == '+'))
        text = slice_from(text, 1);
    if (!number_parse_digits(text, 10, &magnitude) || magnitude > (uint64_t)INT64_MAX + is_negative)
        return false;
    *number = is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

/* The parts of a decimal number. */
struct decimal {
    bool is_negative;
    struct slice whole;
    struct slice fraction;
    struct slice exponent; /* with its sign */
};

static struct slice take_digits(struct slice *text)
{
    size_t length = 0;
    while (length < text->length && ascii_is_digit(text->bytes[length]))
        length++;
    struct slice digits = slice_until(*text, length);
    *text = slice_from(*text, length);
    return digits;
}

static bool take(struct slice *text, const char *any_of)
{
    if (!text->length || !text->bytes[0] || !strchr(any_of, text->bytes[0]))
        return false;
    *text = slice_from(*text, 1);
    return true;
}

static bool split_decimal(struct slice text, struct decimal *decimal)
{
    *decimal = (struct decimal){.is_negative = text.length && text.bytes[0] == '-'};
    take(&text, "+-");
    decimal->whole = take_digits(&text);
    if (take(&text, "."))
        decimal->fraction = take_digits(&text);
    if (!decimal->whole.length && !decimal->fraction.length)
        return false;
    if (!text.length)
        return true;
    if (!take(&text, "eE"))
        return false;
    decimal->exponent = text;
    take(&text, "+-");
    return take_digits(&text).length && !text.length;
}

static char *append(char *end, struct slice bytes)
{
    if (bytes.length)
        memcpy(end, bytes.bytes, bytes.length);
    return end + bytes.length;
}

/* Parses it as JSON, which yyjson reads exactly and independent of the locale. */
bool number_parse_real(struct slice text, struct arena *arena, double *number)
{
    struct decimal decimal;
    if (!split_decimal(text, &decimal))
        return false;
    while (decimal.whole.length > 1 && decimal.whole.bytes[0] == '0')
        decimal.whole = slice_from(decimal.whole, 1);
    char *json = arena_allocate(arena, text.length + 8);
    if (!json)
        return false;
    char *end = append(json, decimal.is_negative ? SLICE("-") : SLICE(""));
    end = append(end, decimal.whole.length ? decimal.whole : SLICE("0"));
    end = append(end, SLICE("."));
    end = append(end, decimal.fraction.length ? decimal.fraction : SLICE("0"));
    if (decimal.exponent.length)
        end = append(append(end, SLICE("e")), decimal.exponent);
    *end = '\0';
    yyjson_val value;
    yyjson_alc allocator = arena_yyjson(arena);
    if (!yyjson_read_number(json, &value, YYJSON_READ_NOFLAG, &allocator, NULL))
        return false;
    *number = yyjson_get_num(&value);
    return true;
}

/* A number as its shortest digits, without zeros at either end, and the position of the point among them. */
struct shortest {
    bool is_negative;
    char digits[24];
    int count;
    int point; /* 0.DIGITS times ten to `point` */
};

/* Reads the output of yyjson or printf: digits, a point in any locale, an exponent. */
static void read_shortest(const char *text, struct shortest *shortest)
{
    *shortest = (struct shortest){.is_negative = *text == '-'};
    bool after_point = false;
    text += shortest->is_negative;
    for (; *text && *text != 'e'; text++) {
        if (!ascii_is_digit(*text)) {
            after_point = true;
        } else if (shortest->count || *text != '0') {
            if (shortest->count < (int)sizeof(shortest->digits))
                shortest->digits[shortest->count++] = *text;
            shortest->point += !after_point;
        } else {
            shortest->point -= after_point;
        }
    }
    if (*text == 'e')
        shortest->point += (int)strtol(text + 1, NULL, 10);
    while (shortest->count && shortest->digits[shortest->count - 1] == '0')
        shortest->count--;
    if (!shortest->count)
        shortest->point = 1;
}

static char *append_zeros(char *end, int count)
{
    for (; count > 0; count--)
        *end++ = '0';
    return end;
}

static char *append_digits(char *end, const struct shortest *shortest, int from, int to)
{
    for (int i = from; i < to; i++)
        *end++ = i < shortest->count ? shortest->digits[i] : '0';
    return end;
}

/* strconv's form 'f'. */
static char *append_plain(char *end, const struct shortest *shortest)
{
    if (shortest->point > 0) {
        end = append_digits(end, shortest, 0, shortest->point);
        if (shortest->count <= shortest->point)
            return end;
        *end++ = '.';
        return append_digits(end, shortest, shortest->point, shortest->count);
    }
    end = append(end, SLICE("0."));
    end = append_zeros(end, -shortest->point);
    return append_digits(end, shortest, 0, shortest->count);
}

/* strconv's form 'e', with at least `digits` digits in the exponent. */
static char *append_scientific(char *end, const struct shortest *shortest, int digits)
{
    int exponent = shortest->count ? shortest->point - 1 : 0;
    end = append_digits(end, shortest, 0, 1);
    if (shortest->count > 1) {
        *end++ = '.';
        end = append_digits(end, shortest, 1, shortest->count);
    }
    return end + snprintf(end, 8, "e%c%0*d", exponent < 0 ? '-' : '+', digits, abs(exponent));
}

size_t number_format(double number, struct arena *arena, char text[NUMBER_TEXT_MAX])
{
    yyjson_val value = {.tag = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_REAL, .uni.f64 = number};
    yyjson_alc allocator = arena_yyjson(arena);
    const char *written = yyjson_val_write_opts(&value, YYJSON_WRITE_NOFLAG, &allocator, NULL, NULL);
    if (!written)
        return 0;
    struct shortest shortest;
    read_shortest(written, &shortest);
    char *end = append(text, shortest.is_negative ? SLICE("-") : SLICE(""));
    /* encoding/json: 'e' below 1e-6 and from 1e21 on; negative exponents are not padded. */
    if (shortest.count && (shortest.point < -5 || shortest.point > 21))
        end = append_scientific(end, &shortest, shortest.point > 0 ? 2 : 1);
    else
        end = append_plain(end, &shortest);
    return (size_t)(end - text);
}

void number_append(struct text *text, double number)
{
    char digits[NUMBER_TEXT_MAX];
    text_append(text, (struct slice){digits, number_format(number, text->arena, digits)});
}

size_t number_format_key(double number, char text[NUMBER_TEXT_MAX])
{
    float rounded = (float)number;
    if (isnan(rounded))
        return (size_t)snprintf(text, NUMBER_TEXT_MAX, ".nan");
    if (isinf(rounded))
        return (size_t)snprintf(text, NUMBER_TEXT_MAX, rounded > 0 ? ".inf" : "-.inf");
    char written[NUMBER_TEXT_MAX];
    for (int digits = 0; digits < 9; digits++) {
        snprintf(written, sizeof(written), "%.*e", digits, (double)rounded);
        float read = strtof(written, NULL);
        if (read == rounded)
            break;
    }
    struct shortest shortest;
    read_shortest(written, &shortest);
    char *end = append(text, shortest.is_negative ? SLICE("-") : SLICE(""));
    /* 'g' for the shortest digits: 'e' below 1e-4 and from 1e6 on. */
    if (shortest.count && (shortest.point < -3 || shortest.point > 6))
        end = append_scientific(end, &shortest, 2);
    else
        end = append_plain(end, &shortest);
    return (size_t)(end - text);
}
