/*
 * clock.h: the monotonic clock, for deadlines.
 */
#ifndef APPLYGUARD_KUBE_CLOCK_H
#define APPLYGUARD_KUBE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t kube_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The time until `deadline`; 0 after it. */
static inline uint64_t kube_milliseconds_until(uint64_t deadline)
{
    uint64_t now = kube_milliseconds();
    return now < deadline ? deadline - now : 0;
}

#endif
