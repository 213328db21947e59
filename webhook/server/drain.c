#include "webhook/server/drain.h"

#include "base/min.h"

/*
 * The part of the grace period in which the server closes connections, and the part before that in which it
 * refuses requests. Both are shorter in a short grace period.
 */
#define LEAVING_MS 500u
#define REFUSING_MS 1500u

/* The part for the exit itself. */
#define EXIT_MS 100u

struct drain_plan drain_plan(uint32_t drain_delay_ms, uint32_t grace_period_ms)
{
    struct drain_plan plan;
    plan.exit = grace_period_ms - min_u64(EXIT_MS, grace_period_ms);
    plan.stop = grace_period_ms - min_u64(LEAVING_MS, grace_period_ms / 4);
    plan.late = plan.stop - min_u64(REFUSING_MS, plan.stop / 4);
    plan.closing = min_u64(drain_delay_ms, plan.late);
    plan.cut_idle = plan.closing + min_u64(CLOSE_NOTICE_MS, plan.late - plan.closing);
    return plan;
}

enum stage drain_stage(const struct drain_plan *plan, uint64_t elapsed_ms)
{
    if (elapsed_ms >= plan->stop)
        return STAGE_STOP;
    if (elapsed_ms >= plan->late)
        return STAGE_LATE;
    if (elapsed_ms >= plan->cut_idle)
        return STAGE_CUT_IDLE;
    if (elapsed_ms >= plan->closing)
        return STAGE_CLOSING;
    return STAGE_LAME_DUCK;
}
