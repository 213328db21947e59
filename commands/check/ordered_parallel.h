/*
 * ordered_parallel.h: does many pieces of work on several threads, and emits their results one by one, in
 * order.
 *
 * Threads are at most IN_ORDER_AHEAD pieces ahead of the emitted results, so memory is constant for any
 * number.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_ORDERED_PARALLEL_H
#define APPLYGUARD_COMMANDS_CHECK_ORDERED_PARALLEL_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

#define ORDERED_PARALLEL_AHEAD 64

struct ordered_parallel {
    size_t count;
    unsigned threads; /* at least 1 */

    /* Does a piece on any thread. The result is in the arena, or NULL. */
    void *(*work)(void *context, size_t index, struct arena *arena);

    /* Emits a result. Called in order, by one thread at a time. The result's memory is freed afterwards. */
    void (*emit)(void *context, size_t index, void *result);
    void *context;
};

/* The caller's thread works, too. Returns false if memory runs out; then no result was emitted. */
bool ordered_parallel_run(const struct ordered_parallel *plan);

#endif
