/*
 * heartbeat.h: finds loops that are stuck.
 *
 * A stuck loop answers no request, and only a restart helps, so the liveness probe fails and the kubelet
 * restarts the container. Each loop counts its iterations and the requests in them. Another thread checks
 * once a second whether that count has changed. It counts its checks instead of time, because both stop while
 * the process is stopped or frozen, so a clock change cannot make a loop look stuck.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_HEARTBEAT_H
#define APPLYGUARD_WEBHOOK_HTTP_HEARTBEAT_H

#include <stdbool.h>
#include <stdint.h>

/* After this many checks without a beat a loop is stuck. No review takes more than a second. */
#define HEARTBEAT_LOOKS 10u

/* The shortest time between checks. An idle loop iterates as often as this. */
#define HEARTBEAT_INTERVAL_MS 1000u

/* All zero before the first check. */
struct heartbeat {
    uint64_t beats;  /* at the last check */
    unsigned misses; /* checks since the last that found a beat */
    uint64_t looked_at;
};

/*
 * Checks a loop that has had `beats` so far, at `now` in monotonic milliseconds. Ignores checks that come too
 * soon.
 */
void heartbeat_look(struct heartbeat *heartbeat, uint64_t beats, uint64_t now);

bool heartbeat_is_stuck(const struct heartbeat *heartbeat);

#endif
