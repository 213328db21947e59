/*
 * takeover_history.h: a memory of which fields changed hands lately: all that judging keeps from review to
 * review.
 *
 * Whoever judges owns it and lends it to each call; it survives policies. It is of one size whatever comes: a
 * field that finds no room takes that of the one nearby that has been at peace for longest. It keeps times
 * and hashes, nothing of any object, and the hashes are under a secret seed, so that no sender can choose
 * what is forgotten. Threads may share it: each call holds its lock for some hundred nanoseconds.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_TAKEOVER_HISTORY_H
#define APPLYGUARD_POLICY_ANALYSIS_TAKEOVER_HISTORY_H

#include "base/siphash.h"
#include "base/slice.h"

#include <stddef.h>
#include <stdint.h>

/* Fields that are remembered: about 1.1 MiB, of which only what is used is ever touched. */
#define TAKEOVER_FIELDS_MAX 4096

/* Changes that are remembered of one field, the latest. */
#define TAKEOVERS_MAX 32

/* One field that is taken of its owners. */
struct takeover {
    struct slice field; /* which one, of which object */
    struct slice
        version; /* of the object it is taken from: at most one writer of it succeeds; may be empty */
    struct slice parties; /* who takes it from whom, and when these wrote it */
};

struct takeover_history;

/* NULL if there is no memory. The seed must be random. */
struct takeover_history *takeover_history_create(struct siphash_seed seed);

/* Accepts NULL. */
void takeover_history_destroy(struct takeover_history *history);

/*
 * How often the field changed hands in the `window` seconds up to `now`, with this change, at most
 * TAKEOVERS_MAX. A change that was noted already, because the API server asks again, counts once.
 */
size_t takeover_history_count(
    struct takeover_history *history, const struct takeover *change, int64_t now, int64_t window);

/* Notes that it has come about. */
void takeover_history_note(struct takeover_history *history, const struct takeover *change, int64_t now);

#endif
