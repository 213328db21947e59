/*
 * request.h: the way of a review: body, judge, encode, answer.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_REQUEST_H
#define APPLYGUARD_WEBHOOK_REVIEW_REQUEST_H

#include "webhook/http/http.h"

/* Judges the AdmissionReview in the body. The route's data is the path's ceiling, an enum mode. */
route_handler handle_review;

#endif
