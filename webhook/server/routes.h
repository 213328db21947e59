/*
 * routes.h: what is served where.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_ROUTES_H
#define APPLYGUARD_WEBHOOK_SERVER_ROUTES_H

#include "webhook/http/http.h"

#include <stddef.h>

/* Of the TLS listener: reviews, and the probes. */
extern const struct route webhook_routes[];
extern const size_t webhook_route_count;

/* Of the plain listener: the probes and the metrics. */
extern const struct route plain_routes[];
extern const size_t plain_route_count;

#endif
