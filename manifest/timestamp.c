#include "manifest/timestamp.h"

#include "base/ascii.h"

#include <stddef.h>

/* Takes between `least` and `most` digits. Returns -1 if there are fewer. */
static int take_number(struct slice *text, size_t least, size_t most)
{
    int number = 0;
    size_t count = 0;
    while (count < most && count < text->length && ascii_is_digit(text->bytes[count]))
        number = number * 10 + (text->bytes[count++] - '0');
    if (count < least)
        return -1;
    *text = slice_from(*text, count);
    return number;
}

static bool take_byte(struct slice *text, char byte)
{
    if (!text->length || text->bytes[0] != byte)
        return false;
    *text = slice_from(*text, 1);
    return true;
}

static bool is_within(int number, int least, int most)
{
    return number >= least && number <= most;
}

static int days_of(int month, int year)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && is_leap);
}

static bool take_date(struct slice *text, size_t least)
{
    int year = take_number(text, 4, 4);
    if (year < 0 || !take_byte(text, '-'))
        return false;
    int month = take_number(text, least, 2);
    if (!is_within(month, 1, 12) || !take_byte(text, '-'))
        return false;
    return is_within(take_number(text, least, 2), 1, days_of(month, year));
}

/* Go accepts a fraction after the seconds in any format, after a point or a comma. */
static bool take_fraction(struct slice *text)
{
    if (text->length < 2 || (text->bytes[0] != '.' && text->bytes[0] != ','))
        return true;
    struct slice digits = slice_from(*text, 1);
    if (take_number(&digits, 1, 1) < 0)
        return true;
    while (take_number(&digits, 1, 1) >= 0)
        continue;
    *text = digits;
    return true;
}

static bool take_time(struct slice *text, size_t least)
{
    return is_within(take_number(text, 1, 2), 0, 23) && take_byte(text, ':') &&
        is_within(take_number(text, least, 2), 0, 59) && take_byte(text, ':') &&
        is_within(take_number(text, least, 2), 0, 59) && take_fraction(text);
}

static bool take_zone(struct slice *text)
{
    if (take_byte(text, 'Z'))
        return true;
    if (!take_byte(text, '+') && !take_byte(text, '-'))
        return false;
    return is_within(take_number(text, 2, 2), 0, 24) && take_byte(text, ':') &&
        is_within(take_number(text, 2, 2), 0, 60);
}

bool timestamp_is_yaml(struct slice text)
{
    if (!take_date(&text, 1))
        return false;
    if (!text.length)
        return true;
    bool has_zone = text.bytes[0] == 'T' || text.bytes[0] == 't';
    if (!has_zone && text.bytes[0] != ' ')
        return false;
    text = slice_from(text, 1);
    /* A space in Go's formats matches any number of spaces. */
    while (!has_zone && take_byte(&text, ' '))
        continue;
    return take_time(&text, 1) && (!has_zone || take_zone(&text)) && !text.length;
}

bool timestamp_is_date(struct slice text)
{
    return take_date(&text, 2) && !text.length;
}

bool timestamp_is_rfc3339(struct slice text)
{
    return take_date(&text, 2) && take_byte(&text, 'T') && take_time(&text, 2) && take_zone(&text) &&
        !text.length;
}
