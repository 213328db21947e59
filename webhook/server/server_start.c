#include "kube/api_client.h"
#include "policy/analysis/takeover_history.h"
#include "webhook/api/events.h"
#include "webhook/api/lookups.h"
#include "webhook/http/gate.h"
#include "webhook/http/limits.h"
#include "webhook/server/address.h"
#include "webhook/server/cgroup.h"
#include "webhook/server/drain.h"
#include "webhook/server/resources.h"
#include "webhook/server/server_state.h"
#include "webhook/telemetry/label_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>

static void log_listening(struct server *server, const struct resources *resources)
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
    if (server->shadow)
        log_add_string(&line, "shadowPolicy", server->server_facts.shadow_hash);
    log_add_number(&line, "threads", server->loop_count);
    log_add_number(&line, "maxConnections", resources->connections);
    if (server->shared.budget.limit)
        log_add_number(&line, "memoryLimit", server->shared.budget.limit);
    if (resources->is_limit_unknown)
        log_add_string(&line, "containerMemoryLimit", "cannot be read in " CGROUP_ROOT);
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

/* Every loop gets an equal part of the connections, so loops need no synchronization for them. */
static int start_loops(struct server *server, size_t max_connections, struct error *error)
{
    size_t count = server->loop_count;
    SSL_CTX_set_msg_callback(tls_context(server->tls), gate_on_record);
    for (size_t i = 0; i < count; i++) {
        struct loop *loop = &server->loops[i];
        loop->shared = &server->shared;
        loop->config = &server->config;
        loop->tls = tls_context(server->tls);
        loop->listening_socket = server->socket;
        loop->max_connections = max_connections / count + (i < max_connections % count);
        loop->silence_ms = SILENT_LIMIT_MS;
        loop->shares_connections = true;
        snprintf(loop->thread_name, sizeof(loop->thread_name), "loop-%zu", i);
        loop->data = &server->reviewers[i];
        server->reviewers[i].service = &server->service;
        server->reviewers[i].policy = policy_reference_hold(server->policy);
        if (server->shadow)
            server->reviewers[i].shadow = policy_reference_hold(server->shadow);
        if (loop_start(loop, error) != 0)
            return -1;
    }
    server->shared.loops = server->loops;
    atomic_store_explicit(&server->shared.loop_count, count, memory_order_release);
    return 0;
}

/* The kernel's buffer is small: no budget covers the data that waits there while the loop is busy. */
static void limit_receive_buffer(int socket)
{
    const int bytes = METRICS_RECEIVE_BUFFER_BYTES;
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

static int start_metrics_loop(struct server *server, struct error *error)
{
    struct loop *loop = &server->metrics_loop;
    if (server->metrics_socket < 0)
        return 0;
    limit_receive_buffer(server->metrics_socket);
    loop->shared = &server->shared;
    loop->config = &server->metrics_config;
    loop->listening_socket = server->metrics_socket;
    loop->max_connections = METRICS_MAX_CONNECTIONS;
    loop->silence_ms = 0; /* no limit: a client that holds all connections would keep the kubelet out, and the
                             pod would be killed */
    loop->max_input_bytes = METRICS_MAX_INPUT_BYTES;
    loop->serves_until_stop = true;
    snprintf(loop->thread_name, sizeof(loop->thread_name), "metrics");
    loop->data = &server->metrics_reviewer;
    server->metrics_reviewer.service = &server->service;
    return loop_start(loop, error);
}

static int start_all(struct server *server, size_t max_connections, struct error *error)
{
    if (server_policy_load(server, error) != 0 || server_shadow_load(server, error) != 0)
        return -1;
    server_facts_publish(server);
    if (start_loops(server, max_connections, error) != 0)
        return -1;
    return start_metrics_loop(server, error);
}

static bool draw_seed(struct siphash_seed *seed)
{
    return getrandom(seed, sizeof(*seed), 0) == sizeof(*seed);
}

/* Both outlive reloads of the policy. */
static int create_memories(struct server *server)
{
    const struct settings *settings = server->settings;
    struct siphash_seed seed;
    if (!draw_seed(&seed))
        return -1;
    server->service.takeover_history = takeover_history_create(seed);
    if (!server->service.takeover_history)
        return -1;
    if (!settings->metrics_labels.kind && !settings->metrics_labels.namespace)
        return 0;
    server->service.label_sets =
        label_sets_create(settings->metrics_labels, settings->metrics_labels_max, seed);
    return server->service.label_sets ? 0 : -1;
}

/* A server whose container is too small for a limit still serves. */
static void log_unlimited(struct server *server, const char *reason)
{
    struct log_line line = log_start(
        &server->log, server->arena, LOG_WARNING, "the container's memory limit is too low to enforce");
    log_add_string(&line, "reason", reason);
    log_end(&line);
    arena_reset(server->arena);
}

static int create_events(struct server *server, struct error *error)
{
    struct siphash_seed seed;
    if (!draw_seed(&seed))
        return error_set(error, "there are no random numbers");
    server->service.events = events_create(server->api_worker, seed, &server->log, error);
    return server->service.events ? 0 : -1;
}

static int create_self_certificate(struct server *server, struct error *error)
{
    server->self_certificate = self_certificate_create(
        server->api_worker, &server->settings->issuer, server->tls, &server->log, error);
    if (!server->self_certificate)
        return -1;
    server->service.is_trusted = self_certificate_readiness(server->self_certificate);
    return 0;
}

static int start_worker(struct server *server, struct error *error)
{
    const struct settings *settings = server->settings;
    struct kube_client *client = api_client_connect(settings->kubeconfig_path, error);
    server->api_worker = client ? api_worker_create(client, error) : NULL;
    if (!server->api_worker)
        return -1;
    if (settings->issuer.secret && create_self_certificate(server, error) != 0)
        return -1;
    if (settings->looks_up && !(server->service.lookups = lookups_create(server->api_worker, error)))
        return -1;
    if (settings->records_events && create_events(server, error) != 0)
        return -1;
    return api_worker_start(server->api_worker, error);
}

/* A flag that needs the API server; returns NULL if none does. */
static const char *api_flag(const struct settings *settings)
{
    if (settings->issuer.secret)
        return "--certs-secret";
    if (settings->looks_up)
        return "--lookup";
    return settings->records_events ? "--events" : NULL;
}

/* An error names the flag that asks for the API calls. */
static int start_api_calls(struct server *server, struct error *error)
{
    struct error problem = {0};
    const char *flag = api_flag(server->settings);
    if (!flag || start_worker(server, &problem) == 0)
        return 0;
    return error_set(error, "%s: %s", flag, problem.message);
}

/* Events are recorded under the server's own name, so warn if every client can cause them. */
static void log_open_events(struct server *server)
{
    if (!server->settings->records_events || server->settings->tls.client_ca_path)
        return;
    struct log_line line = log_start(
        &server->log, server->arena, LOG_WARNING,
        "every client that reaches the port can have Events recorded about any object");
    log_add_string(&line, "advice", "let only API servers in: --client-ca, or a NetworkPolicy");
    log_end(&line);
    arena_reset(server->arena);
}

static void log_short_drain(struct server *server)
{
    const struct settings *settings = server->settings;
    const struct drain_plan plan = drain_plan(settings->drain_delay_ms, settings->grace_period_ms);
    if (plan.closing == settings->drain_delay_ms)
        return;
    struct log_line line = log_start(
        &server->log, server->arena, LOG_WARNING, "the drain delay does not fit into the grace period");
    log_add_number(&line, "delayMilliseconds", settings->drain_delay_ms);
    log_add_number(&line, "shortenedToMilliseconds", plan.closing);
    log_add_number(&line, "graceMilliseconds", settings->grace_period_ms);
    log_end(&line);
    arena_reset(server->arena);
}

static void log_idle_flags(struct server *server)
{
    struct idle_flag flags[IDLE_FLAGS_MAX];
    size_t count = settings_idle_flags(server->settings, flags);
    for (size_t i = 0; i < count; i++) {
        struct log_line line =
            log_start(&server->log, server->arena, LOG_WARNING, "a flag has no effect without another");
        log_add_string(&line, "flag", flags[i].name);
        log_add_string(&line, "lacks", flags[i].lacks);
        log_end(&line);
        arena_reset(server->arena);
    }
}

int server_start(struct server *server, struct error *error)
{
    const struct settings *settings = server->settings;
    struct resources resources;
    server->tls = tls_create(&settings->tls, error);
    if (!server->tls || open_sockets(server, error) != 0)
        return -1;
    server->server_facts.certificate_loads = settings->tls.cert_path != NULL;
    server->arena = arena_create();
    if (!server->arena)
        return error_set_out_of_memory(error);
    if (resources_plan(settings, &resources, &server->shared.budget, error) != 0)
        return -1;
    if (*resources.too_small.message)
        log_unlimited(server, resources.too_small.message);
    server->loops = calloc(resources.threads, sizeof(*server->loops));
    server->reviewers = calloc(resources.threads, sizeof(*server->reviewers));
    if (!server->loops || !server->reviewers || create_memories(server) != 0)
        return error_set_out_of_memory(error);
    server->loop_count = resources.threads;
    server->metrics = (struct metrics_sources){
        .http = &server->shared,
        .reviewers = server->reviewers,
        .service = &server->service,
        .handshakes = tls_handshakes(server->tls),
        .version = settings->version,
    };
    if (start_api_calls(server, error) != 0 || start_all(server, resources.connections, error) != 0)
        return -1;
    log_listening(server, &resources);
    log_open_events(server);
    log_short_drain(server);
    log_idle_flags(server);
    server->certificate_watch =
        certificate_watch_start(server->tls, &settings->tls, &server->log, server->arena);
    return 0;
}
