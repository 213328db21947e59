/*
 * place_metrics.h: what was counted of each kind and namespace, for /metrics.
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_PLACE_METRICS_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_PLACE_METRICS_H

#include "webhook/telemetry/exposition.h"
#include "webhook/telemetry/places.h"

/* Writes nothing where kinds and namespaces are not told apart: `places` is NULL. */
void place_metrics_write(struct exposition *exposition, struct places *places);

#endif
