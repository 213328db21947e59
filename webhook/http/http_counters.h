/*
 * http_counters.h: the counters of one loop for connections and requests.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_HTTP_COUNTERS_H
#define APPLYGUARD_WEBHOOK_HTTP_HTTP_COUNTERS_H

#include "system/counter.h"
#include "webhook/http/progress.h"

struct http_counters {
    counter connections; /* accepted */
    counter evicted;
    counter at_limit; /* how often all connections were taken when a new one came */
    counter swept[PHASE_COUNT];
    counter malformed; /* requests that cannot be read, or whose head is refused (head.h) */
    counter too_large;
    counter refused; /* because the memory limit was reached */
};

#endif
