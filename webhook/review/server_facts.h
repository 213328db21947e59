/*
 * server_facts.h: facts that the thread that loads policies and certificates publishes for scrapes.
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_SERVER_FACTS_H
#define APPLYGUARD_WEBHOOK_REVIEW_SERVER_FACTS_H

#include "policy/config/config.h"

#include <pthread.h>
#include <stdint.h>

struct server_facts {
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
struct server_fact_board {
    pthread_mutex_t lock;
    struct server_facts server_facts;
};

static inline void server_fact_board_publish(
    struct server_fact_board *board, const struct server_facts *server_facts)
{
    pthread_mutex_lock(&board->lock);
    board->server_facts = *server_facts;
    pthread_mutex_unlock(&board->lock);
}

static inline struct server_facts server_fact_board_read(struct server_fact_board *board)
{
    pthread_mutex_lock(&board->lock);
    struct server_facts server_facts = board->server_facts;
    pthread_mutex_unlock(&board->lock);
    return server_facts;
}

#endif
