#include "webhook/http/queue.h"

void queue_add(
    struct queue *queue, struct waiting *waiting, h2o_req_t *request, resume_request *resume, void *data)
{
    *waiting = (struct waiting){.request = request, .resume = resume, .data = data};
    *(queue->last ? &queue->last->next : &queue->first) = waiting;
    queue->last = waiting;
}

void queue_resume_first(struct queue *queue)
{
    const struct waiting first = *queue->first;
    queue->first = first.next;
    if (!queue->first)
        queue->last = NULL;
    first.resume(first.request, first.data);
}

bool queue_resume(struct queue *queue)
{
    if (!queue->first)
        return false;
    while (queue->first)
        queue_resume_first(queue);
    return true;
}
