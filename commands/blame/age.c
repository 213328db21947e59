#include "commands/blame/age.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#define MINUTE ((int64_t)60)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define YEAR (365 * DAY)

static bool parse(struct slice text, int64_t *seconds)
{
    char copy[32];
    struct tm parts = {0};
    if (text.length < 20 || text.length >= sizeof(copy))
        return false;
    memcpy(copy, text.bytes, text.length);
    copy[text.length] = '\0';
    if (!strptime(copy, "%Y-%m-%dT%H:%M:%S", &parts) || copy[text.length - 1] != 'Z')
        return false;
    *seconds = (int64_t)timegm(&parts);
    return true;
}

/* Prints two units while the smaller one matters. */
static void append_units(
    struct text *text, int64_t seconds, int64_t unit, const char *name, int64_t part, const char *part_name)
{
    text_append_all(text, (uint64_t)(seconds / unit), name);
    int64_t rest = part ? seconds % unit / part : 0;
    if (rest)
        text_append_all(text, (uint64_t)rest, part_name);
}

void age_append(struct text *text, struct slice time, int64_t now)
{
    int64_t then;
    if (!parse(time, &then)) {
        text_append_string(text, "-");
        return;
    }
    int64_t seconds = now > then ? now - then : 0;
    if (seconds < 2 * MINUTE)
        append_units(text, seconds, 1, "s", 0, "");
    else if (seconds < 3 * HOUR)
        append_units(text, seconds, MINUTE, "m", seconds < 10 * MINUTE ? 1 : 0, "s");
    else if (seconds < 2 * DAY)
        append_units(text, seconds, HOUR, "h", seconds < 8 * HOUR ? MINUTE : 0, "m");
    else if (seconds < 2 * YEAR)
        append_units(text, seconds, DAY, "d", seconds < 8 * DAY ? HOUR : 0, "h");
    else
        append_units(text, seconds, YEAR, "y", seconds < 8 * YEAR ? DAY : 0, "d");
}
