/*
 * queue.h: requests that wait for the next turn of their loop.
 *
 * H2O goes through everything that a connection has sent before it looks at the others again. Whoever sends
 * hundreds of requests in one piece would make them all wait, so a connection has a share of each turn, and
 * what comes beyond it is put here.
 */
#ifndef APPLYGUARD_WEBHOOK_QUEUE_H
#define APPLYGUARD_WEBHOOK_QUEUE_H

#include "webhook/http.h"

#include <stdbool.h>

struct waiting;

/* In the order in which they came. All zero is an empty one. */
struct queue {
    struct waiting *first;
    struct waiting *last;
};

typedef void answer_request(h2o_handler_t *handler, h2o_req_t *request);

/* Has `answer` called for the request when the queue is resumed; never, if its connection is closed before.
 */
void queue_add(struct queue *queue, h2o_handler_t *handler, h2o_req_t *request, answer_request *answer);

/* Has all that wait answered. False if there were none. */
bool queue_resume(struct queue *queue);

#endif
