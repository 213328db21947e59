#include "webhook/queue.h"

struct waiting {
    struct queue *queue;
    struct waiting *next;
    struct waiting *previous;
    h2o_handler_t *handler;
    h2o_req_t *request;
    answer_request *answer;
};

static void leave(struct waiting *waiting)
{
    struct queue *queue = waiting->queue;
    if (!queue)
        return;
    *(waiting->previous ? &waiting->previous->next : &queue->first) = waiting->next;
    *(waiting->next ? &waiting->next->previous : &queue->last) = waiting->previous;
    waiting->queue = NULL;
}

/* The request's memory goes when it was answered, or when its connection is closed. */
static void on_dispose(void *data)
{
    leave(data);
}

void queue_add(struct queue *queue, h2o_handler_t *handler, h2o_req_t *request, answer_request *answer)
{
    struct waiting *waiting = h2o_mem_alloc_shared(&request->pool, sizeof(*waiting), on_dispose);
    *waiting = (struct waiting){
        .queue = queue, .previous = queue->last, .handler = handler, .request = request, .answer = answer};
    *(queue->last ? &queue->last->next : &queue->first) = waiting;
    queue->last = waiting;
}

bool queue_resume(struct queue *queue)
{
    if (!queue->first)
        return false;
    while (queue->first) {
        struct waiting *waiting = queue->first;
        leave(waiting);
        waiting->answer(waiting->handler, waiting->request);
    }
    return true;
}
