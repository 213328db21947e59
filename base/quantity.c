#include "base/quantity.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/json.h"

#include <inttypes.h>
#include <stdio.h>

/* The power by which a suffix multiplies: of two where `is_binary`, else of ten. */
struct suffix {
    const char *text;
    int power;
    bool is_binary;
    bool is_exponent; /* e3 */
};

static const struct suffix suffixes[] = {
    {.text = ""},
    {.text = "n", .power = -9},
    {.text = "u", .power = -6},
    {.text = "m", .power = -3},
    {.text = "k", .power = 3},
    {.text = "M", .power = 6},
    {.text = "G", .power = 9},
    {.text = "T", .power = 12},
    {.text = "P", .power = 15},
    {.text = "E", .power = 18},
    {.text = "Ki", .power = 10, .is_binary = true},
    {.text = "Mi", .power = 20, .is_binary = true},
    {.text = "Gi", .power = 30, .is_binary = true},
    {.text = "Ti", .power = 40, .is_binary = true},
    {.text = "Pi", .power = 50, .is_binary = true},
    {.text = "Ei", .power = 60, .is_binary = true},
};

/* Nobody writes longer ones. */
#define QUANTITY_BYTES_MAX 64

/* More than any quantity has: the written digits, and the digits of 2^60. */
#define DIGITS_MAX (QUANTITY_BYTES_MAX + 20)

/* Exponents are read up to here; no amount of anything is larger. */
#define EXPONENT_MAX 9999

/* The smallest amount that is kept is a nano; what is below it is rounded up, away from zero. */
#define SMALLEST_POWER (-9)

/* The largest binary amount: 2^63 - 1. */
static const char binary_max[] = "9223372036854775807";

/* A number exactly: the digits, 0 to 9, times ten to `power`. The first digit is not zero. */
struct amount {
    bool is_negative;
    unsigned char digits[DIGITS_MAX];
    size_t count;
    int power;
};

static void append_digit(struct amount *amount, char digit)
{
    if (amount->count || digit != '0')
        amount->digits[amount->count++] = (unsigned char)(digit - '0');
}

/* Takes the digits from the start of the text. How many there were. */
static size_t take_digits(struct slice *text, struct amount *amount)
{
    size_t count = 0;
    for (; count < text->length && ascii_is_digit(text->bytes[count]); count++)
        append_digit(amount, text->bytes[count]);
    *text = slice_from(*text, count);
    return count;
}

/* Takes the sign from the start of the text. Whether it is a minus. */
static bool take_sign(struct slice *text)
{
    bool is_negative = text->length && text->bytes[0] == '-';
    if (is_negative || (text->length && text->bytes[0] == '+'))
        *text = slice_from(*text, 1);
    return is_negative;
}

/* e3, E-3. A lone E is a suffix. */
static bool read_exponent(struct slice text, struct suffix *suffix)
{
    if (text.length < 2 || (text.bytes[0] != 'e' && text.bytes[0] != 'E'))
        return false;
    text = slice_from(text, 1);
    bool is_negative = take_sign(&text);
    int power = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (!ascii_is_digit(text.bytes[i]) || power > EXPONENT_MAX / 10)
            return false;
        power = power * 10 + (text.bytes[i] - '0');
    }
    *suffix = (struct suffix){.power = is_negative ? -power : power, .is_exponent = true};
    return text.length > 0;
}

static bool read_suffix(struct slice text, struct suffix *suffix)
{
    for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
        *suffix = suffixes[i];
        if (slice_equal(text, slice_of(suffix->text)))
            return true;
    }
    return read_exponent(text, suffix);
}

/* Rows of digits do not overflow: see DIGITS_MAX. */
static void multiply(struct amount *amount, unsigned factor)
{
    unsigned char product[DIGITS_MAX];
    size_t start = DIGITS_MAX;
    unsigned carry = 0;
    for (size_t i = amount->count; i || carry; carry /= 10) {
        carry += i ? amount->digits[--i] * factor : 0;
        product[--start] = (unsigned char)(carry % 10);
    }
    amount->count = DIGITS_MAX - start;
    memcpy(amount->digits, product + start, amount->count);
}

/* One more at the last digit. */
static void increment(struct amount *amount)
{
    size_t i = amount->count;
    while (i && amount->digits[i - 1] == 9)
        amount->digits[--i] = 0;
    if (i) {
        amount->digits[i - 1]++;
        return;
    }
    memmove(amount->digits + 1, amount->digits, amount->count++);
    amount->digits[0] = 1;
}

static void round_up(struct amount *amount)
{
    if (!amount->count || amount->power >= SMALLEST_POWER)
        return;
    size_t dropped = (size_t)(SMALLEST_POWER - amount->power);
    bool is_exact = dropped < amount->count;
    for (size_t i = 0; i < dropped && i < amount->count && is_exact; i++)
        is_exact = amount->digits[amount->count - 1 - i] == 0;
    amount->count = dropped < amount->count ? amount->count - dropped : 0;
    amount->power = SMALLEST_POWER;
    if (!is_exact)
        increment(amount);
}

/* Whether it is larger than `binary_max`; neither has zeros before it. */
static bool is_beyond_binary(const struct amount *amount)
{
    ptrdiff_t whole = (ptrdiff_t)amount->count + amount->power, most = (ptrdiff_t)sizeof(binary_max) - 1;
    if (whole != most)
        return whole > most;
    for (size_t i = 0; i < amount->count; i++) {
        int digit = (ptrdiff_t)i < most ? binary_max[i] - '0' : 0;
        if (amount->digits[i] != digit)
            return amount->digits[i] > digit;
    }
    return false;
}

static void multiply_by_suffix(struct amount *amount, const struct suffix *suffix)
{
    for (int power = 0; suffix->is_binary && power < suffix->power; power += 10)
        multiply(amount, 1024);
    amount->power += suffix->is_binary ? 0 : suffix->power;
    round_up(amount);
    if (!suffix->is_binary || !is_beyond_binary(amount))
        return;
    amount->count = 0;
    amount->power = 0;
    for (const char *digit = binary_max; *digit; digit++)
        append_digit(amount, *digit);
}

/* One form for each amount: no zeros at the end, and one zero. */
static void normalize(struct amount *amount)
{
    while (amount->count && amount->digits[amount->count - 1] == 0) {
        amount->count--;
        amount->power++;
    }
    amount->is_negative &= amount->count > 0;
    amount->power = amount->count ? amount->power : 0;
}

/* As resource.ParseQuantity reads it, but that there must be a digit. */
static bool read_quantity(struct slice text, struct amount *amount, struct suffix *suffix)
{
    if (text.length > QUANTITY_BYTES_MAX)
        return false;
    *amount = (struct amount){.is_negative = take_sign(&text)};
    size_t digits = take_digits(&text, amount);
    if (text.length && text.bytes[0] == '.') {
        text = slice_from(text, 1);
        size_t fraction = take_digits(&text, amount);
        amount->power = -(int)fraction;
        digits += fraction;
    }
    if (!digits || !read_suffix(text, suffix))
        return false;
    multiply_by_suffix(amount, suffix);
    normalize(amount);
    return true;
}

bool quantities_equal(struct slice a, struct slice b)
{
    struct amount x, y;
    struct suffix suffix;
    return read_quantity(a, &x, &suffix) && read_quantity(b, &y, &suffix) && x.is_negative == y.is_negative &&
        x.power == y.power && x.count == y.count && memcmp(x.digits, y.digits, x.count) == 0;
}

bool quantity_is_valid(struct slice text)
{
    struct amount amount;
    struct suffix suffix;
    /* Go takes a lone sign or dot for 0. */
    bool is_mark = text.length == 1 && slice_contains(SLICE("+-."), text.bytes[0]);
    return is_mark || text.length > QUANTITY_BYTES_MAX || read_quantity(text, &amount, &suffix);
}

/* The text of a quantity, which a manifest may write as a number. */
static struct slice text_of(yyjson_val *declared, char digits[32])
{
    int length = 0;
    if (!yyjson_is_num(declared))
        return json_text(declared);
    if (yyjson_is_real(declared))
        length = snprintf(digits, 32, "%.15g", yyjson_get_real(declared));
    else if (yyjson_is_sint(declared))
        length = snprintf(digits, 32, "%" PRId64, yyjson_get_sint(declared));
    else
        length = snprintf(digits, 32, "%" PRIu64, yyjson_get_uint(declared));
    return (struct slice){digits, (size_t)length};
}

bool quantity_is_declared(yyjson_val *declared, struct slice text)
{
    char digits[32];
    return quantities_equal(text_of(declared, digits), text);
}

/* How many digits stand before the point; of zero the least. */
static ptrdiff_t magnitude(const struct amount *amount)
{
    return amount->count ? (ptrdiff_t)amount->count + amount->power : PTRDIFF_MIN;
}

/* Compares two normalized amounts without their signs. */
static int compare_digits(const struct amount *x, const struct amount *y)
{
    if (magnitude(x) != magnitude(y))
        return magnitude(x) < magnitude(y) ? -1 : 1;
    for (size_t i = 0; i < x->count || i < y->count; i++) {
        int digit = i < x->count ? x->digits[i] : 0, other = i < y->count ? y->digits[i] : 0;
        if (digit != other)
            return digit - other;
    }
    return 0;
}

bool quantity_compare(yyjson_val *a, yyjson_val *b, int *order)
{
    struct amount x, y;
    struct suffix suffix;
    char digits[32], others[32];
    if (!a || !b || !read_quantity(text_of(a, digits), &x, &suffix) ||
        !read_quantity(text_of(b, others), &y, &suffix))
        return false;
    if (x.is_negative != y.is_negative)
        *order = x.is_negative ? -1 : 1;
    else
        *order = x.is_negative ? compare_digits(&y, &x) : compare_digits(&x, &y);
    return true;
}

/* A whole number that 64 bits hold. */
static bool whole_number(const struct amount *amount, uint64_t *number)
{
    *number = 0;
    if (amount->power < 0 || amount->count + (size_t)amount->power > 19)
        return false;
    for (size_t i = 0; i < amount->count + (size_t)amount->power; i++)
        *number = *number * 10 + (i < amount->count ? amount->digits[i] : 0);
    return true;
}

static const char *suffix_of(int power, bool is_binary)
{
    for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
        if (suffixes[i].power == power && (suffixes[i].is_binary == is_binary || power == 0))
            return suffixes[i].text;
    return NULL;
}

/* In powers of 1024, as large as leave a whole number. */
static int print_binary(const struct amount *amount, uint64_t number, char *canonical)
{
    int power = 0;
    for (; number % 1024 == 0; number /= 1024)
        power += 10;
    const char *suffix = suffix_of(power, true);
    if (!suffix)
        return 0;
    return snprintf(
        canonical, QUANTITY_TEXT_BYTES, "%s%" PRIu64 "%s", amount->is_negative ? "-" : "", number, suffix);
}

/* In powers of 1000, in the same way: what is left over of the power are zeros. */
static int print_decimal(const struct amount *amount, bool is_exponent, char *canonical)
{
    int zeros = (amount->power % 3 + 3) % 3, power = amount->power - zeros, length = 0;
    const char *suffix = is_exponent && power ? "e" : suffix_of(power, false);
    if (!suffix || amount->count > 19)
        return 0;
    if (amount->is_negative)
        canonical[length++] = '-';
    for (size_t i = 0; i < amount->count + (size_t)zeros; i++)
        canonical[length++] = (char)('0' + (i < amount->count ? amount->digits[i] : 0));
    length += snprintf(canonical + length, QUANTITY_TEXT_BYTES - (size_t)length, "%s", suffix);
    if (*suffix == 'e')
        length += snprintf(canonical + length, QUANTITY_TEXT_BYTES - (size_t)length, "%d", power);
    return length;
}

size_t quantity_canonical(struct slice text, char canonical[QUANTITY_TEXT_BYTES])
{
    struct amount amount;
    struct suffix suffix;
    uint64_t number;
    /* Kubernetes keeps some texts with a plus, or an exponent with a capital, as they are. */
    bool is_kept = text.length && text.bytes[0] == '+';
    if (is_kept || !read_quantity(text, &amount, &suffix))
        return 0;
    if (suffix.is_exponent && slice_contains(text, 'E'))
        return 0;
    if (!amount.count)
        return (size_t)snprintf(canonical, QUANTITY_TEXT_BYTES, "0");
    if (suffix.is_binary && !whole_number(&amount, &number))
        return 0;
    /* An amount below 1024 is written as a decimal. */
    if (suffix.is_binary && number >= 1024)
        return (size_t)print_binary(&amount, number, canonical);
    return (size_t)print_decimal(&amount, suffix.is_exponent, canonical);
}
