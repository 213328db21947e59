#include "webhook/telemetry/exposition.h"

#include <inttypes.h>
#include <stdio.h>

enum type { COUNTER, GAUGE, HISTOGRAM };

static const struct {
    const char *name;
    enum type type;
    const char *help;
} metrics[METRIC_COUNT] = {
#define METRIC(symbol, type, name, help) [METRIC_##symbol] = {name, type, help},
#include "webhook/telemetry/metrics.def"
#undef METRIC
};

/* OpenMetrics names a counter without the suffix of its samples, Prometheus' own format with it. */
static void append_family(struct exposition *exposition, const char *what)
{
    enum metric metric = exposition->metric;
    text_append_all(&exposition->text, what, metrics[metric].name);
    if (metrics[metric].type == COUNTER && !exposition->is_open_metrics)
        text_append_string(&exposition->text, "_total");
    text_append_string(&exposition->text, " ");
}

void exposition_metric(struct exposition *exposition, enum metric metric)
{
    static const char *const types[] = {"counter\n", "gauge\n", "histogram\n"};
    exposition->metric = metric;
    append_family(exposition, "# HELP ");
    text_append_all(&exposition->text, metrics[metric].help, "\n");
    append_family(exposition, "# TYPE ");
    text_append_string(&exposition->text, types[metrics[metric].type]);
}

/* Writes a sample up to its value. */
static void append_name(struct exposition *exposition, const char *suffix, const char *labels)
{
    struct text *text = &exposition->text;
    text_append_all(text, metrics[exposition->metric].name, suffix);
    if (labels)
        text_append_all(text, "{", labels, "}");
    text_append_string(text, " ");
}

static const char *suffix_of(const struct exposition *exposition)
{
    return metrics[exposition->metric].type == COUNTER ? "_total" : "";
}

static void append_fraction(struct text *text, uint64_t value, uint64_t unit)
{
    char digits[48];
    if (unit == 1)
        snprintf(digits, sizeof(digits), "%" PRIu64, value);
    else
        snprintf(digits, sizeof(digits), "%" PRIu64 ".%06" PRIu64, value / unit, value % unit);
    text_append_string(text, digits);
}

void exposition_sample(struct exposition *exposition, const char *labels, uint64_t value)
{
    append_name(exposition, suffix_of(exposition), labels);
    text_append_all(&exposition->text, value, "\n");
}

void exposition_millionths(struct exposition *exposition, const char *labels, uint64_t value)
{
    append_name(exposition, suffix_of(exposition), labels);
    append_fraction(&exposition->text, value, 1000000);
    text_append_string(&exposition->text, "\n");
}

/* Bounds are written in their shortest form: 0.00005, 1.0, 1024.0. */
static void bound_label(char label[48], uint64_t bound, uint64_t unit)
{
    int length = unit == 1 ? snprintf(label, 48, "le=\"%" PRIu64 ".0", bound)
                           : snprintf(label, 48, "le=\"%" PRIu64 ".%06" PRIu64, bound / unit, bound % unit);
    while (label[length - 1] == '0' && label[length - 2] != '.')
        length--;
    label[length] = '"';
    label[length + 1] = 0;
}

void exposition_histogram(
    struct exposition *exposition, const uint64_t *bounds, const uint64_t *buckets, size_t bound_count,
    uint64_t sum, uint64_t unit)
{
    uint64_t count = 0;
    for (size_t i = 0; i <= bound_count; i++) {
        char label[48] = "le=\"+Inf\"";
        if (i < bound_count)
            bound_label(label, bounds[i], unit);
        count += buckets[i];
        append_name(exposition, "_bucket", label);
        text_append_all(&exposition->text, count, "\n");
    }
    append_name(exposition, "_sum", NULL);
    append_fraction(&exposition->text, sum, unit);
    text_append_string(&exposition->text, "\n");
    append_name(exposition, "_count", NULL);
    text_append_all(&exposition->text, count, "\n");
}

void exposition_end(struct exposition *exposition)
{
    if (exposition->is_open_metrics)
        text_append_string(&exposition->text, "# EOF\n");
}
