/*
 * routes.h: the routes of both listeners.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_ROUTES_H
#define APPLYGUARD_WEBHOOK_SERVER_ROUTES_H

#include "webhook/http/http.h"

#include <stddef.h>

/* The TLS listener: reviews and probes. */
extern const struct route webhook_routes[];
extern const size_t webhook_route_count;

/* The plain listener: probes and metrics. */
extern const struct route plain_routes[];
extern const size_t plain_route_count;

#endif
