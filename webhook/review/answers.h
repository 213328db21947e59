/*
 * answers.h: what the handlers of reviews have in common: refusals, and the memory of a request.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_ANSWERS_H
#define APPLYGUARD_WEBHOOK_REVIEW_ANSWERS_H

#include "base/error.h"
#include "webhook/http/http.h"
#include "webhook/http/loop.h"

#include <stdbool.h>
#include <stddef.h>

/* Answers a request whose body is not JSON, or that comes late while the server stops. False for others. */
bool answer_is_refused(struct http_request *request);

/* Answers that memory ran out; the API server tries again. */
void answer_out_of_memory(struct http_request *request);

/* Answers that the body is not an AdmissionReview. */
void answer_unreadable(struct http_request *request, const struct error *error);

/*
 * Takes the memory for judging so many bytes from the budget of all requests, and limits the loop's arena to
 * it. Returns false if there is too little: then the request is answered.
 */
bool answer_take_budget(struct http_request *request, size_t judged_bytes, size_t *taken);

/* Gives the memory back and resets the arena. Call it after the answer, when the request may be gone. */
void answer_give_back(struct loop *loop, size_t taken);

#endif
