/*
 * metrics.h: GET /metrics: what all loops have counted, added up, and what else is known.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_METRICS_H
#define APPLYGUARD_WEBHOOK_SERVER_METRICS_H

#include "webhook/review/reviewer.h"
#include "webhook/tls/handshakes.h"

/* Where it is counted. */
struct metrics_sources {
    const struct loop_shared *http;
    const struct reviewer *reviewers; /* one for each loop */
    const struct review_service *service;
    const struct handshakes *handshakes;
    const char *version;
};

/* Of the reviewer's service, `metrics` says where to look. Nothing here waits for a loop. */
route_handler handle_metrics;

#endif
