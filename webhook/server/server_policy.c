#include "system/clock.h"

#include "policy/judge.h"
#include "policy/verdict/overrides.h"
#include "webhook/server/server_state.h"

/* The policy in force, or the shadow policy: where it comes from, and who gets it. */
struct served_policy {
    struct policy_file *file;
    const char *path;
    struct policy_reference **held;
    char *hash;
    bool *has_failed;
    void (*send)(struct loop *loop, struct policy_reference *reference, size_t index);
    const char *reloaded, *kept; /* the messages of the log */
};

static struct served_policy policy_in_force(struct server *server)
{
    return (struct served_policy){
        .file = &server->policy_file,
        .path = server->settings->policy_path,
        .held = &server->policy,
        .hash = server->policy_hash,
        .has_failed = &server->server_facts.last_load_failed,
        .send = reviewer_send_policy,
        .reloaded = "policy reloaded",
        .kept = "policy not reloaded, the old one stays",
    };
}

static struct served_policy shadow_policy(struct server *server)
{
    return (struct served_policy){
        .file = &server->shadow_file,
        .path = server->settings->shadow_policy_path,
        .held = &server->shadow,
        .hash = server->server_facts.shadow_hash,
        .has_failed = &server->server_facts.last_shadow_load_failed,
        .send = reviewer_send_shadow,
        .reloaded = "shadow policy reloaded",
        .kept = "shadow policy not reloaded, the old one stays",
    };
}

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

/* Takes over the reference. */
static void keep(const struct served_policy *served, struct policy_reference *reference)
{
    policy_reference_release(*served->held);
    *served->held = reference;
    *served->has_failed = false;
    memcpy(served->hash, reference->policy->hash, sizeof(reference->policy->hash));
}

static int load(const struct server *server, const struct served_policy *served, struct error *error)
{
    struct policy *policy = NULL;
    if (!served->path)
        policy = policy_default();
    else if (policy_file_reload(served->file, true, &policy, error) != RELOAD_NEW)
        return -1;
    struct policy_reference *reference = policy ? hold_new(server, policy) : NULL;
    if (!reference)
        return error_set_out_of_memory(error);
    keep(served, reference);
    return 0;
}

static void log_load(
    struct server *server, const struct served_policy *served, enum log_level level, const char *message,
    const char *key, const char *value)
{
    struct log_line line = log_start(&server->log, server->arena, level, message);
    if (key)
        log_add_string(&line, key, value);
    log_add_string(&line, "policy", served->hash);
    log_end(&line);
    arena_reset(server->arena);
}

static enum reload_result give_to_loops(
    struct server *server, const struct served_policy *served, struct policy *policy)
{
    struct policy_reference *reference = hold_new(server, policy);
    if (!reference) {
        policy_file_forget(served->file);
        return RELOAD_FAILED;
    }
    for (size_t i = 0; i < server->loop_count; i++)
        served->send(&server->loops[i], reference, i);
    keep(served, reference);
    log_load(server, served, LOG_INFO, served->reloaded, "file", served->path);
    return RELOAD_NEW;
}

static enum reload_result reload(struct server *server, const struct served_policy *served, bool is_forced)
{
    struct policy *policy = NULL;
    struct error error;
    error_set_out_of_memory(&error);
    enum reload_result result = policy_file_reload(served->file, is_forced, &policy, &error);
    if (result == RELOAD_NEW)
        result = give_to_loops(server, served, policy);
    if (result == RELOAD_FAILED) {
        *served->has_failed = true;
        log_load(server, served, LOG_ERROR, served->kept, "reason", error.message);
    }
    return result;
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

/* After a new policy, all expired overrides are reported again. */
static void note_load(struct server *server)
{
    server->expiries_logged_until = INT64_MIN;
    server->server_facts.policy_loads++;
    server->server_facts.policy_loaded_at = calendar_seconds();
    memcpy(server->server_facts.policy_hash, server->policy_hash, sizeof(server->server_facts.policy_hash));
}

int server_policy_load(struct server *server, struct error *error)
{
    const struct served_policy served = policy_in_force(server);
    if (load(server, &served, error) < 0)
        return -1;
    note_load(server);
    return 0;
}

void server_policy_reload(struct server *server, bool is_forced)
{
    const struct served_policy served = policy_in_force(server);
    if (is_forced && !served.path) {
        log_load(server, &served, LOG_WARNING, "there is no policy file to reload", NULL, NULL);
        return;
    }
    enum reload_result result = reload(server, &served, is_forced);
    if (result == RELOAD_NEW)
        note_load(server);
    server->server_facts.policy_failures += result == RELOAD_FAILED;
}

int server_shadow_load(struct server *server, struct error *error)
{
    const struct served_policy served = shadow_policy(server);
    return served.path ? load(server, &served, error) : 0;
}

void server_shadow_reload(struct server *server, bool is_forced)
{
    const struct served_policy served = shadow_policy(server);
    reload(server, &served, is_forced);
}
