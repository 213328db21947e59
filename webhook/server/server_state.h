/*
 * server_state.h: the state that the server_*.c files share. Only they include it.
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
    struct policy_file shadow_file; /* its path is NULL without a shadow policy */
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
    struct policy_reference *shadow; /* NULL: none */
    uint64_t events_end;           /* monotonic milliseconds: how long a stop may wait for the last Events */
    int64_t expiries_logged_until; /* overrides that had expired by then have been logged */
    char policy_hash[sizeof(((struct policy *)0)->hash)];
    struct server_facts server_facts; /* this thread's copy; fact_board has the published one */
    struct server_fact_board server_fact_board;
};

/*
 * server_policy.c: loads the first policy, from the file or the built-in one. Returns -1 and sets the error
 * if it does not load.
 */
int server_policy_load(struct server *server, struct error *error);

/*
 * Reloads a changed file, or any file if `is_forced`. If it does not load, logs that and keeps the old
 * policy.
 */
void server_policy_reload(struct server *server, bool is_forced);

/*
 * Loads the first shadow policy, if there is to be one. Returns -1 and sets the error if it
 * does not load.
 */
int server_shadow_load(struct server *server, struct error *error);

/* As server_policy_reload. */
void server_shadow_reload(struct server *server, bool is_forced);

/* Logs the overrides that have expired since the last call, and parts of a new policy that have no effect. */
void server_policy_log_expired(struct server *server);

/* server_liveness.c: logs which loops have stopped iterating. */
void server_liveness_look(struct server *server);

/*
 * server_facts.c: updates the facts for scrapes. Call it regularly, because certificates and overrides
 * expire.
 */
void server_facts_publish(struct server *server);

/*
 * server_start.c: starts everything. After -1 with an error, call server_stop to end what has started.
 */
int server_start(struct server *server, struct error *error);

/*
 * server_stop.c: serves until all connections are closed or the grace period is over.
 */
void server_drain(struct server *server);

void server_stop(struct server *server);

#endif
