/*
 * reviewer.h: the state of one loop for reviews and probes.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_REVIEWER_H
#define APPLYGUARD_WEBHOOK_REVIEW_REVIEWER_H

#include "webhook/http/http.h"
#include "webhook/http/loop.h"
#include "webhook/review/policy_reference.h"
#include "webhook/review/server_facts.h"
#include "webhook/telemetry/counters.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct takeover_history;
struct events;
struct lookups;
struct metrics_sources;
struct label_sets;

/* Data that all reviewers share. */
struct review_service {
    /* Shared, because the requests of both sides of a fight may reach different loops. NULL: none is kept. */
    struct takeover_history *takeover_history;
    struct server_fact_board *server_facts;
    const atomic_bool
        *is_trusted; /* whether API servers trust the certificate; NULL: the certificate comes from files */
    struct label_sets *label_sets;         /* NULL: no counters by kind and namespace */
    struct lookups *lookups;               /* NULL: scales are not judged */
    struct events *events;                 /* NULL: no Events are recorded */
    const struct metrics_sources *metrics; /* only for the handler of /metrics */
};

/*
 * The `data` of one loop. Only the loop's own thread uses it, except for the counters, which any thread may
 * read.
 */
struct reviewer {
    const struct review_service *service;
    struct policy_reference *policy; /* NULL for a loop that judges nothing */
    struct policy_reference *shadow; /* judged without effect; NULL: none */
    struct counters counters;
    uint64_t lookup_reported_at; /* monotonic milliseconds */
};

static inline struct reviewer *reviewer_of(const struct http_request *request)
{
    return request->loop->data;
}

/* Sends the loop's reviewer a new policy. Call it once for each loop, with that loop's `index`. */
void reviewer_send_policy(struct loop *loop, struct policy_reference *policy, size_t index);

/* The same with a new shadow policy. */
void reviewer_send_shadow(struct loop *loop, struct policy_reference *shadow, size_t index);

#endif
