/*
 * health.h: the liveness and readiness probes.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_HEALTH_H
#define APPLYGUARD_WEBHOOK_REVIEW_HEALTH_H

#include "webhook/http/http.h"

route_handler handle_healthz;
route_handler handle_readyz;

#endif
