/*
 * stages.h: runs an iteration of a loop in stages: reads all requests, then judges all, then sends all
 * answers.
 *
 * TLS, the kernel's sockets and the rules together do not fit into a CPU's caches and branch predictor.
 * Served one after another, each request would find all of them cold. In stages, only the first of several
 * concurrent requests does.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_STAGES_H
#define APPLYGUARD_WEBHOOK_HTTP_STAGES_H

#include "webhook/http/queue.h"

struct stages {
    struct queue asked;    /* read in this iteration, to be judged */
    struct queue answered; /* judged, to be sent */
    h2o_timeout_entry_t due;
    h2o_context_t *context;
    bool are_under_way;
};

/* `context` must live as long. */
void stages_init(struct stages *stages, h2o_context_t *context);

/* Calls `judge` for the request after everything has been read. */
void stages_ask(
    struct stages *stages, struct waiting *waiting, h2o_req_t *request, resume_request *judge, void *data);

/* Calls `send` for the request after everything has been judged. */
void stages_answer(
    struct stages *stages, struct waiting *waiting, h2o_req_t *request, resume_request *send, void *data);

#endif
