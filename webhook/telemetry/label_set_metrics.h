/*
 * label_set_metrics.h: writes the counters of each kind and namespace for /metrics.
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_LABEL_SET_METRICS_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_LABEL_SET_METRICS_H

#include "webhook/telemetry/exposition.h"
#include "webhook/telemetry/label_sets.h"

/* Writes nothing if `sets` is NULL: kinds and namespaces are not counted separately. */
void label_set_metrics_write(struct exposition *exposition, struct label_sets *sets);

#endif
