#include "manifest/resolve.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "manifest/number.h"
#include "manifest/timestamp.h"

#include <limits.h>
#include <math.h>

#define TAG(name) SLICE("tag:yaml.org,2002:" name)

#define WORD(literal) SLICE_LITERAL(literal)

static const struct slice true_words[] = {WORD("y"),   WORD("Y"),    WORD("yes"),  WORD("Yes"),
                                          WORD("YES"), WORD("true"), WORD("True"), WORD("TRUE"),
                                          WORD("on"),  WORD("On"),   WORD("ON")};
static const struct slice false_words[] = {WORD("n"),   WORD("N"),     WORD("no"),    WORD("No"),
                                           WORD("NO"),  WORD("false"), WORD("False"), WORD("FALSE"),
                                           WORD("off"), WORD("Off"),   WORD("OFF")};
static const struct slice null_words[] = {WORD(""), WORD("~"), WORD("null"), WORD("Null"), WORD("NULL")};

static bool is_one_of(struct slice text, const struct slice *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_equal(text, words[i]))
            return true;
    return false;
}

#define IS_ONE_OF(text, words) is_one_of(text, words, ARRAY_SIZE(words))

/* The first byte of a text that may be anything but text; any other byte has 0. */
static const bool begins_value[UCHAR_MAX + 1] = {
    ['y'] = true, ['Y'] = true, ['n'] = true, ['N'] = true, ['t'] = true, ['T'] = true,
    ['f'] = true, ['F'] = true, ['o'] = true, ['O'] = true, ['~'] = true, ['.'] = true,
    ['+'] = true, ['-'] = true, ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true,
    ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true,
};

/* .inf, .Inf, .INF: the allowed spellings of the last three letters. */
static bool is_word(struct slice text, const char *lower, const char *title, const char *upper)
{
    return slice_equal(text, slice_of(lower)) || slice_equal(text, slice_of(title)) ||
        slice_equal(text, slice_of(upper));
}

static bool resolve_special_real(struct slice text, double *real)
{
    if (!slice_contains(text, '.'))
        return false;
    if (is_word(text, ".nan", ".NaN", ".NAN")) {
        *real = (double)NAN;
        return true;
    }
    bool is_negative = text.length && text.bytes[0] == '-';
    if (text.length && (text.bytes[0] == '-' || text.bytes[0] == '+'))
        text = slice_from(text, 1);
    if (!is_word(text, ".inf", ".Inf", ".INF"))
        return false;
    *real = is_negative ? -(double)INFINITY : (double)INFINITY;
    return true;
}

static bool resolve_word(struct slice text, struct resolved *resolved)
{
    if (text.length > 5)
        return false;
    if (IS_ONE_OF(text, null_words)) {
        resolved->kind = RESOLVED_NULL;
        return true;
    }
    bool is_true = IS_ONE_OF(text, true_words);
    if (is_true || IS_ONE_OF(text, false_words)) {
        resolved->kind = RESOLVED_BOOL;
        resolved->boolean = is_true;
        return true;
    }
    if (!resolve_special_real(text, &resolved->real))
        return false;
    resolved->kind = RESOLVED_REAL;
    return true;
}

static bool set_magnitude(uint64_t magnitude, bool is_negative, struct resolved *resolved)
{
    if (magnitude <= (uint64_t)INT64_MAX + is_negative) {
        resolved->kind = RESOLVED_INT;
        resolved->integer = is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
        return true;
    }
    resolved->kind = RESOLVED_NATURAL;
    resolved->natural = magnitude;
    return !is_negative;
}

/* Takes the prefix off, and returns the base; 0777 is octal, as in Go. */
static unsigned take_base(struct slice *digits)
{
    if (digits->length < 2 || digits->bytes[0] != '0')
        return 10;
    char letter = (char)(digits->bytes[1] | 0x20);
    unsigned base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
    *digits = slice_from(*digits, base ? 2 : 1);
    return base ? base : 8;
}

/* strconv.ParseInt and ParseUint with base 0, after removing underscores. */
static bool resolve_integer(struct slice plain, struct resolved *resolved)
{
    bool is_negative = plain.length && plain.bytes[0] == '-';
    bool has_sign = is_negative || (plain.length && plain.bytes[0] == '+');
    struct slice digits = slice_from(plain, has_sign);
    uint64_t magnitude;
    unsigned base = take_base(&digits);
    return number_parse_digits(digits, base, &magnitude) &&
        (!has_sign || magnitude <= (uint64_t)INT64_MAX + is_negative) &&
        set_magnitude(magnitude, is_negative, resolved);
}

/* After a prefix 0b, Go's YAML accepts another sign, so 0b-1 is -1. */
static bool resolve_signed_binary(struct slice plain, struct resolved *resolved)
{
    if (plain.length < 4 || plain.bytes[0] != '0' || plain.bytes[1] != 'b' ||
        (plain.bytes[2] != '+' && plain.bytes[2] != '-'))
        return false;
    uint64_t magnitude;
    bool is_negative = plain.bytes[2] == '-';
    return number_parse_digits(slice_from(plain, 3), 2, &magnitude) &&
        magnitude <= (uint64_t)INT64_MAX + is_negative && set_magnitude(magnitude, is_negative, resolved);
}

static struct slice without_underscores(struct slice text, struct arena *arena)
{
    if (!slice_contains(text, '_'))
        return text;
    char *plain = arena_allocate(arena, text.length);
    size_t length = 0;
    for (size_t i = 0; plain && i < text.length; i++) {
        if (text.bytes[i] != '_')
            plain[length++] = text.bytes[i];
    }
    return (struct slice){plain, plain ? length : 0};
}

static bool resolve_number(struct slice text, struct arena *arena, struct resolved *resolved)
{
    struct slice plain = without_underscores(text, arena);
    if (resolve_integer(plain, resolved))
        return true;
    if (number_parse_real(plain, arena, &resolved->real)) {
        resolved->kind = RESOLVED_REAL;
        return true;
    }
    return resolve_signed_binary(plain, resolved);
}

static bool is_digit_at(struct slice text, size_t i)
{
    return i < text.length && ascii_is_digit(text.bytes[i]);
}

/* strconv.ParseFloat itself, which accepts an underscore between two digits. */
static bool resolve_fraction(struct slice text, struct arena *arena, double *real)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] == '_' && (i == 0 || !is_digit_at(text, i - 1) || !is_digit_at(text, i + 1)))
            return false;
    }
    return number_parse_real(without_underscores(text, arena), arena, real);
}

/* `resolved` is the text, unless that is the form of another value. */
static void resolve_plain(
    struct slice text, bool may_be_timestamp, struct arena *arena, struct resolved *resolved)
{
    if (text.length && !begins_value[(unsigned char)text.bytes[0]])
        return;
    if (resolve_word(text, resolved))
        return;
    char first = text.bytes[0];
    bool is_number = first == '+' || first == '-' || ascii_is_digit(first);
    if (is_number && may_be_timestamp && timestamp_is_yaml(text))
        resolved->kind = RESOLVED_TIMESTAMP;
    else if (is_number && resolve_number(text, arena, resolved))
        return;
    else if (first == '.' && resolve_fraction(text, arena, &resolved->real))
        resolved->kind = RESOLVED_REAL;
    else
        resolved->kind = RESOLVED_TEXT;
    resolved->text = text;
}

static int base64_value(char byte)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = byte ? strchr(alphabet, byte) : NULL;
    return found ? (int)(found - alphabet) : -1;
}

/* base64.StdEncoding.DecodeString: ignores line breaks, and requires the padding. */
static bool decode_base64(struct slice text, struct arena *arena, struct slice *decoded)
{
    unsigned char *bytes = arena_allocate(arena, text.length + 4);
    size_t digits = 0, padding = 0, length = 0;
    uint32_t group = 0;
    for (size_t i = 0; bytes && i < text.length; i++) {
        if (text.bytes[i] == '\n' || text.bytes[i] == '\r')
            continue;
        int value = base64_value(text.bytes[i]);
        bool is_padding = text.bytes[i] == '=';
        if (value < 0 ? !is_padding : padding != 0)
            return false;
        padding += is_padding;
        group = group << 6 | (is_padding ? 0 : (uint32_t)value);
        if (++digits % 4 == 0) {
            bytes[length++] = (unsigned char)(group >> 16);
            bytes[length++] = (unsigned char)(group >> 8);
            bytes[length++] = (unsigned char)group;
        }
    }
    if (!bytes || digits % 4 != 0 || padding > 2)
        return false;
    *decoded = (struct slice){(const char *)bytes, length - padding};
    return true;
}

static bool matches_tag(struct slice tag, struct resolved *resolved)
{
    switch (resolved->kind) {
    case RESOLVED_NULL:
        return slice_equal(tag, TAG("null"));
    case RESOLVED_BOOL:
        return slice_equal(tag, TAG("bool"));
    case RESOLVED_INT:
        if (!slice_equal(tag, TAG("float")))
            return slice_equal(tag, TAG("int"));
        resolved->kind = RESOLVED_REAL;
        resolved->real = (double)resolved->integer;
        return true;
    case RESOLVED_NATURAL:
        return slice_equal(tag, TAG("int"));
    case RESOLVED_REAL:
        return slice_equal(tag, TAG("float"));
    case RESOLVED_TIMESTAMP:
        return slice_equal(tag, TAG("timestamp"));
    default:
        return false;
    }
}

static bool resolve_binary(
    struct slice text, struct arena *arena, struct resolved *resolved, const char **problem)
{
    resolved->kind = RESOLVED_TEXT;
    *problem = "this is tagged !!binary, but is not base64";
    return decode_base64(text, arena, &resolved->text);
}

static bool is_resolvable(struct slice tag)
{
    return slice_equal(tag, TAG("bool")) || slice_equal(tag, TAG("int")) || slice_equal(tag, TAG("float")) ||
        slice_equal(tag, TAG("null")) || slice_equal(tag, TAG("timestamp"));
}

bool resolve_scalar(
    struct slice tag, bool is_plain, struct slice text, struct arena *arena, struct resolved *resolved,
    const char **problem)
{
    *resolved = (struct resolved){.kind = RESOLVED_TEXT, .text = text};
    *problem = NULL;
    if (!tag.length) {
        if (is_plain)
            resolve_plain(text, true, arena, resolved);
        return !is_plain || !arena_has_failed(arena);
    }
    if (slice_equal(tag, TAG("binary")))
        return resolve_binary(text, arena, resolved, problem) && !arena_has_failed(arena);
    if (is_resolvable(tag)) {
        resolve_plain(text, slice_equal(tag, TAG("timestamp")), arena, resolved);
        *problem = "the value is not what its tag says; remove the tag or change the value";
        return matches_tag(tag, resolved) && !arena_has_failed(arena);
    }
    return !arena_has_failed(arena);
}
