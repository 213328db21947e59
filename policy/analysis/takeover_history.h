/*
 * takeover_history.h: which fields changed hands recently: the only state that judging keeps between reviews.
 *
 * The caller of judge owns it and passes it to each call; a new policy does not affect it. Its size is fixed:
 * a field that finds no room replaces the least recently contested one nearby. It holds only times and
 * hashes, no data of objects. A secret seed prevents senders from choosing what is evicted. Threads may share
 * it: each call holds its lock for some hundred nanoseconds.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_TAKEOVER_HISTORY_H
#define APPLYGUARD_POLICY_ANALYSIS_TAKEOVER_HISTORY_H

#include "base/siphash.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of fields: about 1.4 MiB, of which only used parts are ever touched. */
#define TAKEOVER_FIELDS_MAX 4096

/* How many of a field's latest changes are kept. */
#define TAKEOVERS_MAX 32

/* One field that is taken from its owners. */
struct takeover {
    struct slice field; /* the object and the field */
    struct slice
        version; /* of the object before the request, which at most one writer can replace; may be empty */
    struct slice parties; /* who takes it from whom, and when they wrote it */
    struct slice writer;  /* who takes it */
};

/* If as many unseen requests are within a window, there may be more of them. */
#define TAKEOVER_UNSEEN_MAX 16

/* A request whose changes the history lacks. */
struct takeover_unseen {
    int64_t time;
    uint64_t writer; /* takeover_writer_of(); 0: unknown */
};

/* The name of a manager as a number; 0: the name is empty. */
uint64_t takeover_writer_of(struct slice name);

struct takeover_history;

/* Returns NULL if memory runs out. The seed must be random. */
struct takeover_history *takeover_history_create(struct siphash_seed seed);

/* Accepts NULL. */
void takeover_history_destroy(struct takeover_history *history);

/*
 * How often the field changed hands in the `window` seconds up to `now`, including this change, at most
 * TAKEOVERS_MAX. A change that is already recorded, because the API server repeats a request, counts once.
 */
size_t takeover_history_count(
    struct takeover_history *history, const struct takeover *change, int64_t now, int64_t window);

/*
 * Whether the last recorded change of the field, in the `window` seconds up to `now`, was one by which
 * `writer` took it.
 */
bool takeover_history_was_taken(
    struct takeover_history *history, struct slice field, struct slice writer, int64_t now, int64_t window);

/*
 * Sets an assumption about unseen requests to the object that is judged next, until the next call: that each
 * took each field, as far as a writer can take it again, or that no request did. A verdict that is the same
 * under both assumptions does not depend on these requests. A new history has no unseen requests, and a
 * webhook sees each request.
 */
void takeover_history_assume(
    struct takeover_history *history, const struct takeover_unseen *unseen, size_t count, bool are_takes);

/*
 * Whether changes that are noted from now on are possible ones alone: they count only if unseen requests do.
 */
void takeover_history_note_possible(struct takeover_history *history, bool is_possible);

/* Records the change. */
void takeover_history_note(struct takeover_history *history, const struct takeover *change, int64_t now);

#endif
