/*
 * queue.h: requests that wait: for a stage of this iteration of their loop (stages.h), or for the next
 * iteration.
 *
 * H2O 2.2.5 does not close a connection whose request waits for the handler: it has no timer for it, and
 * reads from the connection again only after the answer (lib/http1.c). So a waiting request still exists when
 * it is resumed.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_QUEUE_H
#define APPLYGUARD_WEBHOOK_HTTP_QUEUE_H

#include "webhook/http/h2o_api.h"

#include <stdbool.h>

typedef void resume_request(h2o_req_t *request, void *data);

/* An entry of a queue. Each connection has one, because it has one request at a time. */
struct waiting {
    struct waiting *next;
    h2o_req_t *request;
    resume_request *resume;
    void *data;
};

/* First in, first out. All zero is an empty queue. */
struct queue {
    struct waiting *first;
    struct waiting *last;
};

/* Adds a request with the entry `waiting`. `resume` is called for it when the queue is resumed. */
void queue_add(
    struct queue *queue, struct waiting *waiting, h2o_req_t *request, resume_request *resume, void *data);

/* Resumes the first request. */
void queue_resume_first(struct queue *queue);

/* Resumes all requests. Returns false if the queue was empty. */
bool queue_resume(struct queue *queue);

#endif
