/*
 * budget.h: the memory budget of reviews, which keeps the process within its limit.
 *
 * The memory for the process itself, its loops and idle connections is reserved at the start. The rest is for
 * incoming bodies and for judging. Anything beyond a small amount must be taken from the budget first; if the
 * budget is used up, the review is refused. Small reviews need nothing from the budget, so they are always
 * served, without synchronization between loops.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_BUDGET_H
#define APPLYGUARD_WEBHOOK_HTTP_BUDGET_H

#include "base/arena.h"
#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The answer, with 503, to a body that exceeds the remaining budget. */
#define BUDGET_SPENT_SENTENCE "Too many large reviews at a time; try once again.\n"

struct budget {
    size_t limit;  /* of the process; 0: no limit, and nothing is refused */
    size_t total;  /* the part of it for bodies and judging */
    size_t bodies; /* the part of that for bodies; the rest is reserved for judging, so that complete bodies
                      can always be judged */
    size_t large_bodies;   /* the part of that for large bodies; the rest is reserved for smaller ones */
    size_t largest_review; /* the most memory that judging one may take */
    size_t tight;          /* more than this in use makes the budget tight */
    atomic_size_t in_use;
    atomic_bool was_tight; /* the budget has been tight since budget_has_calmed */
};

/* The needs that the budget must cover. */
struct budget_needs {
    size_t limit;
    size_t loops;
    size_t connections;
    size_t certificates_bytes; /* the certificates that each client may send before it is verified; 0: clients
                                  send none */
    size_t max_body_bytes;
    size_t other_bytes; /* reserved permanently */
};

/*
 * Memory that the arena of each loop may take without the budget: the part that it keeps between reviews, and
 * the part that an answer needs when judging has used up its limit (judge.h).
 */
#define BUDGET_FREE_ARENA_BYTES (ARENA_KEEP_BYTES + ((size_t)512 << 10))

/*
 * Fills `budget`. Lowers needs->connections if that many would take too much of the limit. Returns -1 if the
 * limit does not leave room for one body of the maximum size.
 */
int budget_plan(struct budget *budget, struct budget_needs *needs, struct error *error);

/* How many loops the limit allows, at least 1. */
size_t budget_loops(size_t limit, size_t max_body_bytes);

/*
 * Takes `bytes` if at most `ceiling` is in use afterwards; otherwise returns false. For 0 bytes always
 * returns true.
 */
bool budget_take(struct budget *budget, size_t bytes, size_t ceiling);

void budget_give_back(struct budget *budget, size_t bytes);

/* How much to take for judging a body of this length; 0: nothing beyond BUDGET_FREE_ARENA_BYTES. */
size_t budget_of_review(const struct budget *budget, size_t body_bytes);

size_t budget_in_use(const struct budget *budget);

/* Whether the budget was tight and is free again. Returns true only once each time. */
bool budget_has_calmed(struct budget *budget);

#endif
