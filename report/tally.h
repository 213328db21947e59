/*
 * tally.h: counts how often each fingerprint occurs.
 *
 * It is a tree that branches by the bits of the fingerprint: each node is at most 32 steps deep, even if a
 * stranger chose the fingerprints.
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

/* Counts a fingerprint. Returns how often it was counted, or 0 if memory runs out. */
size_t tally_add(struct tally *tally, uint64_t fingerprint, struct arena *arena);

/* Counts a fingerprint `count` times, up to SIZE_MAX. Returns false if memory runs out. */
bool tally_add_many(struct tally *tally, uint64_t fingerprint, size_t count, struct arena *arena);

/* Subtracts `count`. Returns false, and changes nothing, if the fingerprint was counted less often. */
bool tally_take(struct tally *tally, uint64_t fingerprint, size_t count);

#endif
