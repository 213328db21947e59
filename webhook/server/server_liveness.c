#include "system/clock.h"
#include "webhook/server/server_state.h"

static void log_change(struct server *server, size_t loop, bool is_stuck)
{
    struct log_line line = log_start(
        &server->log, server->arena, is_stuck ? LOG_ERROR : LOG_INFO,
        is_stuck ? "a serving loop is stuck" : "a serving loop runs again");
    log_add_number(&line, "loop", loop);
    log_end(&line);
    arena_reset(server->arena);
}

void server_liveness_look(struct server *server)
{
    uint64_t now = monotonic_milliseconds();
    uint64_t stuck = 0;
    for (size_t i = 0; i < server->loop_count; i++) {
        struct loop *loop = &server->loops[i];
        bool was_stuck = heartbeat_is_stuck(&loop->heartbeat);
        heartbeat_look(&loop->heartbeat, counter_read(&loop->beats), now);
        bool is_stuck = heartbeat_is_stuck(&loop->heartbeat);
        if (is_stuck != was_stuck)
            log_change(server, i, is_stuck);
        stuck += is_stuck;
    }
    server->server_facts.loops_stuck = stuck;
}
