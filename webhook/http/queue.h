/*
 * queue.h: requests that wait: for a stage of this iteration of their loop (stages.h), or for the next
 * iteration.
 *
 * H2O 2.2.5 takes no connection down whose request waits for us: it has no timer for it, and reads from the
 * connection again only when it was answered (lib/http1.c). So whoever waits is there when it goes on.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_QUEUE_H
#define APPLYGUARD_WEBHOOK_HTTP_QUEUE_H

#include "webhook/http/h2o_api.h"

#include <stdbool.h>

typedef void resume_request(h2o_req_t *request, void *data);

/* A place in a queue. It is the connection's, which has one request at a time. */
struct waiting {
    struct waiting *next;
    h2o_req_t *request;
    resume_request *resume;
    void *data;
};

/* In the order in which they came. All zero is an empty one. */
struct queue {
    struct waiting *first;
    struct waiting *last;
};

/* Has `resume` called for the request when the queue is resumed; until then it has the place `waiting`. */
void queue_add(
    struct queue *queue, struct waiting *waiting, h2o_req_t *request, resume_request *resume, void *data);

/* Has the first that waits go on. */
void queue_resume_first(struct queue *queue);

/* Has all that wait go on. False if there were none. */
bool queue_resume(struct queue *queue);

#endif
