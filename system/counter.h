/*
 * counter.h: a counter that one thread increases and others read.
 *
 * Because only one thread writes it, counting needs neither a lock nor an atomic addition.
 */
#ifndef APPLYGUARD_SYSTEM_COUNTER_H
#define APPLYGUARD_SYSTEM_COUNTER_H

#include <stdatomic.h>
#include <stdint.h>

typedef _Atomic uint64_t counter;

/* Only the writing thread may call it, so no other write can come between its load and its store. */
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
