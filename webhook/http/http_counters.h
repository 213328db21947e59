/*
 * http_counters.h: what one loop has counted of connections and requests since it began.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_HTTP_COUNTERS_H
#define APPLYGUARD_WEBHOOK_HTTP_HTTP_COUNTERS_H

#include "system/counter.h"
#include "webhook/http/progress.h"

struct http_counters {
    counter connections; /* accepted */
    counter evicted;
    counter at_limit; /* times that connections came and there was no room */
    counter swept[PHASE_COUNT];
    counter malformed; /* requests with a body that is not as the headers say */
    counter too_large;
    counter refused; /* because memory is at its limit */
};

#endif
