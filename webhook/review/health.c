#include "webhook/review/health.h"

#include "system/clock.h"
#include "webhook/review/reviewer.h"

/* Probes look at nothing that load or network could hold up: failing them under load would take the pod away.
 */

void handle_healthz(struct http_request *request)
{
    if (facts_read(reviewer_of(request)->service->facts).loops_stuck)
        http_answer_sentence(request, 503, "a serving loop has not run for ten seconds; see the log\n");
    else
        http_answer_sentence(request, 200, "ok\n");
}

/*
 * The API server takes a certificate neither before nor after its time. The clock is its own, where that is
 * known: this one may be wrong.
 */
static const char *why_not_valid(const struct review_service *service)
{
    const struct facts facts = facts_read(service->facts);
    int64_t now = calendar_seconds() - facts.clock_ahead;
    if (now > facts.certificate_not_after)
        return "the certificate has expired\n";
    if (now < facts.certificate_not_before)
        return "the certificate is not yet valid\n";
    return NULL;
}

/* NULL: it is. */
static const char *why_not_ready(const struct http_request *request)
{
    const struct review_service *service = reviewer_of(request)->service;
    if (atomic_load_explicit(&request->loop->shared->stage, memory_order_acquire) != STAGE_SERVING)
        return "shutting down\n";
    if (service->is_trusted && !atomic_load_explicit(service->is_trusted, memory_order_acquire))
        return "the API server is not yet told to trust this certificate\n";
    return why_not_valid(service);
}

void handle_readyz(struct http_request *request)
{
    const char *reason = why_not_ready(request);
    http_answer_sentence(request, reason ? 503 : 200, reason ? reason : "ok\n");
}
