/*
 * drain.h: when a stopping server enters each stage of its drain.
 *
 * API servers use a pod over existing connections for some seconds after it has received SIGTERM, and do not
 * repeat a request if such a connection closes at that moment. So the server first serves as before, then
 * asks clients to close each connection with its next answer, and only then closes connections itself.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_DRAIN_H
#define APPLYGUARD_WEBHOOK_SERVER_DRAIN_H

#include "webhook/http/drain_stage.h"

#include <stdint.h>

/*
 * How long connections may take to send one more request before idle ones are closed. A client that sends
 * nothing for this long is unlikely to send at the moment of closing.
 */
#define CLOSE_NOTICE_MS 2000u

/* When each stage begins, in milliseconds from the signal. */
struct drain_plan {
    uint64_t closing;
    uint64_t cut_idle;
    uint64_t late;
    uint64_t stop;
    uint64_t exit; /* at this time the process exits without waiting */
};

/* Shortens a drain delay that leaves no time within the grace period. */
struct drain_plan drain_plan(uint32_t drain_delay_ms, uint32_t grace_period_ms);

enum stage drain_stage(const struct drain_plan *plan, uint64_t elapsed_ms);

#endif
