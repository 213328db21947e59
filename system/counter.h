/*
 * counter.h: a number that one thread raises and others read.
 *
 * As only one writes it, counting takes neither a lock nor an atomic addition.
 */
#ifndef APPLYGUARD_SYSTEM_COUNTER_H
#define APPLYGUARD_SYSTEM_COUNTER_H

#include <stdatomic.h>
#include <stdint.h>

typedef _Atomic uint64_t counter;

/* Of the loop's own thread alone: what it read last is still there when it writes. */
static inline void counter_add(counter *counter, uint64_t number)
{
    atomic_store_explicit(
        counter, atomic_load_explicit(counter, memory_order_relaxed) + number, memory_order_relaxed);
}

static inline void counter_set(counter *counter, uint64_t number)
{
    atomic_store_explicit(counter, number, memory_order_relaxed);
}

static inline uint64_t counter_read(const counter *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

#endif
