#include "webhook/http/stages.h"

/* Judging a body of this size takes so long that finished answers are sent first. */
#define LARGE_BODY_BYTES ((size_t)64 << 10)

static void on_due(h2o_timeout_entry_t *due)
{
    struct stages *stages = H2O_STRUCT_FROM_MEMBER(struct stages, due, due);
    stages->are_under_way = true;
    while (stages->asked.first) {
        if (stages->asked.first->request->entity.len > LARGE_BODY_BYTES)
            queue_resume(&stages->answered);
        queue_resume_first(&stages->asked);
    }
    queue_resume(&stages->answered);
    stages->are_under_way = false;
}

void stages_init(struct stages *stages, h2o_context_t *context)
{
    *stages = (struct stages){.due = {.cb = on_due}, .context = context};
}

/*
 * H2O runs due timers after it has read from all sockets. It compares them with the wall clock: a timer that
 * has been due since 1970 is due even after the clock was set back.
 */
static void come_due(struct stages *stages)
{
    if (stages->are_under_way || h2o_timeout_is_linked(&stages->due))
        return;
    h2o_timeout_link(stages->context->loop, &stages->context->zero_timeout, &stages->due);
    stages->due.registered_at = 0;
}

void stages_ask(
    struct stages *stages, struct waiting *waiting, h2o_req_t *request, resume_request *judge, void *data)
{
    queue_add(&stages->asked, waiting, request, judge, data);
    come_due(stages);
}

void stages_answer(
    struct stages *stages, struct waiting *waiting, h2o_req_t *request, resume_request *send, void *data)
{
    queue_add(&stages->answered, waiting, request, send, data);
    come_due(stages);
}
