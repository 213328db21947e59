/*
 * seen_events.h: remembers seen requests, so that none is returned twice.
 *
 * If several API servers log a request, or one log repeats it, the repetitions have the same end time, so
 * they are close to each other. Remembers at least the last SEEN_EVENTS_MIN, in constant memory.
 */
#ifndef APPLYGUARD_AUDIT_SEEN_EVENTS_H
#define APPLYGUARD_AUDIT_SEEN_EVENTS_H

#include "audit/event.h"
#include "base/siphash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEEN_EVENTS_MIN ((size_t)8192)

/* A hash table that is at most half full, so it always has an empty place. */
struct seen_table {
    uint64_t hashes[2 * SEEN_EVENTS_MIN]; /* 0: the place is empty */
    size_t count;
};

struct seen_events {
    struct siphash_seed
        seed; /* the caller fills it at random, before the first request; the other members are 0 */
    struct seen_table tables[2];
    unsigned newest; /* the table that is being filled; the other one is full, or empty */
};

/* Remembers the request. Returns true if it was seen before. */
bool seen_events_add(struct seen_events *seen, const struct audit_event *event);

#endif
