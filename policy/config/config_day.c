#include "base/digits.h"
#include "policy/config/config_reader.h"

#define SECONDS_PER_DAY 86400

/* Reads a number of a few digits. */
static bool read_part(struct slice text, size_t from, size_t count, int *number)
{
    size_t value;
    if (!digits_parse(slice_from(slice_until(text, from + count), from), &value))
        return false;
    *number = (int)value;
    return true;
}

static bool is_leap_year(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap_year(year));
}

/* Days from 1970-01-01 to the first of January. */
static int64_t days_before_year(int year)
{
    int64_t before = year - 1;
    return (year - 1970) * (int64_t)365 + (before / 4 - before / 100 + before / 400) -
        (1969 / 4 - 1969 / 100 + 1969 / 400);
}

bool config_day_end(struct slice text, int64_t *seconds)
{
    int year, month, day;
    if (text.length != sizeof("YYYY-MM-DD") - 1 || text.bytes[4] != '-' || text.bytes[7] != '-' ||
        !read_part(text, 0, 4, &year) || !read_part(text, 5, 2, &month) || !read_part(text, 8, 2, &day))
        return false;
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month))
        return false;
    int64_t days = days_before_year(year) + day;
    for (int earlier = 1; earlier < month; earlier++)
        days += days_in_month(year, earlier);
    *seconds = days * SECONDS_PER_DAY;
    return true;
}

int config_read_expires(const struct config_value *value, struct slice *day, int64_t *end)
{
    if (config_read_text(value, day) < 0)
        return -1;
    if (config_day_end(value->node->text, end))
        return 0;
    return config_refuse(
        value, "must be a day that exists, as YYYY-MM-DD, not \"%s\"", config_excerpt(value));
}
