#include "webhook/telemetry/counters.h"

#include "policy/review/ownership.h"

/* From the duration of a small review to the longest timeout that a webhook may have. */
const uint64_t duration_bounds[DURATION_BUCKETS] = {
    50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 500000, 1000000, 2500000, 10000000};

/* From 1 KiB in steps of four to the largest body that can be allowed. */
const uint64_t size_bounds[SIZE_BUCKETS] = {1 << 10, 1 << 12, 1 << 14, 1 << 16,
                                            1 << 18, 1 << 20, 1 << 22, 1 << 24};

static size_t bucket_of(const uint64_t *bounds, size_t count, uint64_t value)
{
    size_t bucket = 0;
    while (bucket < count && value > bounds[bucket])
        bucket++;
    return bucket;
}

static size_t class_of(const struct review *review, const struct manager *manager)
{
    const struct managed_fields *sides[] = {&review->ownership.before, &review->ownership.after};
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side]->count; i++)
            if (manager_equal(&sides[side]->entries[i].manager, manager))
                return ownership_class(&review->ownership, &sides[side]->entries[i]);
    return CLASS_NONE;
}

/* All previous owners in one finding have the same action, so mostly the same class: count the first one. */
static void count_finding(
    struct counters *counters, const struct verdict *verdict, const struct finding *finding)
{
    const struct review *review = verdict->review;
    size_t pair = action_pair_index(finding->action, finding->policy_action);
    size_t writer = CLASS_NONE, previous_owner = CLASS_NONE;
    if (finding->has_writer && finding->writer.name.length)
        writer = class_of(review, &finding->writer);
    if (finding->previous_owner_count)
        previous_owner = class_of(review, &finding->previous_owners[0]);
    counter_add(&counters->findings[finding->rule][pair][verdict->unattended][writer][previous_owner], 1);
}

void count_review(
    struct counters *counters, const struct verdict *verdict, size_t bytes, uint64_t microseconds)
{
    const struct review *review = verdict->review;
    counter_add(&counters->reviews[review->operation][verdict->mode][verdict->allowed][review->dry_run], 1);
    counter_add(&counters->durations[bucket_of(duration_bounds, DURATION_BUCKETS, microseconds)], 1);
    counter_add(&counters->duration_sum, microseconds);
    counter_add(&counters->sizes[bucket_of(size_bounds, SIZE_BUCKETS, bytes)], 1);
    counter_add(&counters->size_sum, bytes);
    for (size_t i = 0; i < verdict->finding_count; i++)
        count_finding(counters, verdict, &verdict->findings[i]);
    for (enum action action = ACTION_AUDIT; action < ACTION_COUNT; action++)
        counter_add(&counters->dropped[action], verdict->dropped[action]);
}

void count_shadow(struct counters *counters, const struct verdict *shadow, enum verdict_difference difference)
{
    counter_add(&counters->shadow_reviews[difference], 1);
    for (size_t i = 0; i < shadow->finding_count; i++) {
        const struct finding *finding = &shadow->findings[i];
        size_t pair = action_pair_index(finding->action, finding->policy_action);
        counter_add(&counters->shadow_findings[finding->rule][pair], 1);
    }
}

const char *refusal_name(enum refusal refusal)
{
    static const char *const names[REFUSAL_COUNT] = {
        "content-type", "unreadable", "http", "too-large", "out-of-memory", "memory-limit", "shutting-down"};
    return names[refusal];
}
