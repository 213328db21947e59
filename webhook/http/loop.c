#include "webhook/http/loop.h"

void loop_send(struct loop *loop, struct loop_message *message)
{
    h2o_multithread_send_message(&loop->mailbox, &message->super);
}

/* The loop may end before the message comes if it notices the stage by itself. */
void loop_wake(struct loop *loop)
{
    if (!loop->is_running)
        return;
    pthread_mutex_lock(&loop->waking);
    if (!loop->is_deaf)
        h2o_multithread_send_message(&loop->mailbox, NULL);
    pthread_mutex_unlock(&loop->waking);
}
