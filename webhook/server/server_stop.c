#include "policy/analysis/takeover_history.h"
#include "system/clock.h"
#include "webhook/api/events.h"
#include "webhook/api/lookups.h"
#include "webhook/server/drain.h"
#include "webhook/server/server_state.h"
#include "webhook/server/signals.h"
#include "webhook/telemetry/label_sets.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* The interval at which the end of a drain is checked. */
#define DRAIN_POLL_MS 20u

/* The loops listen on duplicates; the kernel stops accepting connections when the last one is closed. */
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

static void log_stopping(struct server *server, const struct drain_plan *plan)
{
    struct log_line line = log_start(&server->log, server->arena, LOG_INFO, "draining");
    log_add_number(&line, "delayMilliseconds", plan->closing);
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
 * Listeners close shortly after CLOSING begins and may accept connections until then, so an empty server
 * counts as drained only from the next check on.
 */
static bool is_drained(const struct server *server, enum stage stage, enum stage *last)
{
    bool settled = *last >= STAGE_CLOSING;
    *last = stage;
    return settled && connections_left(server) == 0;
}

void server_drain(struct server *server)
{
    const struct drain_plan plan =
        drain_plan(server->settings->drain_delay_ms, server->settings->grace_period_ms);
    uint64_t begin = monotonic_milliseconds();
    enum stage stage = STAGE_LAME_DUCK, last = STAGE_SERVING;
    enter_stage(server, stage);
    server->events_end = begin + plan.exit;
    log_stopping(server, &plan);
    while (stage < STAGE_STOP && !is_drained(server, stage, &last)) {
        int signal_number = signals_wait(DRAIN_POLL_MS);
        bool again = signal_number == SIGTERM || signal_number == SIGINT;
        stage = again ? STAGE_STOP : drain_stage(&plan, monotonic_milliseconds() - begin);
        enter_stage(server, stage);
    }
    log_stopped(server, connections_left(server), monotonic_milliseconds() - begin);
}

/*
 * Look-ups stop first: the loops answer the requests that wait for them. Events stop after the loops, which
 * record them.
 */
static void join_threads(struct server *server)
{
    lookups_stop(server->service.lookups);
    enter_stage(server, STAGE_STOP);
    for (size_t i = 0; i < server->loop_count; i++)
        loop_join(&server->loops[i]);
    loop_join(&server->metrics_loop);
    events_stop(server->service.events, server->events_end);
    api_worker_stop(server->api_worker);
}

static void release_policies(struct reviewer *reviewer)
{
    policy_reference_release(reviewer->policy);
    policy_reference_release(reviewer->shadow);
}

/* Nothing is freed before the last thread has ended: each thread may use memory of the others. */
void server_stop(struct server *server)
{
    join_threads(server);
    lookups_free(server->service.lookups);
    events_free(server->service.events);
    self_certificate_free(server->self_certificate);
    api_worker_free(server->api_worker);
    close_socket(&server->socket);
    close_socket(&server->metrics_socket);
    for (size_t i = 0; i < server->loop_count; i++)
        release_policies(&server->reviewers[i]);
    free(server->reviewers);
    free(server->loops);
    http_dispose(&server->config);
    http_dispose(&server->metrics_config);
    policy_reference_release(server->policy);
    policy_reference_release(server->shadow);
    policy_file_release(&server->policy_file);
    policy_file_release(&server->shadow_file);
    tls_free(server->tls);
    takeover_history_destroy(server->service.takeover_history);
    label_sets_destroy(server->service.label_sets);
    arena_destroy(server->arena);
    log_close(&server->log);
}
