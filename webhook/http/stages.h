/*
 * stages.h: an iteration of a loop in stages: all that has come is read, then judged, then sent.
 *
 * TLS, the kernel's sockets and the rules do not fit into a processor's caches and branch predictor side by
 * side. One request after another would find each of them cold; in stages, of several that come at once only
 * the first does.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_STAGES_H
#define APPLYGUARD_WEBHOOK_HTTP_STAGES_H

#include "webhook/http/queue.h"

struct stages {
    struct queue asked;    /* read in this iteration, and to be judged */
    struct queue answered; /* judged, and to be sent */
    h2o_timeout_entry_t due;
    h2o_context_t *context;
    bool are_under_way;
};

/* `context` must live as long; nothing may be added without it. */
void stages_init(struct stages *stages, h2o_context_t *context);

/* Has the request judged, or whatever else it asks for, once all has been read. */
void stages_ask(
    struct stages *stages, struct waiting *waiting, h2o_req_t *request, resume_request *judge, void *data);

/* Has it answered once all has been judged. */
void stages_answer(
    struct stages *stages, struct waiting *waiting, h2o_req_t *request, resume_request *send, void *data);

#endif
