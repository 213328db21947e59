/*
 * min.h: the smaller of two sizes, counts or times.
 */
#ifndef APPLYGUARD_BASE_MIN_H
#define APPLYGUARD_BASE_MIN_H

#include <stdint.h>

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
