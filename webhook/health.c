#include "webhook/loop.h"
#include "webhook/routes.h"
#include "webhook/self_certificate.h"

/* Probes look at nothing that load or network could hold up: failing them under load would take the pod away.
 */

void handle_healthz(struct loop *loop, const struct route *route, h2o_req_t *request)
{
    (void)loop, (void)route;
    http_answer_sentence(request, 200, "ok\n");
}

void handle_readyz(struct loop *loop, const struct route *route, h2o_req_t *request)
{
    (void)route;
    const struct self_certificate *self = loop->shared->self_certificate;
    if (atomic_load_explicit(&loop->shared->stage, memory_order_acquire) != STAGE_SERVING)
        http_answer_sentence(request, 503, "shutting down\n");
    else if (self && !self_certificate_is_ready(self))
        http_answer_sentence(request, 503, "the API server is not yet told to trust this certificate\n");
    else
        http_answer_sentence(request, 200, "ok\n");
}
