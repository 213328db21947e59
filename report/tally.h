/*
 * tally.h: counts how often each fingerprint occurs.
 *
 * A tree that branches by the bits of the fingerprint: at most 32 steps to each, whatever a stranger chose.
 */
#ifndef APPLYGUARD_REPORT_TALLY_H
#define APPLYGUARD_REPORT_TALLY_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tally_node;

/* Zero is an empty tally. Its nodes live in the arena. */
struct tally {
    struct tally_node *root;
};

/* Counts one more. Returns how many there are then, or 0 if there is no memory. */
size_t tally_add(struct tally *tally, uint64_t fingerprint, struct arena *arena);

/* Counts so many more, up to SIZE_MAX. False if there is no memory. */
bool tally_add_many(struct tally *tally, uint64_t fingerprint, size_t count, struct arena *arena);

/* Counts so many less. False, and changes nothing, if there were fewer. */
bool tally_take(struct tally *tally, uint64_t fingerprint, size_t count);

#endif
