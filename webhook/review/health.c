#include "base/clock.h"
#include "webhook/http/loop.h"
#include "webhook/review/routes.h"
#include "webhook/tls/self_certificate.h"

/* Probes look at nothing that load or network could hold up: failing them under load would take the pod away.
 */

void handle_healthz(struct loop *loop, const struct route *route, h2o_req_t *request)
{
    (void)route;
    if (facts_read(loop->shared->facts).loops_stuck)
        http_answer_sentence(request, 503, "a serving loop has not turned for ten seconds; see the log\n");
    else
        http_answer_sentence(request, 200, "ok\n");
}

/*
 * The API server takes a certificate neither before nor after its time. The clock is its own, where that is
 * known: this one may be wrong.
 */
static const char *why_not_valid(const struct loop_shared *shared)
{
    const struct facts facts = facts_read(shared->facts);
    int64_t now = calendar_seconds() - facts.clock_ahead;
    if (now > facts.certificate_not_after)
        return "the certificate has expired\n";
    if (now < facts.certificate_not_before)
        return "the certificate is not yet valid\n";
    return NULL;
}

/* NULL: it is. */
static const char *why_not_ready(const struct loop_shared *shared)
{
    const struct self_certificate *self = shared->self_certificate;
    if (atomic_load_explicit(&shared->stage, memory_order_acquire) != STAGE_SERVING)
        return "shutting down\n";
    if (self && !self_certificate_is_ready(self))
        return "the API server is not yet told to trust this certificate\n";
    return why_not_valid(shared);
}

void handle_readyz(struct loop *loop, const struct route *route, h2o_req_t *request)
{
    (void)route;
    const char *reason = why_not_ready(loop->shared);
    http_answer_sentence(request, reason ? 503 : 200, reason ? reason : "ok\n");
}
