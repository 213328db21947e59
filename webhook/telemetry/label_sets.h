/*
 * label_sets.h: counters of reviews and findings by kind and namespace, for metrics.
 *
 * Senders of reviews choose these names, and each pair becomes series in Prometheus, so their number has a
 * cap. At the cap a new label set replaces the one that was counted least recently, and the counters of that
 * one are added to a sum. Replacements have a rate limit, because Prometheus keeps series that have ended. A
 * review that gets no label set is counted as "other". So is a review with names that Kubernetes does not
 * allow; API servers send none. One lock is held for each count, and during a whole scrape.
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_LABEL_SETS_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_LABEL_SETS_H

#include "base/siphash.h"
#include "base/slice.h"
#include "policy/action.h"
#include "policy/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct verdict;

/* Which names are labels. */
struct label_names {
    bool kind;
    bool namespace;
};

/* A kind (63 bytes), a dot and a DNS subdomain (253 bytes). Kubernetes does not allow longer names. */
#define LABEL_VALUE_BYTES_MAX (253 + 1 + 63)
#define LABEL_SET_TEXT_BYTES (2 * LABEL_VALUE_BYTES_MAX + 48)

/*
 * How many label sets may be replaced at once, and the interval at which one more may be: some 24,000 a day
 * at most.
 */
#define LABEL_SET_RENEWALS_MAX 1000u
#define LABEL_SET_RENEWAL_MS 3600u

struct label_set_counters {
    uint64_t reviews[2];                              /* [allowed] */
    uint64_t findings[RULE_COUNT][ACTION_PAIR_COUNT]; /* [action_pair_index] */
};

/* The memory of one label set, with its labels and its bucket. */
#define LABEL_SET_BYTES_MAX (sizeof(struct label_set_counters) + LABEL_SET_TEXT_BYTES + 128)

struct label_sets;

/* Makes room for `limit` label sets and for "other". Returns NULL if memory runs out. */
struct label_sets *label_sets_create(struct label_names names, size_t limit, struct siphash_seed seed);

/* Accepts NULL. No thread may use it any more. */
void label_sets_destroy(struct label_sets *sets);

/* Counts a review in its label set, at `now` in monotonic milliseconds. Thread-safe. */
void label_sets_count(struct label_sets *sets, const struct verdict *verdict, uint64_t now);

/*
 * Called for each label set, "other" first. `labels` is as in the text of metrics:
 * object_kind="Deployment.apps",object_namespace="shop". (`namespace` would clash with the label that
 * Prometheus itself sets: the namespace of the pod.)
 */
typedef void label_set_visitor(const char *labels, const struct label_set_counters *counters, void *data);

/* Thread-safe; counting waits meanwhile. */
void label_sets_visit(struct label_sets *sets, label_set_visitor *visit, void *data);

/* The sum of the counters of all label sets that were replaced. */
struct label_set_counters label_sets_forgotten(struct label_sets *sets);

#endif
