#include "webhook/telemetry/label_set_metrics.h"

#include <stdio.h>

#define LABELS_BYTES (LABEL_SET_TEXT_BYTES + 160)

/* `label_set` is empty or ends with a comma. */
static void write_reviews(
    struct exposition *exposition, const char *label_set, const struct label_set_counters *counters)
{
    char labels[LABELS_BYTES];
    for (size_t allowed = 0; allowed < 2; allowed++) {
        snprintf(labels, sizeof(labels), "%sallowed=\"%s\"", label_set, allowed ? "true" : "false");
        exposition_sample(exposition, labels, counters->reviews[allowed]);
    }
}

static void visit_reviews(const char *labels, const struct label_set_counters *counters, void *exposition)
{
    char label_set[LABEL_SET_TEXT_BYTES + 1];
    snprintf(label_set, sizeof(label_set), "%s,", labels);
    write_reviews(exposition, label_set, counters);
}

/* Omits rules without findings: most label sets have findings of a few rules. */
static void visit_findings(const char *label_set, const struct label_set_counters *counters, void *exposition)
{
    char labels[LABELS_BYTES];
    for (enum rule_id rule = 0; rule < RULE_COUNT; rule++)
        for (size_t pair = 0; pair < ACTION_PAIR_COUNT; pair++) {
            if (!counters->findings[rule][pair])
                continue;
            snprintf(
                labels, sizeof(labels), "%s,rule=\"%s\",action=\"%s\",policy_action=\"%s\"", label_set,
                rules[rule].name, action_name(action_pairs[pair].action),
                action_name(action_pairs[pair].policy_action));
            exposition_sample(exposition, labels, counters->findings[rule][pair]);
        }
}

/* All of these samples are there from the beginning, so that a rate can begin. */
static void write_forgotten_findings(
    struct exposition *exposition, const struct label_set_counters *forgotten)
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

void label_set_metrics_write(struct exposition *exposition, struct label_sets *sets)
{
    if (!sets)
        return;
    exposition_metric(exposition, METRIC_object_reviews);
    label_sets_visit(sets, visit_reviews, exposition);
    exposition_metric(exposition, METRIC_object_findings);
    label_sets_visit(sets, visit_findings, exposition);
    const struct label_set_counters forgotten = label_sets_forgotten(sets);
    exposition_metric(exposition, METRIC_object_reviews_forgotten);
    write_reviews(exposition, "", &forgotten);
    exposition_metric(exposition, METRIC_object_findings_forgotten);
    write_forgotten_findings(exposition, &forgotten);
}
