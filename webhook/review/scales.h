/*
 * scales.h: reviews of scales that wait until the scaled object is known (--lookup).
 *
 * The loop goes on meanwhile. When the lookup is done, with or without the object, the request is judged and
 * answered by its own loop, like any other; if its connection is gone by then, nothing is.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_SCALES_H
#define APPLYGUARD_WEBHOOK_REVIEW_SCALES_H

#include "base/slice.h"
#include "policy/verdict/verdict.h"
#include "webhook/http/http.h"

#include <stdbool.h>

/* The look-up is done. `scaled`: the object, as the API server has it; empty where that is not known. */
typedef void scale_known(struct http_request *request, struct slice scaled);

/*
 * Whether the request waits from here on: its review is a scale of an object that can be looked up. Then
 * `known` judges and answers it, unless its connection is gone by then. If not, it is to be answered as it
 * was judged.
 */
bool scale_waits(struct http_request *request, const struct verdict *verdict, scale_known *known);

#endif
