/*
 * place_metrics.h: what was counted of each kind and namespace, for /metrics.
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_PLACE_METRICS_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_PLACE_METRICS_H

#include "webhook/http/loop.h"
#include "webhook/telemetry/exposition.h"

/* Writes nothing where kinds and namespaces are not told apart. */
void place_metrics_write(struct exposition *exposition, const struct loop_shared *shared);

#endif
