/*
 * exposition.h: writes metrics as text: OpenMetrics 1.0, or Prometheus' own format for clients that do not
 * accept it.
 *
 *     exposition_metric(&exposition, METRIC_connections_cut);
 *     exposition_sample(&exposition, "phase=\"body\"", 3);
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_EXPOSITION_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_EXPOSITION_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum metric {
#define METRIC(symbol, type, name, help) METRIC_##symbol,
#include "webhook/telemetry/metrics.def"
#undef METRIC
    METRIC_COUNT
};

struct exposition {
    struct text text;
    bool is_open_metrics;
    enum metric metric; /* the current metric */
};

/* Begins a metric and writes its help and type. */
void exposition_metric(struct exposition *exposition, enum metric metric);

/*
 * Writes a sample. `labels` is as in the text, without braces, and must not contain untrusted text; NULL: no
 * labels.
 */
void exposition_sample(struct exposition *exposition, const char *labels, uint64_t value);

/* Writes a value in millionths. */
void exposition_millionths(struct exposition *exposition, const char *labels, uint64_t value);

/*
 * Writes the buckets (one more than bounds) and the sum. Bounds and sum are in units of which `unit` make one
 * unit of the metric.
 */
void exposition_histogram(
    struct exposition *exposition, const uint64_t *bounds, const uint64_t *buckets, size_t bound_count,
    uint64_t sum, uint64_t unit);

void exposition_end(struct exposition *exposition);

#endif
