/*
 * contests.h: a memory of which fields changed hands lately: all that judging keeps from review to review.
 *
 * Whoever judges owns it and lends it to each call; it survives policies. It is of one size whatever comes: a
 * field that finds no room takes that of the one nearby that has been at peace for longest. It keeps times
 * and hashes, nothing of any object, and the hashes are under a secret seed, so that no sender can choose
 * what is forgotten. Threads may share it: each call holds its lock for some hundred nanoseconds.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_CONTESTS_H
#define APPLYGUARD_POLICY_ANALYSIS_CONTESTS_H

#include "base/siphash.h"
#include "base/slice.h"

#include <stddef.h>
#include <stdint.h>

/* Fields that are remembered: about 1.1 MiB, of which only what is used is ever touched. */
#define CONTESTS_FIELDS_MAX 4096

/* Changes that are remembered of one field, the latest. */
#define CONTEST_CHANGES_MAX 32

/* One field that is taken of its owners. */
struct contest_change {
    struct slice field; /* which one, of which object */
    struct slice
        version; /* of the object it is taken from: at most one writer of it succeeds; may be empty */
    struct slice parties; /* who takes it from whom, and when these wrote it */
};

struct contests;

/* NULL if there is no memory. The seed must be random. */
struct contests *contests_create(struct siphash_seed seed);

/* Accepts NULL. */
void contests_destroy(struct contests *contests);

/*
 * How often the field changed hands in the `window` seconds up to `now`, with this change, at most
 * CONTEST_CHANGES_MAX. A change that was noted already, because the API server asks again, counts once.
 */
size_t contests_count(
    struct contests *contests, const struct contest_change *change, int64_t now, int64_t window);

/* Notes that it has come about. */
void contests_note(struct contests *contests, const struct contest_change *change, int64_t now);

#endif
