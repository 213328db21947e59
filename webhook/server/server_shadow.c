#include "webhook/server/server_state.h"

static void keep_shadow(struct server *server, struct policy_reference *reference)
{
    policy_reference_release(server->shadow);
    server->shadow = reference;
    server->server_facts.last_shadow_load_failed = false;
    memcpy(
        server->server_facts.shadow_hash, reference->policy->hash, sizeof(server->server_facts.shadow_hash));
}

int server_shadow_load(struct server *server, struct error *error)
{
    struct policy *policy = NULL;
    if (!server->settings->shadow_policy_path)
        return 0;
    if (policy_file_reload(&server->shadow_file, true, &policy, error) != RELOAD_NEW)
        return -1;
    struct policy_reference *reference = policy_reference_create(policy, server->loop_count);
    if (!reference)
        return error_set_out_of_memory(error);
    keep_shadow(server, reference);
    return 0;
}

static void keep_old_shadow(struct server *server, const char *reason)
{
    server->server_facts.last_shadow_load_failed = true;
    struct log_line line =
        log_start(&server->log, server->arena, LOG_ERROR, "shadow policy not reloaded, the old one stays");
    log_add_string(&line, "reason", reason);
    log_add_string(&line, "policy", server->server_facts.shadow_hash);
    log_end(&line);
    arena_reset(server->arena);
}

static void give_to_loops(struct server *server, struct policy *policy)
{
    struct policy_reference *reference = policy_reference_create(policy, server->loop_count);
    if (!reference) {
        policy_file_forget(&server->shadow_file);
        keep_old_shadow(server, "out of memory");
        return;
    }
    for (size_t i = 0; i < server->loop_count; i++)
        reviewer_send_shadow(&server->loops[i], reference, i);
    keep_shadow(server, reference);
    struct log_line line = log_start(&server->log, server->arena, LOG_INFO, "shadow policy reloaded");
    log_add_string(&line, "file", server->settings->shadow_policy_path);
    log_add_string(&line, "policy", server->server_facts.shadow_hash);
    log_end(&line);
    arena_reset(server->arena);
}

void server_shadow_reload(struct server *server, bool is_forced)
{
    struct policy *policy = NULL;
    struct error error = {0};
    switch (policy_file_reload(&server->shadow_file, is_forced, &policy, &error)) {
    case RELOAD_UNCHANGED:
        return;
    case RELOAD_NEW:
        give_to_loops(server, policy);
        return;
    case RELOAD_FAILED:
        keep_old_shadow(server, error.message);
        return;
    }
}
