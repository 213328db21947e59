/*
 * request.h: a review that waited, judged and answered after all.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_REQUEST_H
#define APPLYGUARD_WEBHOOK_REVIEW_REQUEST_H

#include "webhook/http/loop.h"

/* `scaled`: the object that it is about, as the API server has it; empty where that is not known. */
void review_resume(struct loop *loop, const struct route *route, h2o_req_t *request, struct slice scaled);

#endif
