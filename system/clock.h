/*
 * clock.h: the monotonic clock, for limits and waits, and the calendar clock.
 */
#ifndef APPLYGUARD_SYSTEM_CLOCK_H
#define APPLYGUARD_SYSTEM_CLOCK_H

#include <stdint.h>
#include <time.h>

/* The times of the kernel's last tick, where the system has them: they are cheaper to read. */
#ifdef CLOCK_MONOTONIC_COARSE
#define TICK_MONOTONIC CLOCK_MONOTONIC_COARSE
#define TICK_REALTIME CLOCK_REALTIME_COARSE
#else
#define TICK_MONOTONIC CLOCK_MONOTONIC
#define TICK_REALTIME CLOCK_REALTIME
#endif

static inline uint64_t monotonic_microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/*
 * The time of the kernel's last tick, a few milliseconds ago at most. It is cheap: each iteration of a loop
 * calls it twice.
 */
static inline uint64_t monotonic_milliseconds(void)
{
    struct timespec now;
    clock_gettime(TICK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The time until `deadline`, in milliseconds of the same clock; 0 after it. */
static inline uint64_t monotonic_milliseconds_until(uint64_t deadline)
{
    uint64_t now = monotonic_milliseconds();
    return now < deadline ? deadline - now : 0;
}

/* Seconds since 1970 UTC. */
static inline int64_t calendar_seconds(void)
{
    struct timespec now;
    clock_gettime(TICK_REALTIME, &now);
    return now.tv_sec;
}

#endif
