/*
 * facts.h: facts that the thread that loads policies and certificates publishes for scrapes.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_FACTS_H
#define APPLYGUARD_WEBHOOK_REVIEW_FACTS_H

#include "policy/config/config.h"

#include <pthread.h>
#include <stdint.h>

struct facts {
    uint64_t loops_stuck;
    uint64_t policy_loads;
    uint64_t policy_failures;
    int64_t policy_loaded_at; /* seconds since 1970 UTC, as below */
    char policy_hash[sizeof(((struct policy *)0)->hash)];
    bool last_load_failed;
    char shadow_hash[sizeof(((struct policy *)0)->hash)]; /* empty: no shadow policy */
    bool last_shadow_load_failed;
    uint64_t overrides_expired;
    uint64_t certificate_loads;
    uint64_t certificate_failures;
    bool certificate_is_current;
    int64_t certificate_not_before;
    int64_t certificate_not_after;
    int64_t clock_ahead; /* seconds by which our clock is ahead of the API server's; 0 if unknown */
};

/* Written by one thread and read by others, rarely, so a lock is good enough. */
struct fact_board {
    pthread_mutex_t lock;
    struct facts facts;
};

static inline void facts_publish(struct fact_board *board, const struct facts *facts)
{
    pthread_mutex_lock(&board->lock);
    board->facts = *facts;
    pthread_mutex_unlock(&board->lock);
}

static inline struct facts facts_read(struct fact_board *board)
{
    pthread_mutex_lock(&board->lock);
    struct facts facts = board->facts;
    pthread_mutex_unlock(&board->lock);
    return facts;
}

#endif
