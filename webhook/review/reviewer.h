/*
 * reviewer.h: what judges the reviews of one loop, and answers its probes.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_REVIEWER_H
#define APPLYGUARD_WEBHOOK_REVIEW_REVIEWER_H

#include "webhook/http/http.h"
#include "webhook/http/loop.h"
#include "webhook/review/facts.h"
#include "webhook/review/policy_reference.h"
#include "webhook/telemetry/counters.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct takeover_history;
struct events;
struct lookups;
struct metrics_sources;
struct label_sets;

/* What all reviewers see. */
struct review_service {
    /* One for all: the API server's connections are spread over the loops, and the two sides of a fight with
     * them. NULL: nothing is remembered. */
    struct takeover_history *takeover_history;
    struct fact_board *facts;
    const atomic_bool *is_trusted; /* whether API servers trust the certificate; NULL: it comes from files */
    struct label_sets *label_sets; /* NULL: kinds and namespaces are not told apart */
    struct lookups *lookups;       /* NULL: nothing is looked up, and scales are not judged */
    struct events *events;         /* NULL: none are told */
    const struct metrics_sources *metrics; /* of the handler of /metrics alone */
};

/* Of one loop, whose `data` it is. But for the counters, which any thread may read, of the loop's own thread.
 */
struct reviewer {
    const struct review_service *service;
    struct policy_reference *policy; /* NULL for a loop that judges nothing */
    struct counters counters;
    uint64_t lookup_reported_at; /* monotonic milliseconds */
};

static inline struct reviewer *reviewer_of(const struct http_request *request)
{
    return request->loop->data;
}

/* Sends the loop's reviewer another policy to hold, once. It is the `index`th that the policy is made for. */
void reviewer_send_policy(struct loop *loop, struct policy_reference *policy, size_t index);

#endif
