/*
 * told.h: which requests were told, so that none is told twice.
 *
 * A request that several API servers log, or one log repeats, ended at one time, so its repetitions are close
 * to each other. At least the last TOLD_REQUESTS are remembered, in memory that does not grow.
 */
#ifndef APPLYGUARD_AUDIT_TOLD_H
#define APPLYGUARD_AUDIT_TOLD_H

#include "audit/event.h"
#include "base/siphash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOLD_REQUESTS ((size_t)8192)

/* A hash table that is never more than half full, so that there is always an empty place. */
struct told_table {
    uint64_t hashes[2 * TOLD_REQUESTS]; /* 0: the place is empty */
    size_t count;
};

struct told {
    struct siphash_seed seed; /* which the caller fills at random, before the first request; the rest is 0 */
    struct told_table tables[2];
    unsigned newest; /* the table that is filled; the other one is full, or empty */
};

/* Remembers the request. True if it was told already. */
bool told_before(struct told *told, const struct audit_event *event);

#endif
