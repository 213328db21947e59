/*
 * drain.h: the way from the signal to stop to the exit.
 *
 * API servers go on using a pod for some seconds after it was told to stop, over the connections they have,
 * and do not send a request again when such a connection closes under it. So the server first serves on as if
 * nothing had happened, then asks for each connection to be closed with its next answer, and only then cuts.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_DRAIN_H
#define APPLYGUARD_WEBHOOK_SERVER_DRAIN_H

#include "webhook/http/drain_stage.h"

#include <stdint.h>

/*
 * How long connections that were told to close may take to send one more request before idle ones are cut. A
 * client that sends nothing for this long will hardly send at the very moment of the cut.
 */
#define CLOSE_NOTICE_MS 2000u

/* When each stage begins, in milliseconds from the signal. */
struct drain_plan {
    uint32_t closing;
    uint32_t cut_idle;
    uint32_t late;
    uint32_t stop;
};

/* A delay that leaves no time within the grace period is shortened. */
struct drain_plan drain_plan(uint32_t drain_delay_ms, uint32_t grace_period_ms);

enum stage drain_stage(const struct drain_plan *plan, uint64_t elapsed_ms);

#endif
