/*
 * server_state.h: what the parts of a server share. Only they include it.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_SERVER_STATE_H
#define APPLYGUARD_WEBHOOK_SERVER_SERVER_STATE_H

#include "webhook/api/api_worker.h"
#include "webhook/api/self_certificate.h"
#include "webhook/http/http.h"
#include "webhook/http/loop_thread.h"
#include "webhook/review/reviewer.h"
#include "webhook/server/metrics.h"
#include "webhook/server/reload.h"
#include "webhook/server/settings.h"
#include "webhook/tls/certificate_watch.h"
#include "webhook/tls/tls.h"

struct server {
    const struct settings *settings;
    struct log log;
    struct arena *arena; /* for this thread's log lines */
    struct loop_shared shared;
    struct review_service service;
    struct metrics_sources metrics;
    struct tls *tls;
    struct certificate_watch certificate_watch;
    struct self_certificate *self_certificate; /* NULL: certificates come from files */
    struct api_worker *api_worker;             /* NULL: nothing needs the API server */
    struct policy_file policy_file;
    int socket;
    int metrics_socket; /* -1: none */
    struct http_config config;
    struct http_config metrics_config;
    struct loop *loops;
    struct reviewer *reviewers; /* one for each loop */
    size_t loop_count;
    struct loop metrics_loop;
    struct reviewer metrics_reviewer;
    struct policy_reference *policy;
    int64_t expiries_logged_until; /* overrides that had expired by then have been logged */
    char policy_hash[sizeof(((struct policy *)0)->hash)];
    struct facts facts; /* as this thread knows them; the board has what a scrape may know */
    struct fact_board fact_board;
};

/* server_policy.c: the policy in force. The first is read, or built in; -1 with an error if it is no policy.
 */
int server_policy_load(struct server *server, struct error *error);

/* Reads a file that has changed, or any if `is_forced`. What does not load is logged, and the old one stays.
 */
void server_policy_reload(struct server *server, bool is_forced);

/* Logs the overrides that have expired since the last call, and of a new policy what has no effect. */
void server_policy_log_expired(struct server *server);

/* server_liveness.c: logs which loops have stopped iterating. */
void server_liveness_look(struct server *server);

/* server_facts.c: for scrapes. Certificates and overrides expire while nothing happens. */
void server_facts_publish(struct server *server);

/* server_start.c: all that serves. After -1 with an error server_stop ends what has begun. */
int server_start(struct server *server, struct error *error);

/* server_stop.c: serves on until nobody is left, or the grace is over. */
void server_drain(struct server *server);

void server_stop(struct server *server);

#endif
