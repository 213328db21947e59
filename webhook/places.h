/*
 * places.h: the kinds and namespaces that reviews are about, as labels of metrics.
 *
 * Whoever sends reviews chooses these names, and each is a series in somebody's Prometheus. So there is a
 * cap: what comes after so many places is "other", and so is what is no name by Kubernetes' rules, which no
 * API server sends. A place once found stays; finding one again takes no lock.
 */
#ifndef APPLYGUARD_WEBHOOK_PLACES_H
#define APPLYGUARD_WEBHOOK_PLACES_H

#include "policy/siphash.h"
#include "policy/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* Which of the names are told apart. */
struct place_labels {
    bool kind;
    bool namespace;
};

/* A DNS subdomain's length, and a kind's before it; names that are longer are none. */
#define PLACE_NAME_BYTES_MAX (253 + 1 + 63)
#define PLACE_LABELS_BYTES (2 * PLACE_NAME_BYTES_MAX + 48)

struct places;

/* Room for `limit` places besides "other". NULL if there is no memory. */
struct places *places_create(struct place_labels labels, size_t limit, struct siphash_seed seed);

/* Accepts NULL. After the last thread that uses it. */
void places_destroy(struct places *places);

/*
 * The number of the place, below places_count from now on; 0 is "other". `kind` is as in Deployment.apps,
 * `namespace` empty for what is in none. Any thread may call it.
 */
size_t places_find(struct places *places, struct slice kind, struct slice namespace);

/* How many there are so far, "other" included. */
size_t places_count(const struct places *places);

/*
 * A place's labels as in the text of metrics: object_kind="Deployment.apps",object_namespace="shop". It
 * stays. Prometheus itself calls the namespace that a pod runs in `namespace`.
 */
const char *place_labels_text(const struct places *places, size_t place);

#endif
