/* clock.c: preloaded to a program, gives it the time in the environment variable NOW for the calendar's. */
#include <stdlib.h>
#include <time.h>

time_t time(time_t *out)
{
    const char *text = getenv("NOW");
    time_t now = text ? atoll(text) : 0;
    if (out)
        *out = now;
    return now;
}
