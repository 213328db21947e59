#include "webhook/http/budget.h"

#include "base/min.h"
#include "webhook/http/limits.h"

#include <stdint.h>

/*
 * The program, libraries, policy, certificates, contested fields and log lines: an idle process takes half of
 * this.
 */
#define PROCESS_BYTES ((size_t)16 << 20)

/*
 * A loop's stack, heap and arena, the data that it reads from a socket before the gate can check it, and the
 * second copy of a body while its buffer grows.
 */
#define LOOP_BYTES (BUDGET_FREE_ARENA_BYTES + ((size_t)6912 << 10))

/*
 * Reviews that together need this many bytes leave free memory in the heaps that is worth returning to the
 * system.
 */
#define TIGHT_BYTES ((size_t)32 << 20)

/*
 * A waiting connection: TLS, HTTP, a small body and an unfinished TLS record. Measured: 17 to 60 KiB, and 63
 * for a hostile client: a large ClientHello, most of another, and most of a record.
 */
#define CONNECTION_BYTES ((size_t)64 << 10)

/*
 * Memory of the kernel for a client that sends and does not read: the buffers, and the last segment of each.
 */
#define KERNEL_BYTES ((size_t)2 * (RECEIVE_BUFFER_BYTES + SEND_BUFFER_BYTES) + ((size_t)8 << 10))

/*
 * Memory that judging may take for each byte of a body. yyjson alone may need 13 by its documentation, and a
 * list of one-digit numbers takes 19 in total; recorded reviews of more than 200 KB take less than 10 and
 * larger ones 6, so the largest review must have 8. A review that needs more is refused, because the arena
 * enforces the limit.
 */
#define JUDGING_BYTES_PER_BYTE 20
#define LEAST_JUDGING_BYTES_PER_BYTE 8

size_t budget_loops(size_t limit, size_t max_body_bytes)
{
    size_t loops = limit / 3 / (LOOP_BYTES + max_body_bytes);
    return loops ? loops : 1;
}

static void plan_without_limit(struct budget *budget)
{
    *budget = (struct budget){
        .total = SIZE_MAX / 2,
        .bodies = SIZE_MAX / 2,
        .large_bodies = SIZE_MAX / 2,
        .largest_review = SIZE_MAX / 4,
        .tight = TIGHT_BYTES,
    };
}

/* H2O's buffers have sizes that are powers of two, and the largest body follows a head. */
static size_t largest_buffer(size_t max_body_bytes)
{
    size_t capacity = 1 << 20;
    while (capacity < max_body_bytes + (64 << 10))
        capacity *= 2;
    return capacity + ((size_t)1 << 20);
}

/* Memory needed in addition to connections, so that the largest review can be judged. */
static size_t least_needed(const struct budget_needs *needs)
{
    size_t loops = needs->loops * (LOOP_BYTES + needs->max_body_bytes);
    size_t bodies = largest_buffer(needs->max_body_bytes) / 7 * 8;
    return PROCESS_BYTES + needs->other_bytes + loops + bodies +
        needs->max_body_bytes * LEAST_JUDGING_BYTES_PER_BYTE;
}

/* H2O reads certificates into a separate buffer. */
static size_t bytes_of_connection(const struct budget_needs *needs)
{
    return CONNECTION_BYTES + KERNEL_BYTES + needs->certificates_bytes;
}

static int too_small(const struct budget_needs *needs, size_t bytes, struct error *error)
{
    return error_set(
        error,
        "%zu MiB of memory (--memory-limit) is too little: reviews of %zu bytes (--max-body-bytes) and %zu "
        "thread%s need %zu MiB; raise the limit, or lower the others",
        needs->limit >> 20, needs->max_body_bytes, needs->loops, needs->loops == 1 ? "" : "s",
        (bytes >> 20) + 1);
}

int budget_plan(struct budget *budget, struct budget_needs *needs, struct error *error)
{
    plan_without_limit(budget);
    if (!needs->limit)
        return 0;
    size_t needed = least_needed(needs) + needs->loops * bytes_of_connection(needs);
    if (needed > needs->limit)
        return too_small(needs, needed, error);
    size_t loops = needs->loops * (LOOP_BYTES + needs->max_body_bytes);
    size_t rest = needs->limit - PROCESS_BYTES - needs->other_bytes - loops;
    size_t connections = min_u64(needs->limit - least_needed(needs), rest / 3) / bytes_of_connection(needs);
    needs->connections = min_u64(needs->connections, connections);
    budget->limit = needs->limit;
    budget->total = rest - needs->connections * bytes_of_connection(needs);
    size_t least_judging = needs->max_body_bytes * LEAST_JUDGING_BYTES_PER_BYTE;
    size_t most_judging = needs->max_body_bytes * JUDGING_BYTES_PER_BYTE;
    size_t half = budget->total / 2;
    budget->largest_review = half < least_judging ? least_judging : min_u64(half, most_judging);
    budget->tight = min_u64(budget->total / 4, TIGHT_BYTES);
    budget->bodies = budget->total - budget->largest_review;
    budget->large_bodies = budget->bodies - budget->bodies / 8;
    return 0;
}

bool budget_take(struct budget *budget, size_t bytes, size_t ceiling)
{
    if (!bytes)
        return true;
    size_t before = atomic_fetch_add_explicit(&budget->in_use, bytes, memory_order_relaxed);
    if (before + bytes > budget->tight)
        atomic_store_explicit(&budget->was_tight, true, memory_order_relaxed);
    if (before <= ceiling && bytes <= ceiling - before)
        return true;
    budget_give_back(budget, bytes);
    return false;
}

void budget_give_back(struct budget *budget, size_t bytes)
{
    if (bytes)
        atomic_fetch_sub_explicit(&budget->in_use, bytes, memory_order_relaxed);
}

size_t budget_of_review(const struct budget *budget, size_t body_bytes)
{
    size_t bytes = body_bytes * JUDGING_BYTES_PER_BYTE;
    return bytes <= BUDGET_FREE_ARENA_BYTES ? 0 : min_u64(bytes, budget->largest_review);
}

size_t budget_in_use(const struct budget *budget)
{
    return atomic_load_explicit(&budget->in_use, memory_order_relaxed);
}

bool budget_has_calmed(struct budget *budget)
{
    return atomic_load_explicit(&budget->was_tight, memory_order_relaxed) &&
        budget_in_use(budget) <= budget->tight / 4 &&
        atomic_exchange_explicit(&budget->was_tight, false, memory_order_relaxed);
}
