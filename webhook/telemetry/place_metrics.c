#include "webhook/telemetry/place_metrics.h"

#include <stdio.h>

#define LABELS_BYTES (PLACE_LABELS_BYTES + 160)

/* `place` is empty or ends with a comma. */
static void write_reviews(
    struct exposition *exposition, const char *place, const struct place_counters *counters)
{
    char labels[LABELS_BYTES];
    for (size_t allowed = 0; allowed < 2; allowed++) {
        snprintf(labels, sizeof(labels), "%sallowed=\"%s\"", place, allowed ? "true" : "false");
        exposition_sample(exposition, labels, counters->reviews[allowed]);
    }
}

static void visit_reviews(const char *labels, const struct place_counters *counters, void *exposition)
{
    char place[PLACE_LABELS_BYTES + 1];
    snprintf(place, sizeof(place), "%s,", labels);
    write_reviews(exposition, place, counters);
}

/* What a place never had is left out: most have a few of all rules. */
static void visit_findings(const char *place, const struct place_counters *counters, void *exposition)
{
    char labels[LABELS_BYTES];
    for (enum rule_id rule = 0; rule < RULE_COUNT; rule++)
        for (size_t pair = 0; pair < ACTION_PAIR_COUNT; pair++) {
            if (!counters->findings[rule][pair])
                continue;
            snprintf(
                labels, sizeof(labels), "%s,rule=\"%s\",action=\"%s\",policy_action=\"%s\"", place,
                rules[rule].name, action_name(action_pairs[pair].action),
                action_name(action_pairs[pair].policy_action));
            exposition_sample(exposition, labels, counters->findings[rule][pair]);
        }
}

/* All are there from the beginning, so that a rate can begin. */
static void write_forgotten_findings(struct exposition *exposition, const struct place_counters *forgotten)
{
    char labels[LABELS_BYTES];
    for (size_t pair = 0; pair < ACTION_PAIR_COUNT; pair++) {
        uint64_t count = 0;
        for (enum rule_id rule = 0; rule < RULE_COUNT; rule++)
            count += forgotten->findings[rule][pair];
        snprintf(
            labels, sizeof(labels), "action=\"%s\",policy_action=\"%s\"",
            action_name(action_pairs[pair].action), action_name(action_pairs[pair].policy_action));
        exposition_sample(exposition, labels, count);
    }
}

void place_metrics_write(struct exposition *exposition, struct places *places)
{
    if (!places)
        return;
    exposition_metric(exposition, METRIC_object_reviews);
    places_visit(places, visit_reviews, exposition);
    exposition_metric(exposition, METRIC_object_findings);
    places_visit(places, visit_findings, exposition);
    const struct place_counters forgotten = places_forgotten(places);
    exposition_metric(exposition, METRIC_object_reviews_forgotten);
    write_reviews(exposition, "", &forgotten);
    exposition_metric(exposition, METRIC_object_findings_forgotten);
    write_forgotten_findings(exposition, &forgotten);
}
