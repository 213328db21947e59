#include "webhook/server.h"

#include "certs/memory.h"
#include "policy/contests.h"
#include "policy/overrides.h"
#include "webhook/address.h"
#include "webhook/api_client.h"
#include "webhook/certificate_watch.h"
#include "webhook/clock.h"
#include "webhook/events.h"
#include "webhook/gate.h"
#include "webhook/lookups.h"
#include "webhook/loop.h"
#include "webhook/places.h"
#include "webhook/reload.h"
#include "webhook/resources.h"
#include "webhook/routes.h"
#include "webhook/self_certificate.h"
#include "webhook/startup_pages.h"
#include "webhook/tls.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

/* How often the thread that waits for signals looks whether a drain is over. */
#define DRAIN_POLL_MS 20u

struct server {
    const struct settings *settings;
    struct log log;
    struct arena *arena; /* for this thread's log lines */
    struct loop_shared shared;
    struct tls *tls;
    struct certificate_watch certificate_watch;
    struct self_certificate *self_certificate; /* NULL: certificates come from files */
    struct policy_file policy_file;
    int socket;
    int metrics_socket; /* -1: none */
    h2o_globalconf_t config;
    h2o_globalconf_t metrics_config;
    struct loop *loops;
    size_t loop_count;
    struct loop metrics_loop;
    struct policy_reference *policy;
    int64_t expiries_told_until; /* overrides that had expired by then have been logged */
    char policy_hash[sizeof(((struct policy *)0)->hash)];
    struct facts facts; /* as this thread knows them; the board has what a scrape may know */
    struct fact_board fact_board;
};

/*
 * The process
 */

/*
 * Large reviews take tens of MiB for a moment. With fixed thresholds (glibc raises its own once a large block
 * was freed) that memory goes back to the system, so what is resident stays flat. And H2O must not move large
 * buffers to files in /tmp, which a read-only file system does not have.
 */
static void memory_configure(void)
{
    memory_protect();
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
    mallopt(M_TRIM_THRESHOLD, LARGE_BLOCK_BYTES);
    h2o_socket_buffer_mmap_settings.threshold = SIZE_MAX;
}

static sigset_t handled_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    return set;
}

/* Blocked before any thread starts, so that they come only to sigtimedwait here. */
static void signals_configure(void)
{
    sigset_t set = handled_signals();
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/*
 * The policy
 */

static struct policy_reference *hold_new(struct server *server, struct policy *policy)
{
    struct policy_reference *reference = policy_reference_create(policy);
    if (!reference) {
        policy_free(policy);
        return NULL;
    }
    memcpy(server->policy_hash, policy->hash, sizeof(server->policy_hash));
    return reference;
}

/* Takes the reference over. Expired overrides of a new policy are all news. */
static void keep_policy(struct server *server, struct policy_reference *reference)
{
    policy_reference_release(server->policy);
    server->policy = reference;
    server->expiries_told_until = INT64_MIN;
    server->facts.policy_loads++;
    server->facts.policy_loaded_at = calendar_seconds();
    server->facts.last_load_failed = false;
    memcpy(server->facts.policy_hash, server->policy_hash, sizeof(server->facts.policy_hash));
}

static void log_expired(struct server *server, const struct override *override, size_t index)
{
    struct log_line line =
        log_start(&server->log, server->arena, LOG_WARNING, "an override has expired and has no effect");
    log_add_number(&line, "override", index);
    log_add(&line, "expired", override->expires);
    if (override->reason.length)
        log_add(&line, "reason", override->reason);
    log_add_string(&line, "policy", server->policy_hash);
    log_end(&line);
    arena_reset(server->arena);
}

static void tell_expired(struct server *server)
{
    int64_t now = calendar_seconds();
    const struct policy *policy = server->policy->policy;
    const struct override *override;
    for (size_t i = 0; (override = overrides_expiring(policy, server->expiries_told_until, now, &i)); i++)
        log_expired(server, override, i);
    server->expiries_told_until = now;
}

static uint64_t expired_overrides(const struct policy *policy, int64_t now)
{
    uint64_t count = 0;
    for (size_t i = 0; overrides_expiring(policy, INT64_MIN, now, &i); i++)
        count++;
    return count;
}

static void publish_self_certificate(struct server *server)
{
    struct self_certificate_counts counts = self_certificate_count(server->self_certificate);
    server->facts.certificate_loads = counts.pairs;
    server->facts.certificate_failures = counts.failures;
    server->facts.certificate_is_current = counts.is_well;
}

/* For scrapes. Certificates and overrides expire while nothing happens. */
static void publish_facts(struct server *server)
{
    int64_t now = calendar_seconds();
    server->facts.overrides_expired = expired_overrides(server->policy->policy, now);
    struct validity validity = tls_validity(server->tls);
    server->facts.certificate_not_before = validity.not_before;
    server->facts.certificate_not_after = validity.not_after;
    server->facts.certificate_is_current = tls_is_current(server->tls);
    if (server->self_certificate)
        publish_self_certificate(server);
    facts_publish(&server->fact_board, &server->facts);
}

static struct policy_reference *first_policy(struct server *server, struct error *error)
{
    struct policy *policy = NULL;
    if (!server->settings->policy_path)
        policy = policy_default();
    else if (policy_file_reload(&server->policy_file, true, &policy, error) != RELOAD_NEW)
        return NULL;
    struct policy_reference *reference = policy ? hold_new(server, policy) : NULL;
    if (!reference)
        error_set(error, "out of memory");
    return reference;
}

static void keep_old_policy(struct server *server, const char *reason)
{
    server->facts.policy_failures++;
    server->facts.last_load_failed = true;
    struct log_line line =
        log_start(&server->log, server->arena, LOG_ERROR, "policy not reloaded, the old one stays");
    log_add_string(&line, "reason", reason);
    log_add_string(&line, "policy", server->policy_hash);
    log_end(&line);
    arena_reset(server->arena);
}

static void log_reloaded(struct server *server)
{
    struct log_line line = log_start(&server->log, server->arena, LOG_INFO, "policy reloaded");
    log_add_string(&line, "file", server->settings->policy_path);
    log_add_string(&line, "policy", server->policy_hash);
    log_end(&line);
    arena_reset(server->arena);
}

static void give_to_loops(struct server *server, struct policy *policy)
{
    struct policy_reference *reference = hold_new(server, policy);
    bool complete = reference != NULL;
    for (size_t i = 0; complete && i < server->loop_count; i++)
        complete = loop_send_policy(&server->loops[i], reference) == 0;
    if (complete) {
        keep_policy(server, reference);
        log_reloaded(server);
    } else {
        policy_reference_release(reference);
        keep_old_policy(server, "out of memory");
    }
}

static void log_no_file(struct server *server)
{
    struct log_line line =
        log_start(&server->log, server->arena, LOG_WARNING, "there is no policy file to reload");
    log_add_string(&line, "policy", server->policy_hash);
    log_end(&line);
    arena_reset(server->arena);
}

static void reload(struct server *server, bool is_forced)
{
    if (is_forced && !server->settings->policy_path) {
        log_no_file(server);
        return;
    }
    struct policy *policy = NULL;
    struct error error = {0};
    switch (policy_file_reload(&server->policy_file, is_forced, &policy, &error)) {
    case RELOAD_UNCHANGED:
        return;
    case RELOAD_NEW:
        give_to_loops(server, policy);
        return;
    case RELOAD_FAILED:
        keep_old_policy(server, error.message);
        return;
    }
}

/*
 * Start
 */

static void log_listening(struct server *server, size_t max_connections)
{
    char address[ADDRESS_TEXT_BYTES];
    struct log_line line = log_start(&server->log, server->arena, LOG_INFO, "listening");
    address_print(server->socket, address);
    log_add_string(&line, "address", address);
    if (server->metrics_socket >= 0) {
        address_print(server->metrics_socket, address);
        log_add_string(&line, "metricsAddress", address);
    }
    log_add_string(&line, "policy", server->policy_hash);
    if (server->settings->policy_path)
        log_add_string(&line, "policyFile", server->settings->policy_path);
    log_add_number(&line, "threads", server->loop_count);
    log_add_number(&line, "maxConnections", max_connections);
    if (server->shared.budget.limit)
        log_add_number(&line, "memoryLimit", server->shared.budget.limit);
    log_end(&line);
    arena_reset(server->arena);
}

static int open_sockets(struct server *server, struct error *error)
{
    const struct settings *settings = server->settings;
    server->socket = address_listen("--listen", settings->listen, error);
    if (server->socket < 0)
        return -1;
    if (!*settings->metrics_listen)
        return 0;
    server->metrics_socket = address_listen("--metrics-listen", settings->metrics_listen, error);
    return server->metrics_socket < 0 ? -1 : 0;
}

/* One more than places: for "other". */
static int create_place_counters(const struct server *server, struct loop *loop)
{
    if (!server->shared.places)
        return 0;
    loop->place_counters =
        calloc((size_t)server->settings->metrics_places_max + 1, sizeof(*loop->place_counters));
    return loop->place_counters ? 0 : -1;
}

/* Every loop gets an equal part of the connections, so none has to ask the others. */
static int start_loops(
    struct server *server, size_t max_connections, struct policy_reference *policy, struct error *error)
{
    size_t count = server->loop_count;
    if (server->shared.budget.limit)
        SSL_CTX_set_msg_callback(tls_context(server->tls), gate_on_record);
    for (size_t i = 0; i < count; i++) {
        struct loop *loop = &server->loops[i];
        loop->shared = &server->shared;
        loop->config = &server->config;
        loop->tls = tls_context(server->tls);
        loop->listening_socket = server->socket;
        loop->max_connections = max_connections / count + (i < max_connections % count);
        loop->shares_connections = true;
        if (create_place_counters(server, loop) != 0)
            return error_set(error, "out of memory");
        if (loop_start(loop, policy, error) != 0)
            return -1;
    }
    server->shared.loops = server->loops;
    atomic_store_explicit(&server->shared.loop_count, count, memory_order_release);
    return 0;
}

static int start_metrics_loop(struct server *server, struct error *error)
{
    struct loop *loop = &server->metrics_loop;
    if (server->metrics_socket < 0)
        return 0;
    loop->shared = &server->shared;
    loop->config = &server->metrics_config;
    loop->listening_socket = server->metrics_socket;
    loop->max_connections = METRICS_MAX_CONNECTIONS;
    loop->evicts_idle =
        true; /* or whoever holds them all would keep the kubelet out, and have the pod killed */
    loop->serves_until_stop = true;
    return loop_start(loop, NULL, error);
}

static int start_all(struct server *server, size_t max_connections, struct error *error)
{
    struct policy_reference *policy = first_policy(server, error);
    if (!policy)
        return -1;
    keep_policy(server, policy);
    publish_facts(server);
    int result = start_loops(server, max_connections, policy, error);
    return result == 0 ? start_metrics_loop(server, error) : result;
}

/* Both stay through reloads of the policy. */
static int create_memories(struct server *server)
{
    const struct settings *settings = server->settings;
    struct siphash_seed seed;
    if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
        return -1;
    server->shared.contests = contests_create(seed);
    if (!server->shared.contests)
        return -1;
    if (!settings->metrics_labels.kind && !settings->metrics_labels.namespace)
        return 0;
    server->shared.places = places_create(settings->metrics_labels, settings->metrics_places_max, seed);
    return server->shared.places ? 0 : -1;
}

/* A container too small to keep to its limit is no reason not to serve. */
static void log_unlimited(struct server *server, const char *reason)
{
    struct log_line line =
        log_start(&server->log, server->arena, LOG_WARNING, "memory is not kept to the container's limit");
    log_add_string(&line, "reason", reason);
    log_end(&line);
    arena_reset(server->arena);
}

static int start_lookups(struct server *server, struct error *error)
{
    if (!server->settings->looks_up)
        return 0;
    struct error problem = {0};
    struct kube_client *client = api_client_connect(server->settings->kubeconfig_path, &problem);
    server->shared.lookups = client ? lookups_start(client, &problem) : NULL;
    return server->shared.lookups ? 0 : error_set(error, "--lookup: %s", problem.message);
}

static int start_events(struct server *server, struct error *error)
{
    struct siphash_seed seed;
    struct error problem = {0};
    if (!server->settings->records_events)
        return 0;
    if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
        return error_set(error, "--events: there are no random numbers");
    struct kube_client *client = api_client_connect(server->settings->kubeconfig_path, &problem);
    server->shared.events = client ? events_start(client, seed, &server->log, &problem) : NULL;
    return server->shared.events ? 0 : error_set(error, "--events: %s", problem.message);
}

static int start_self_certificate(struct server *server, struct error *error)
{
    const struct settings *settings = server->settings;
    if (!settings->issuer.secret)
        return 0;
    server->self_certificate = self_certificate_start(settings, server->tls, &server->log, error);
    server->shared.self_certificate = server->self_certificate;
    return server->self_certificate ? 0 : -1;
}

static int server_start(struct server *server, struct error *error)
{
    const struct settings *settings = server->settings;
    struct resources resources;
    server->tls = tls_create(settings, error);
    if (!server->tls || open_sockets(server, error) != 0)
        return -1;
    server->facts.certificate_loads = settings->tls_cert_path != NULL;
    server->shared.handshakes = tls_handshakes(server->tls);
    server->arena = arena_create();
    if (!server->arena)
        return error_set(error, "out of memory");
    if (resources_plan(settings, &resources, &server->shared.budget, error) != 0)
        return -1;
    if (*resources.too_small.message)
        log_unlimited(server, resources.too_small.message);
    server->loops = calloc(resources.threads, sizeof(*server->loops));
    if (!server->loops || create_memories(server) != 0)
        return error_set(error, "out of memory");
    server->loop_count = resources.threads;
    if (start_self_certificate(server, error) != 0 || start_lookups(server, error) != 0 ||
        start_events(server, error) != 0 || start_all(server, resources.connections, error) != 0)
        return -1;
    log_listening(server, resources.connections);
    server->certificate_watch = certificate_watch_start(server->tls, settings, &server->log, server->arena);
    startup_pages_release();
    return 0;
}

/*
 * Until the signal, and from there to the end
 */

/* 0: none came within the time. */
static int wait_for_signal(uint32_t milliseconds)
{
    sigset_t set = handled_signals();
    struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    int signal_number = sigtimedwait(&set, NULL, &time);
    return signal_number > 0 ? signal_number : 0;
}

static void look_at_certificate(struct server *server, bool is_forced)
{
    enum credentials_result result = certificate_watch_look(&server->certificate_watch, is_forced);
    server->facts.certificate_loads += result == CREDENTIALS_NEW;
    server->facts.certificate_failures += result == CREDENTIALS_FAILED;
}

static void serve(struct server *server)
{
    for (;;) {
        tell_expired(server);
        publish_facts(server);
        if (budget_has_calmed(&server->shared.budget))
            malloc_trim(0); /* what many bodies of some hundred KiB left behind in the heaps of the loops */
        int signal_number = wait_for_signal(RELOAD_INTERVAL_MS);
        if (signal_number == SIGTERM || signal_number == SIGINT)
            return;
        reload(server, signal_number == SIGHUP);
        look_at_certificate(server, signal_number == SIGHUP);
    }
}

/* The loops listen on duplicates; only with the last of all the kernel stops taking connections. */
static void close_socket(int *socket)
{
    if (*socket >= 0)
        close(*socket);
    *socket = -1;
}

static void enter_stage(struct server *server, enum stage stage)
{
    if (atomic_load_explicit(&server->shared.stage, memory_order_relaxed) == stage)
        return;
    if (stage >= STAGE_CLOSING)
        close_socket(&server->socket);
    atomic_store_explicit(&server->shared.stage, stage, memory_order_release);
    for (size_t i = 0; i < server->loop_count; i++)
        loop_wake(&server->loops[i]);
    loop_wake(&server->metrics_loop);
}

static size_t connections_left(const struct server *server)
{
    size_t count = 0;
    for (size_t i = 0; i < server->loop_count; i++)
        count += connections_count(&server->loops[i].connections);
    return count;
}

static void log_stopping(struct server *server)
{
    struct log_line line = log_start(&server->log, server->arena, LOG_INFO, "draining");
    log_add_number(&line, "delayMilliseconds", server->settings->drain_delay_ms);
    log_add_number(&line, "graceMilliseconds", server->settings->grace_period_ms);
    log_add_number(&line, "connections", connections_left(server));
    log_end(&line);
    arena_reset(server->arena);
}

static void log_stopped(struct server *server, size_t cut, uint64_t milliseconds)
{
    struct log_line line = log_start(&server->log, server->arena, LOG_INFO, "stopped");
    log_add_number(&line, "afterMilliseconds", milliseconds);
    log_add_number(&line, "connectionsCut", cut);
    log_end(&line);
    arena_reset(server->arena);
}

/*
 * Listeners close some moments after CLOSING begins and may still take connections until then, so that there
 * are no connections counts only from the next look on.
 */
static bool is_drained(const struct server *server, enum stage stage, enum stage *last)
{
    bool settled = *last >= STAGE_CLOSING;
    *last = stage;
    return settled && connections_left(server) == 0;
}

static void drain(struct server *server)
{
    const struct drain_plan plan =
        drain_plan(server->settings->drain_delay_ms, server->settings->grace_period_ms);
    uint64_t begin = monotonic_milliseconds();
    enum stage stage = STAGE_LAME_DUCK, last = STAGE_SERVING;
    enter_stage(server, stage);
    log_stopping(server);
    while (stage < STAGE_STOP && !is_drained(server, stage, &last)) {
        int signal_number = wait_for_signal(DRAIN_POLL_MS);
        bool again = signal_number == SIGTERM || signal_number == SIGINT;
        stage = again ? STAGE_STOP : drain_stage(&plan, monotonic_milliseconds() - begin);
        enter_stage(server, stage);
    }
    log_stopped(server, connections_left(server), monotonic_milliseconds() - begin);
}

/* Lookups first: what they are done with they send to the loops. Events after the loops, which tell them. */
static void server_stop(struct server *server)
{
    lookups_stop(server->shared.lookups);
    enter_stage(server, STAGE_STOP);
    for (size_t i = 0; i < server->loop_count; i++)
        loop_join(&server->loops[i]);
    loop_join(&server->metrics_loop);
    events_stop(server->shared.events);
    self_certificate_stop(server->self_certificate);
    close_socket(&server->socket);
    close_socket(&server->metrics_socket);
    for (size_t i = 0; i < server->loop_count; i++)
        free(server->loops[i].place_counters);
    free(server->loops);
    h2o_config_dispose(&server->config);
    h2o_config_dispose(&server->metrics_config);
    policy_reference_release(server->policy);
    policy_file_release(&server->policy_file);
    tls_free(server->tls);
    contests_destroy(server->shared.contests);
    places_destroy(server->shared.places);
    arena_destroy(server->arena);
    log_close(&server->log);
}

int server_run(const struct settings *settings, struct error *error)
{
    struct server server = {.settings = settings, .socket = -1, .metrics_socket = -1};
    pthread_mutex_init(&server.fact_board.lock, NULL);
    server.shared.log = &server.log;
    server.shared.facts = &server.fact_board;
    server.shared.version = settings->version;
    memory_configure();
    signals_configure();
    log_open(&server.log, STDERR_FILENO, settings->log_format);
    policy_file_init(&server.policy_file, settings->policy_path);
    http_configure(&server.config, webhook_routes, webhook_route_count, settings->max_body_bytes);
    http_configure(&server.metrics_config, plain_routes, plain_route_count, METRICS_MAX_BODY_BYTES);
    int result = server_start(&server, error);
    if (result == 0) {
        serve(&server);
        drain(&server);
    }
    server_stop(&server);
    return result;
}
