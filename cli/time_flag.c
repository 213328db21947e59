#include "cli/time_flag.h"

#include "base/digits.h"
#include "base/durations.h"
#include "base/utc_time.h"

#include <time.h>

#define DATE_BYTES (sizeof("2026-01-31") - 1)
#define SECOND_BYTES (sizeof("2026-01-31T08:00:00") - 1)
#define ZONE_BYTES (sizeof("+02:00") - 1)

static bool write_time(int64_t seconds, struct moment *moment)
{
    struct tm parts;
    time_t time = (time_t)seconds;
    moment->length = gmtime_r(&time, &parts)
        ? strftime(moment->bytes, sizeof(moment->bytes), "%Y-%m-%dT%H:%M:%S", &parts)
        : 0;
    return moment->length == SECOND_BYTES;
}

/* Takes the zone off a time, and returns its distance from UTC in seconds: of +02:00 it is 7200. */
static int64_t take_zone(struct slice *time)
{
    size_t hours, minutes;
    if (time->length > SECOND_BYTES && slice_ends_with(*time, SLICE("Z"))) {
        time->length--;
        return 0;
    }
    if (time->length < SECOND_BYTES + ZONE_BYTES)
        return 0;
    struct slice zone = slice_from(*time, time->length - ZONE_BYTES);
    if ((zone.bytes[0] != '+' && zone.bytes[0] != '-') || zone.bytes[3] != ':' ||
        !digits_parse(slice_until(slice_from(zone, 1), 2), &hours) ||
        !digits_parse(slice_from(zone, 4), &minutes) || hours > 23 || minutes > 59)
        return 0;
    time->length -= ZONE_BYTES;
    int64_t distance = (int64_t)(hours * 3600 + minutes * 60);
    return zone.bytes[0] == '+' ? distance : -distance;
}

static bool is_time(struct slice text)
{
    static const char pattern[] = "dddd-dd-ddTdd:dd:dd.ddddddddd";
    bool is_like = text.length < sizeof(pattern);
    for (size_t i = 0; is_like && i < text.length; i++)
        is_like = pattern[i] == 'd' ? ascii_is_digit(text.bytes[i]) : text.bytes[i] == pattern[i];
    return is_like &&
        (text.length == DATE_BYTES || text.length == SECOND_BYTES || text.length > SECOND_BYTES + 1);
}

/* A month or an hour that does not exist makes another time. */
static bool exists(struct slice text, const struct moment *moment)
{
    return slice_starts_with(moment_text(moment), slice_until(text, SECOND_BYTES));
}

static bool read_time(struct slice text, struct moment *moment)
{
    int64_t distance = take_zone(&text);
    bool is_date = text.length == DATE_BYTES;
    char whole[] = "2026-01-31T00:00:00";
    if (!is_time(text))
        return false;
    memcpy(whole, text.bytes, is_date ? DATE_BYTES : SECOND_BYTES);
    int64_t seconds = utc_time_seconds((struct slice){whole, SECOND_BYTES});
    if (!write_time(seconds, moment) || !exists(text, moment) || !write_time(seconds - distance, moment))
        return false;
    struct slice fraction = slice_from(text, SECOND_BYTES);
    if (fraction.length)
        memcpy(moment->bytes + SECOND_BYTES, fraction.bytes, fraction.length);
    moment->length += fraction.length;
    return true;
}

/* How long ago: as Go writes a duration, or in days, such as 7d. */
static bool read_ago(const char *value, double *seconds)
{
    double milliseconds;
    struct slice text = slice_of(value);
    size_t days;
    if (slice_ends_with(text, SLICE("d")) && digits_parse(slice_until(text, text.length - 1), &days)) {
        *seconds = (double)days * 24 * 60 * 60;
        return true;
    }
    if (duration_parse_long(value, &milliseconds))
        return false;
    *seconds = milliseconds / 1000;
    return true;
}

const char *time_flag(const char *value, void *field)
{
    double ago = 0;
    struct moment *moment = field;
    bool is_ago = read_ago(value, &ago);
    double seconds = (double)time(NULL) - ago;
    if (is_ago ? seconds >= 0 && write_time((int64_t)seconds, moment) : read_time(slice_of(value), moment))
        return NULL;
    return "is no time such as 2026-01-31T08:00:00Z, no date, and no duration such as 24h or 7d";
}
