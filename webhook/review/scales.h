/*
 * scales.h: lets reviews of scales wait for the scaled object (--lookup).
 *
 * The loop serves other requests meanwhile. When the look-up ends, with or without the object, the request's
 * own loop judges and answers it, unless its connection is closed by then.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_SCALES_H
#define APPLYGUARD_WEBHOOK_REVIEW_SCALES_H

#include "base/slice.h"
#include "policy/verdict/verdict.h"
#include "webhook/http/http.h"

#include <stdbool.h>

/* Called when the look-up ends. `scaled` is the object from the API server, or empty if it is unknown. */
typedef void scale_known(struct http_request *request, struct slice scaled);

/*
 * Starts a look-up if the review is a scale of an object that can be looked up, and returns true: `known`
 * then judges and answers the request, unless its connection is closed by then. Otherwise returns false:
 * answer the request as judged.
 */
bool scale_waits(struct http_request *request, const struct verdict *verdict, scale_known *known);

#endif
