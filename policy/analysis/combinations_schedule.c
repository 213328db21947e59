#include "policy/analysis/combinations_schedule.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/digits.h"
#include "base/find.h"
#include "base/split.h"

/* The numbers that a field takes, and names for them from `least` on. */
struct bounds {
    unsigned least;
    unsigned most;
    const char *names; /* NULL: it takes numbers only */
};

static const struct bounds fields[] = {
    {0, 59, NULL},
    {0, 23, NULL},
    {1, 31, NULL},
    {1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"},
    {0, 6, "sun mon tue wed thu fri sat"},
};

/* Go reads a sign as well. */
static bool parse_number(struct slice text, size_t *number)
{
    return digits_parse(slice_from(text, slice_starts_with(text, SLICE("+"))), number);
}

static bool parse_value(struct slice text, const struct bounds *bounds, size_t *number)
{
    struct slice names = slice_of_optional(bounds->names);
    for (*number = bounds->least; names.length; ++*number)
        if (slice_equal_in_any_case(split_next(&names, ' '), text))
            return true;
    return parse_number(text, number);
}

/* The parts before and after the separator. */
static bool split_in_two(struct slice text, char separator, struct slice parts[2], bool *has_second)
{
    parts[1] = text;
    *has_second = slice_contains(text, separator);
    parts[0] = split_next(&parts[1], separator);
    return !slice_contains(parts[1], separator);
}

static bool is_star(struct slice text)
{
    return slice_equal(text, SLICE("*")) || slice_equal(text, SLICE("?"));
}

/* After a star, cron ignores the rest of a range. */
static bool parse_range(struct slice text, const struct bounds *bounds, size_t *first, size_t *last)
{
    struct slice ends[2];
    bool has_last;
    bool has_two = split_in_two(text, '-', ends, &has_last);
    if (is_star(ends[0])) {
        *first = bounds->least;
        *last = bounds->most;
        return true;
    }
    if (!has_two || !parse_value(ends[0], bounds, first))
        return false;
    *last = *first;
    return !has_last || parse_value(ends[1], bounds, last);
}

static bool range_is_valid(struct slice text, const struct bounds *bounds)
{
    struct slice parts[2];
    size_t first, last, step = 1;
    bool has_step;
    if (!split_in_two(text, '/', parts, &has_step) || !parse_range(parts[0], bounds, &first, &last))
        return false;
    if (has_step && (!parse_number(parts[1], &step) || !step))
        return false;
    if (has_step && !slice_contains(parts[0], '-'))
        last = bounds->most;
    return first >= bounds->least && last <= bounds->most && first <= last;
}

static bool field_is_valid(struct slice field, const struct bounds *bounds)
{
    while (field.length) {
        struct slice range = split_next(&field, ',');
        if (range.length && !range_is_valid(range, bounds))
            return false;
    }
    return true;
}

/* The next word, or an empty text at the end. */
static struct slice next_word(struct slice *rest)
{
    size_t length = 0;
    while (rest->length && ascii_is_space(rest->bytes[0]))
        *rest = slice_from(*rest, 1);
    while (length < rest->length && !ascii_is_space(rest->bytes[length]))
        length++;
    struct slice word = slice_until(*rest, length);
    *rest = slice_from(*rest, length);
    return word;
}

/* Any duration that has a digit is taken here: its form is Go's affair. */
static bool descriptor_is_valid(struct slice text)
{
    static const char *const known[] = {"@yearly", "@annually", "@monthly", "@weekly",
                                        "@daily",  "@midnight", "@hourly"};
    if (!slice_starts_with(text, SLICE("@every ")))
        return slice_is_one_of(text, known, ARRAY_SIZE(known));
    for (size_t i = 0; i < text.length; i++)
        if (ascii_is_digit(text.bytes[i]))
            return true;
    return false;
}

/* Go splits fields at the spaces of Unicode, too. */
static bool is_plain(struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] > '~' || text.bytes[i] == '\v' || text.bytes[i] == '\f')
            return false;
    return true;
}

bool schedule_is_valid(struct slice schedule)
{
    if (slice_contains_text(schedule, SLICE("TZ")))
        return false;
    if (!is_plain(schedule))
        return true;
    if (slice_starts_with(schedule, SLICE("@")))
        return descriptor_is_valid(schedule);
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
        struct slice field = next_word(&schedule);
        if (!field.length || !field_is_valid(field, &fields[i]))
            return false;
    }
    return !next_word(&schedule).length;
}

/*
 * Time zones
 */

#define ZONE_PART_BYTES_MAX 14

static bool is_zone_part(struct slice part)
{
    if (!part.length || part.length > ZONE_PART_BYTES_MAX || part.bytes[0] == '-' || part.bytes[0] == '+' ||
        slice_equal(part, SLICE(".")) || slice_equal(part, SLICE("..")))
        return false;
    for (size_t i = 0; i < part.length; i++)
        if (!ascii_is_alphanumeric(part.bytes[i]) && !slice_contains(SLICE(".-_+"), part.bytes[i]))
            return false;
    return true;
}

/* UTC+2 and GMT+2 are not zones: Etc/GMT-2 is. GMT+0 and GMT-0 exist. */
static bool is_offset(struct slice name)
{
    bool is_of_utc = slice_starts_with(name, SLICE("UTC")), is_of_gmt = slice_starts_with(name, SLICE("GMT"));
    return (is_of_utc || is_of_gmt) && name.length > 4 && (name.bytes[3] == '+' || name.bytes[3] == '-') &&
        (is_of_utc || !slice_equal(slice_from(name, 4), SLICE("0")));
}

/* Each zone begins with a capital; some machines have folders posix and right with all zones. */
static bool has_right_case(struct slice name)
{
    return !ascii_is_lower(name.bytes[0]) || slice_starts_with(name, SLICE("posix")) ||
        slice_starts_with(name, SLICE("right/")) || slice_equal(name, SLICE("localtime"));
}

bool time_zone_may_be(struct slice name)
{
    struct slice rest = name;
    if (!name.length || name.bytes[name.length - 1] == '/' || slice_equal_in_any_case(name, SLICE("local")) ||
        is_offset(name) || !has_right_case(name))
        return false;
    while (rest.length)
        if (!is_zone_part(split_next(&rest, '/')))
            return false;
    return true;
}
