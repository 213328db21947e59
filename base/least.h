/*
 * least.h: the smaller of two sizes, counts or times.
 */
#ifndef APPLYGUARD_BASE_LEAST_H
#define APPLYGUARD_BASE_LEAST_H

#include <stdint.h>

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
