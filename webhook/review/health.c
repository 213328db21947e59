#include "webhook/review/health.h"

#include "system/clock.h"
#include "webhook/review/reviewer.h"

/*
 * Probes check nothing that load or the network could delay: if they failed under load, the pod would be
 * removed.
 */

void handle_healthz(struct http_request *request)
{
    if (server_fact_board_read(reviewer_of(request)->service->server_facts).loops_stuck)
        http_answer_sentence(request, 503, "a serving loop has not run for ten seconds; see the log\n");
    else
        http_answer_sentence(request, 200, "ok\n");
}

/*
 * API servers reject a certificate before and after its validity. They use their own clock, so use it where
 * it is known: this clock may be wrong.
 */
static const char *why_not_valid(const struct review_service *service)
{
    const struct server_facts server_facts = server_fact_board_read(service->server_facts);
    int64_t now = calendar_seconds() - server_facts.clock_ahead;
    if (now > server_facts.certificate_not_after)
        return "the certificate has expired\n";
    if (now < server_facts.certificate_not_before)
        return "the certificate is not yet valid\n";
    return NULL;
}

/* Returns NULL if it is ready. */
static const char *why_not_ready(const struct http_request *request)
{
    const struct review_service *service = reviewer_of(request)->service;
    if (atomic_load_explicit(&request->loop->shared->stage, memory_order_acquire) != STAGE_SERVING)
        return "shutting down\n";
    if (service->is_trusted && !atomic_load_explicit(service->is_trusted, memory_order_acquire))
        return "API servers do not trust this certificate yet\n";
    return why_not_valid(service);
}

void handle_readyz(struct http_request *request)
{
    const char *reason = why_not_ready(request);
    http_answer_sentence(request, reason ? 503 : 200, reason ? reason : "ok\n");
}
