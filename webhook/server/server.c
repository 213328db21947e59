#include "webhook/server/server.h"

#include "certs/memory.h"
#include "webhook/http/http.h"
#include "webhook/server/routes.h"
#include "webhook/server/server_state.h"
#include "webhook/server/signals.h"
#include "webhook/tls/handshake_memory.h"

#include <malloc.h>
#include <signal.h>
#include <unistd.h>

/*
 * Large reviews take tens of MiB for a short time. With fixed thresholds (glibc raises its own after a large
 * block was freed), that memory returns to the system, so the resident memory stays flat. H2O must not move
 * large buffers to files in /tmp, because a read-only file system has none.
 */
bool server_set_up_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_HEAP_BYTES);
    http_keep_buffers_in_memory();
    return memory_protect() && handshake_memory_open();
}

static void look_at_certificate(struct server *server, bool is_forced)
{
    enum credentials_result result = certificate_watch_look(&server->certificate_watch, is_forced);
    server->server_facts.certificate_loads += result == CREDENTIALS_NEW;
    server->server_facts.certificate_failures += result == CREDENTIALS_FAILED;
}

/* This many connections of one loop may leave 8 MiB in its heap. */
#define CROWD 128

static bool crowds_have_gone(struct server *server)
{
    bool have_gone = false;
    for (size_t i = 0; i < server->loop_count; i++)
        have_gone |= connections_have_gone(&server->loops[i].connections, CROWD);
    return have_gone;
}

/* Bodies of some hundred KiB, and many connections, leave free memory in the heaps of the loops. */
static void give_memory_back(struct server *server)
{
    bool has_calmed = budget_has_calmed(&server->shared.budget);
    if (crowds_have_gone(server) || has_calmed)
        malloc_trim(0);
}

static void serve(struct server *server)
{
    for (;;) {
        server_policy_log_expired(server);
        server_liveness_look(server);
        server_facts_publish(server);
        give_memory_back(server);
        int signal_number = signals_wait(RELOAD_INTERVAL_MS);
        if (signal_number == SIGTERM || signal_number == SIGINT)
            return;
        server_policy_reload(server, signal_number == SIGHUP);
        server_shadow_reload(server, signal_number == SIGHUP);
        look_at_certificate(server, signal_number == SIGHUP);
    }
}

int server_run(const struct settings *settings, struct error *error)
{
    struct server server = {.settings = settings, .socket = -1, .metrics_socket = -1};
    pthread_mutex_init(&server.server_fact_board.lock, NULL);
    server.shared.log = &server.log;
    server.service.server_facts = &server.server_fact_board;
    server.service.metrics = &server.metrics;
    signals_configure();
    log_open(&server.log, STDERR_FILENO, settings->log_format);
    policy_file_init(&server.policy_file, settings->policy_path, "--policy");
    policy_file_init(&server.shadow_file, settings->shadow_policy_path, "--shadow-policy");
    http_configure(&server.config, webhook_routes, webhook_route_count, settings->max_body_bytes);
    http_configure(&server.metrics_config, plain_routes, plain_route_count, METRICS_MAX_BODY_BYTES);
    int result = server_start(&server, error);
    if (result == 0) {
        serve(&server);
        server_drain(&server);
    }
    server_stop(&server);
    return result;
}
