#include "system/clock.h"

#include "policy/judge.h"
#include "policy/verdict/overrides.h"
#include "webhook/server/server_state.h"

/* The policy's own address wins over the flag. */
static void set_rule_url(const struct server *server, struct policy *policy)
{
    if (!policy->rule_url.length && server->settings->rule_url)
        policy->rule_url = slice_of(server->settings->rule_url);
}

/* Takes over the policy. Returns NULL if memory runs out. */
static struct policy_reference *hold_new(const struct server *server, struct policy *policy)
{
    set_rule_url(server, policy);
    return policy_reference_create(policy, server->loop_count);
}

/* Takes over the reference. After a new policy, all expired overrides are reported again. */
static void keep_policy(struct server *server, struct policy_reference *reference)
{
    policy_reference_release(server->policy);
    server->policy = reference;
    memcpy(server->policy_hash, reference->policy->hash, sizeof(server->policy_hash));
    server->expiries_logged_until = INT64_MIN;
    server->server_facts.policy_loads++;
    server->server_facts.policy_loaded_at = calendar_seconds();
    server->server_facts.last_load_failed = false;
    memcpy(server->server_facts.policy_hash, server->policy_hash, sizeof(server->server_facts.policy_hash));
}

static void log_expired(
    struct server *server, const char *message, const char *key, size_t index, struct slice expires,
    struct slice reason)
{
    struct log_line line = log_start(&server->log, server->arena, LOG_WARNING, message);
    log_add_number(&line, key, index);
    log_add(&line, "expired", expires);
    if (reason.length)
        log_add(&line, "reason", reason);
    log_add_string(&line, "policy", server->policy_hash);
    log_end(&line);
    arena_reset(server->arena);
}

/* This many lines are enough for a log; `policy check` reports all problems. */
#define USELESS_PARTS_LOGGED 10

static void log_useless_part(struct server *server, const struct error *problem)
{
    struct log_line line =
        log_start(&server->log, server->arena, LOG_WARNING, "a part of the policy has no effect");
    log_add_number(&line, "line", problem->line);
    log_add_number(&line, "column", problem->column);
    log_add_string(&line, "reason", problem->message);
    log_add_string(&line, "policy", server->policy_hash);
    log_end(&line);
    arena_reset(server->arena);
}

/*
 * Reports the parts without effect of the policy that was loaded last. They are only logged: after an upgrade
 * that gives a part no effect, the webhook must still start.
 */
static void log_useless_parts(struct server *server)
{
    struct policy_problem items[USELESS_PARTS_LOGGED];
    struct policy_problems problems = {
        .items = items, .capacity = USELESS_PARTS_LOGGED, .least = POLICY_NO_EFFECT};
    policy_free(policy_check(secret_slice(&server->policy_file.content), &problems));
    for (size_t i = 0; i < problems.count; i++)
        log_useless_part(server, &items[i].error);
}

void server_policy_log_expired(struct server *server)
{
    int64_t now = calendar_seconds();
    bool is_new = server->expiries_logged_until == INT64_MIN;
    if (is_new && server->settings->policy_path)
        log_useless_parts(server);
    const struct policy *policy = server->policy->policy;
    int64_t since = server->expiries_logged_until;
    const struct override *override;
    for (size_t i = 0; (override = overrides_expiring(policy, since, now, &i)); i++)
        log_expired(
            server, "an override has expired and has no effect", "override", i, override->expires,
            override->reason);
    const struct scoped_waiver *waiver;
    for (size_t i = 0; (waiver = waivers_expiring(policy, since, now, &i)); i++)
        log_expired(
            server, "a scoped waiver has expired and has no effect", "waiver", i, waiver->expires,
            waiver->reason);
    server->expiries_logged_until = now;
}

int server_policy_load(struct server *server, struct error *error)
{
    struct policy *policy = NULL;
    if (!server->settings->policy_path)
        policy = policy_default();
    else if (policy_file_reload(&server->policy_file, true, &policy, error) != RELOAD_NEW)
        return -1;
    struct policy_reference *reference = policy ? hold_new(server, policy) : NULL;
    if (!reference)
        return error_set_out_of_memory(error);
    keep_policy(server, reference);
    return 0;
}

static void keep_old_policy(struct server *server, const char *reason)
{
    server->server_facts.policy_failures++;
    server->server_facts.last_load_failed = true;
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
    if (!reference) {
        policy_file_forget(&server->policy_file);
        keep_old_policy(server, "out of memory");
        return;
    }
    for (size_t i = 0; i < server->loop_count; i++)
        reviewer_send_policy(&server->loops[i], reference, i);
    keep_policy(server, reference);
    log_reloaded(server);
}

static void log_no_file(struct server *server)
{
    struct log_line line =
        log_start(&server->log, server->arena, LOG_WARNING, "there is no policy file to reload");
    log_add_string(&line, "policy", server->policy_hash);
    log_end(&line);
    arena_reset(server->arena);
}

void server_policy_reload(struct server *server, bool is_forced)
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
