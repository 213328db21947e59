#include "certs/rotation.h"

static bool exists(struct validity authority)
{
    return authority.not_after != 0;
}

static struct rotation_decision step(enum rotation_step step)
{
    return (struct rotation_decision){.step = step};
}

static struct rotation_decision wait_until(int64_t time)
{
    return (struct rotation_decision){.step = ROTATION_NONE, .again_at = time};
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/*
 * False if the time is in the future, because a clock was ahead when it was written: what it is about then
 * ends at the latest with the authority itself.
 */
static bool has_passed(int64_t since, int64_t seconds, int64_t now)
{
    return now - since >= seconds;
}

/*
 * Nothing valid signs: an authority that clients know already is better than one they do not.
 */
static struct rotation_decision replace_current(const struct rotation_state *state, int64_t now)
{
    bool next_is_known = exists(state->next) && validity_covers(state->next, now);
    return step(next_is_known ? ROTATION_PROMOTE : ROTATION_CREATE);
}

static bool previous_is_over(
    const struct rotation_state *state, const struct rotation_plan *plan, int64_t now)
{
    return !validity_covers(state->previous, now) ||
        has_passed(state->promoted_at, plan->leaf_seconds + plan->soak_seconds, now);
}

struct rotation_decision rotation_decide(
    const struct rotation_state *state, const struct rotation_plan *plan, int64_t now, uint32_t random)
{
    if (!exists(state->current) || !validity_covers(state->current, now))
        return replace_current(state, now);
    if (exists(state->previous) && previous_is_over(state, plan, now))
        return step(ROTATION_DROP);
    int64_t again_at = exists(state->previous)
        ? earlier(state->previous.not_after + 1, state->promoted_at + plan->leaf_seconds + plan->soak_seconds)
        : INT64_MAX;
    if (exists(state->next)) {
        if (!validity_covers(state->next, now))
            return step(ROTATION_UNSTAGE);
        if (exists(state->previous)) /* whose leafs may still be served: its place is not free yet */
            return wait_until(again_at);
        if (has_passed(state->staged_at, plan->soak_seconds, now))
            return step(ROTATION_PROMOTE);
        return wait_until(state->staged_at + plan->soak_seconds);
    }
    if (validity_is_due(state->current, random, now))
        return step(ROTATION_STAGE);
    return wait_until(earlier(again_at, validity_renewal(state->current, random)));
}
