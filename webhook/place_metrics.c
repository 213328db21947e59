#include "webhook/place_metrics.h"

#include "webhook/places.h"

#include <stdio.h>

#define LABELS_BYTES (PLACE_LABELS_BYTES + 160)

/* Of the place, by all loops. */
static uint64_t reviews(const struct loop_shared *shared, size_t place, bool allowed)
{
    size_t count = atomic_load_explicit(&shared->loop_count, memory_order_acquire);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += counter_read(&shared->loops[i].place_counters[place].reviews[allowed]);
    return total;
}

static uint64_t findings(
    const struct loop_shared *shared, size_t place, enum rule_id rule, enum action action)
{
    size_t count = atomic_load_explicit(&shared->loop_count, memory_order_acquire);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += counter_read(&shared->loops[i].place_counters[place].findings[rule][action]);
    return total;
}

static void write_reviews(struct exposition *exposition, const struct loop_shared *shared, size_t place)
{
    char labels[LABELS_BYTES];
    for (size_t allowed = 0; allowed < 2; allowed++) {
        snprintf(
            labels, sizeof(labels), "%s,allowed=\"%s\"", place_labels_text(shared->places, place),
            allowed ? "true" : "false");
        exposition_sample(exposition, labels, reviews(shared, place, allowed));
    }
}

/* What a place never had is left out: most have a few of all rules. */
static void write_findings_of(
    struct exposition *exposition, const struct loop_shared *shared, size_t place, enum rule_id rule)
{
    char labels[LABELS_BYTES];
    for (enum action action = ACTION_AUDIT; action < ACTION_COUNT; action++) {
        uint64_t count = findings(shared, place, rule, action);
        if (!count)
            continue;
        snprintf(
            labels, sizeof(labels), "%s,rule=\"%s\",action=\"%s\"", place_labels_text(shared->places, place),
            rules[rule].name, action_name(action));
        exposition_sample(exposition, labels, count);
    }
}

void place_metrics_write(struct exposition *exposition, const struct loop_shared *shared)
{
    if (!shared->places)
        return;
    size_t count = places_count(shared->places);
    exposition_metric(exposition, METRIC_object_reviews);
    for (size_t place = 0; place < count; place++)
        write_reviews(exposition, shared, place);
    exposition_metric(exposition, METRIC_object_findings);
    for (size_t place = 0; place < count; place++)
        for (enum rule_id rule = 0; rule < RULE_COUNT; rule++)
            write_findings_of(exposition, shared, place, rule);
}
