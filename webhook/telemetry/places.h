/*
 * places.h: what was counted of each kind and namespace that reviews are about, for metrics.
 *
 * Whoever sends reviews chooses these names, and each is a series in somebody's Prometheus. So there is a
 * cap. Beyond it the place that was counted least recently gives way to a new one, and what was counted of it
 * goes to those that are forgotten; but only so often, or names without end would still fill a Prometheus,
 * which keeps the series that end. What finds no place is "other", and so is what is no name by Kubernetes'
 * rules, which no API server sends. One lock is held for each count, and for all of a scrape.
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_PLACES_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_PLACES_H

#include "base/siphash.h"
#include "base/slice.h"
#include "policy/action.h"
#include "policy/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct verdict;

/* Which of the names are told apart. */
struct place_labels {
    bool kind;
    bool namespace;
};

/* A DNS subdomain's length, and a kind's before it; names that are longer are none. */
#define PLACE_NAME_BYTES_MAX (253 + 1 + 63)
#define PLACE_LABELS_BYTES (2 * PLACE_NAME_BYTES_MAX + 48)

/*
 * How many places may give way at once, and how long it takes until one more may: over a day, some 24,000
 * names at most.
 */
#define PLACE_RENEWALS_MAX 1000u
#define PLACE_RENEWAL_MS 3600u

struct place_counters {
    uint64_t reviews[2];                              /* [allowed] */
    uint64_t findings[RULE_COUNT][ACTION_PAIR_COUNT]; /* [action_pair_index] */
};

/* What one place takes, with its labels and its bucket. */
#define PLACE_BYTES_MAX (sizeof(struct place_counters) + PLACE_LABELS_BYTES + 128)

struct places;

/* Room for `limit` places besides "other". NULL if there is no memory. */
struct places *places_create(struct place_labels labels, size_t limit, struct siphash_seed seed);

/* Accepts NULL. After the last thread that uses it. */
void places_destroy(struct places *places);

/* Counts a review for its place, at `now` in monotonic milliseconds. Any thread may call it. */
void places_count(struct places *places, const struct verdict *verdict, uint64_t now);

/*
 * Takes each place, "other" first. Its labels are as in the text of metrics:
 * object_kind="Deployment.apps",object_namespace="shop". Prometheus itself calls the namespace that a pod
 * runs in `namespace`.
 */
typedef void place_visitor(const char *labels, const struct place_counters *counters, void *data);

/* Any thread may call it; those that count wait meanwhile. */
void places_visit(struct places *places, place_visitor *visit, void *data);

/* What was counted of all places that have given way. */
struct place_counters places_forgotten(struct places *places);

#endif
