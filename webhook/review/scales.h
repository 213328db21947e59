/*
 * scales.h: reviews of scales that wait until the scaled object is known (--lookup).
 *
 * The loop goes on meanwhile. When the lookup is done, with or without the object, the request is judged and
 * answered by its own loop, like any other; if its connection is gone by then, nothing is.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_SCALES_H
#define APPLYGUARD_WEBHOOK_REVIEW_SCALES_H

#include "policy/verdict/verdict.h"
#include "webhook/http/loop.h"

/*
 * Whether the request waits from here on: its review is a scale of an object that can be looked up. If not,
 * it is to be answered as it was judged.
 */
bool scale_waits(
    struct loop *loop, const struct route *route, h2o_req_t *request, const struct verdict *verdict);

/* The lookup is done, says the message: judges and answers. Frees the scale and, with it, the message. */
void scale_resume(struct loop *loop, struct loop_message *message);

#endif
