#include "base/utc_time.h"

#include "base/digits.h"

/* Days since 1970 of a day of the Gregorian calendar (Howard Hinnant, days_from_civil). */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = year / 400, year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

int64_t utc_time_seconds(struct slice time)
{
    static const size_t starts[] = {0, 5, 8, 11, 14, 17}, lengths[] = {4, 2, 2, 2, 2, 2};
    size_t parts[6];
    for (size_t i = 0; i < 6; i++) {
        if (!digits_parse(slice_until(slice_from(time, starts[i]), lengths[i]), &parts[i]))
            return 0;
    }
    int64_t days = days_of((int64_t)parts[0], (int64_t)parts[1], (int64_t)parts[2]);
    return days * 86400 + (int64_t)(parts[3] * 3600 + parts[4] * 60 + parts[5]);
}
