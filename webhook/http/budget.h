/*
 * budget.h: how much memory reviews may take, so that the process stays within its limit.
 *
 * What the process itself, its loops and idle connections need is set apart at the start. The rest is for
 * bodies on their way in and for judging: whoever needs more than a little takes it here first, and where
 * there is none, a review is refused. A small review needs nothing from here, so it is always served, and
 * costs no loop a word with another.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_BUDGET_H
#define APPLYGUARD_WEBHOOK_HTTP_BUDGET_H

#include "base/arena.h"
#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* What a client is told, with 503, whose body is more than is left. */
#define BUDGET_SPENT_SENTENCE "Too many large reviews at a time; try once again.\n"

struct budget {
    size_t limit;          /* of the process; 0: none, and then nothing is refused */
    size_t total;          /* of that, what is for bodies and judging */
    size_t bodies;         /* of that, for bodies; the rest is kept for judging, so that there is an end */
    size_t large_bodies;   /* of that, for bodies that are large; the rest is kept for the others */
    size_t largest_review; /* what judging one may take at most */
    size_t tight;          /* more than this in use is much */
    atomic_size_t in_use;
    atomic_bool was_tight; /* much has been in use since budget_has_calmed */
};

/* What the budget has to go round for. */
struct budget_needs {
    size_t limit;
    size_t loops;
    size_t connections;
    size_t max_body_bytes;
    size_t other_bytes; /* that are taken for good */
};

/* What arenas may take without asking, one in each loop: what they keep from review to review. */
#define BUDGET_FREE_ARENA_BYTES ARENA_KEEP_BYTES

/*
 * Fills `budget` in. Lowers needs->connections where so many would take too much of the limit. -1 if the
 * limit does not even leave room for one of the largest bodies.
 */
int budget_plan(struct budget *budget, struct budget_needs *needs, struct error *error);

/* How many loops the limit allows, at least 1. */
size_t budget_loops(size_t limit, size_t max_body_bytes);

/* Takes `bytes`, if no more than `ceiling` is in use then. Nothing is taken and true returned for none. */
bool budget_take(struct budget *budget, size_t bytes, size_t ceiling);

void budget_give_back(struct budget *budget, size_t bytes);

/* How much to take for judging a body of this length; 0: nothing beyond BUDGET_FREE_ARENA_BYTES. */
size_t budget_of_review(const struct budget *budget, size_t body_bytes);

size_t budget_in_use(const struct budget *budget);

/* Whether the budget, after it was tight, is free again. Says so once. */
bool budget_has_calmed(struct budget *budget);

#endif
