/*
 * heartbeat.h: whether a loop still iterates.
 *
 * Who is stuck serves nobody, and only another process helps: so liveness fails, and the kubelet starts one.
 * Each loop counts its iterations, and the requests in them; a thread beside the loops looks once a second
 * whether that count has changed. It counts its own looks, and not time: while the whole process is stopped
 * or frozen neither goes on, and no clock that is set or catches up can make a loop look stuck.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_HEARTBEAT_H
#define APPLYGUARD_WEBHOOK_HTTP_HEARTBEAT_H

#include <stdbool.h>
#include <stdint.h>

/* Looks without a beat from which on a loop is stuck. No review takes more than a second. */
#define HEARTBEAT_LOOKS 10u

/* Looks come no faster than this; an idle loop iterates as often. */
#define HEARTBEAT_INTERVAL_MS 1000u

/* All zero: nothing has been looked at. */
struct heartbeat {
    uint64_t beats;  /* at the last look */
    unsigned misses; /* looks since the last that found a beat */
    uint64_t looked_at;
};

/*
 * Looks at a loop that has had so many beats; `now` in monotonic milliseconds. Looks that come too soon are
 * none.
 */
void heartbeat_look(struct heartbeat *heartbeat, uint64_t beats, uint64_t now);

bool heartbeat_is_stuck(const struct heartbeat *heartbeat);

#endif
