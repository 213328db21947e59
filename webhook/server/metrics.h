/*
 * metrics.h: GET /metrics: the sums of all loops' counters, and further metrics.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_METRICS_H
#define APPLYGUARD_WEBHOOK_SERVER_METRICS_H

#include "webhook/review/reviewer.h"
#include "webhook/tls/handshakes.h"

/* The sources of the values. */
struct metrics_sources {
    const struct loop_shared *http;
    const struct reviewer *reviewers; /* one for each loop */
    const struct review_service *service;
    const struct handshakes *handshakes;
    const char *version;
};

/* Reads the sources in `metrics` of the reviewer's service. Never waits for a loop. */
route_handler handle_metrics;

#endif
