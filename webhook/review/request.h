/*
 * request.h: handles a review: reads the body, judges, encodes and answers.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_REQUEST_H
#define APPLYGUARD_WEBHOOK_REVIEW_REQUEST_H

#include "webhook/http/http.h"

/* Judges the AdmissionReview in the body. The route's data is the path's ceiling, an enum mode. */
route_handler handle_review;

#endif
