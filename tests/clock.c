/*
 * clock.c: preloaded to a program, gives it another calendar: with the environment variable NOW one that
 * stands still at those seconds since 1970, with AHEAD one that is so many seconds ahead.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const char *stands = getenv("NOW"), *ahead = getenv("AHEAD");
    long result = syscall(SYS_clock_gettime, clock, now);
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)
        return (int)result;
    if (stands)
        now->tv_sec = atoll(stands);
    else if (ahead)
        now->tv_sec += atoll(ahead);
    return (int)result;
}

time_t time(time_t *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}
