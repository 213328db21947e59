/*
 * counters.h: the counters of one loop for reviews. A scrape on another thread adds up the counters of all
 * loops.
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_COUNTERS_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_COUNTERS_H

#include "policy/review/review.h"
#include "policy/verdict/difference.h"
#include "policy/verdict/verdict.h"
#include "system/counter.h"
#include "webhook/telemetry/lookup_outcome.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The upper bounds of the buckets, in microseconds and bytes. After the last bound there is one more bucket.
 */
#define DURATION_BUCKETS 15
#define SIZE_BUCKETS 8
extern const uint64_t duration_bounds[DURATION_BUCKETS];
extern const uint64_t size_bounds[SIZE_BUCKETS];

#define OPERATION_COUNT 4

/* The classes of managers, and one more for findings that are not about a manager. */
#define CLASS_NONE (CLASS_BOOKKEEPING + 1)
#define COUNTED_CLASSES (CLASS_NONE + 1)

/* Why a request for a review got no verdict. */
enum refusal {
    REFUSAL_CONTENT_TYPE,  /* 415 */
    REFUSAL_UNREADABLE,    /* 400: not an AdmissionReview */
    REFUSAL_HTTP,          /* 400, 411: unclear length or head; counted in http_counters, as is the next */
    REFUSAL_TOO_LARGE,     /* 413 */
    REFUSAL_OUT_OF_MEMORY, /* 503 */
    REFUSAL_MEMORY_LIMIT,  /* 503; counted in http_counters, too */
    REFUSAL_SHUTTING_DOWN, /* 503 */
};
#define REFUSAL_COUNT 7

struct counters {
    counter reviews[OPERATION_COUNT][MODE_COUNT][2][2]; /* [allowed][dry run] */
    /* [action_pair_index][unattended][writer][previous owner] */
    counter findings[RULE_COUNT][ACTION_PAIR_COUNT][2][COUNTED_CLASSES][COUNTED_CLASSES];
    counter dropped[ACTION_COUNT]; /* findings beyond the number that one verdict can list */
    counter durations[DURATION_BUCKETS + 1];
    counter duration_sum; /* microseconds */
    counter sizes[SIZE_BUCKETS + 1];
    counter size_sum;
    counter refusals[REFUSAL_COUNT];
    counter lookups[LOOKUP_OUTCOME_COUNT];
    counter shadow_findings[RULE_COUNT][ACTION_PAIR_COUNT];
    counter shadow_reviews[DIFFERENCE_COUNT];
    counter shadow_failures;
};

/* Counts a judged review, the size of its body and the time that judging and encoding took. */
void count_review(
    struct counters *counters, const struct verdict *verdict, size_t bytes, uint64_t microseconds);

/* Counts the verdict of the shadow policy, and how it differs from that of the policy in force. */
void count_shadow(
    struct counters *counters, const struct verdict *shadow, enum verdict_difference difference);

/* Counts a review that could not be judged under the shadow policy for want of memory. */
static inline void count_shadow_failure(struct counters *counters)
{
    counter_add(&counters->shadow_failures, 1);
}

static inline void count_refusal(struct counters *counters, enum refusal refusal)
{
    counter_add(&counters->refusals[refusal], 1);
}

/* "content-type", "unreadable", "http", "too-large", "out-of-memory", "memory-limit", "shutting-down". */
const char *refusal_name(enum refusal refusal);

#endif
