#include "webhook/server/metrics.h"

#include "base/find.h"
#include "webhook/api/events.h"
#include "webhook/telemetry/exposition.h"
#include "webhook/telemetry/label_set_metrics.h"
#include "webhook/telemetry/process.h"

#include <stdio.h>
#include <stdlib.h>

#define LABELS_BYTES 224

/* Each connection's share of memory covers an answer up to this size. */
#define SMALL_ANSWER_BYTES ((size_t)64 << 10)

/*
 * The sum of one counter over all loops: `first` is the counter of the first loop, and `size` the distance in
 * bytes to the next.
 */
static uint64_t sum(const struct loop_shared *shared, const counter *first, size_t size)
{
    size_t count = atomic_load_explicit(&shared->loop_count, memory_order_acquire);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += counter_read((const counter *)((const char *)first + i * size));
    return total;
}

#define SUM(sources, member)                                                                                 \
    sum((sources)->http, &(sources)->reviewers->counters.member, sizeof(*(sources)->reviewers))
#define SUM_HTTP(sources, member)                                                                            \
    sum((sources)->http, &(sources)->http->loops->counters.member, sizeof(*(sources)->http->loops))

static void write_reviews(struct exposition *exposition, const struct metrics_sources *sources)
{
    char labels[LABELS_BYTES];
    exposition_metric(exposition, METRIC_reviews);
    for (size_t cell = 0; cell < (size_t)OPERATION_COUNT * MODE_COUNT * 2 * 2; cell++) {
        enum operation operation = (enum operation)(cell / ((size_t)MODE_COUNT * 4));
        enum mode mode = (enum mode)(cell / 4 % MODE_COUNT);
        size_t allowed = cell / 2 % 2, dry_run = cell % 2;
        snprintf(
            labels, sizeof(labels), "operation=\"%s\",mode=\"%s\",allowed=\"%s\",dry_run=\"%s\"",
            operation_name(operation), mode_name(mode), allowed ? "true" : "false",
            dry_run ? "true" : "false");
        exposition_sample(exposition, labels, SUM(sources, reviews[operation][mode][allowed][dry_run]));
    }
}

static const char *class_name(size_t class)
{
    return class == CLASS_NONE ? "none" : manager_class_name((enum manager_class) class);
}

/* Labels that all findings of one rule and one pair of actions share. */
struct findings_of {
    enum rule_id rule;
    size_t pair; /* of action_pairs */
    size_t unattended;
};

/*
 * Omits classes that never occurred. The sample without any class is always there, so that a rate can begin.
 */
static void write_findings_of(
    struct exposition *exposition, const struct metrics_sources *sources, const struct findings_of *of)
{
    char labels[LABELS_BYTES];
    for (size_t cell = 0; cell < (size_t)COUNTED_CLASSES * COUNTED_CLASSES; cell++) {
        size_t writer = cell / COUNTED_CLASSES, previous_owner = cell % COUNTED_CLASSES;
        uint64_t count = SUM(sources, findings[of->rule][of->pair][of->unattended][writer][previous_owner]);
        if (!count && (writer != CLASS_NONE || previous_owner != CLASS_NONE))
            continue;
        snprintf(
            labels, sizeof(labels),
            "rule=\"%s\",action=\"%s\",policy_action=\"%s\",unattended=\"%s\",taker=\"%s\",loser=\"%s\"",
            rules[of->rule].name, action_name(action_pairs[of->pair].action),
            action_name(action_pairs[of->pair].policy_action), of->unattended ? "true" : "false",
            class_name(writer), class_name(previous_owner));
        exposition_sample(exposition, labels, count);
    }
}

/* The program chooses the names of labels and values, so they need no escaping. */
static void write_labelled(struct exposition *exposition, const char *label, const char *name, uint64_t value)
{
    char labels[LABELS_BYTES];
    snprintf(labels, sizeof(labels), "%s=\"%s\"", label, name);
    exposition_sample(exposition, labels, value);
}

static void write_findings(struct exposition *exposition, const struct metrics_sources *sources)
{
    exposition_metric(exposition, METRIC_findings);
    for (enum rule_id rule = 0; rule < RULE_COUNT; rule++) {
        if (rules[rule].scope != SCOPE_REVIEW)
            continue;
        for (size_t cell = 0; cell < (size_t)ACTION_PAIR_COUNT * 2; cell++)
            write_findings_of(
                exposition, sources,
                &(struct findings_of){.rule = rule, .pair = cell / 2, .unattended = cell % 2});
    }
    exposition_metric(exposition, METRIC_findings_dropped);
    for (enum action action = ACTION_AUDIT; action < ACTION_COUNT; action++) {
        write_labelled(exposition, "action", action_name(action), SUM(sources, dropped[action]));
    }
}

/* Without a shadow policy there are no samples. */
static void write_shadow(struct exposition *exposition, const struct metrics_sources *sources)
{
    char labels[LABELS_BYTES];
    bool is_there = server_fact_board_read(sources->service->server_facts).shadow_hash[0];
    exposition_metric(exposition, METRIC_shadow_findings);
    for (int cell = 0; is_there && cell < RULE_COUNT * ACTION_PAIR_COUNT; cell++) {
        int rule = cell / ACTION_PAIR_COUNT, pair = cell % ACTION_PAIR_COUNT;
        if (rules[rule].scope != SCOPE_REVIEW)
            continue;
        snprintf(
            labels, sizeof(labels), "rule=\"%s\",action=\"%s\",policy_action=\"%s\"", rules[rule].name,
            action_name(action_pairs[pair].action), action_name(action_pairs[pair].policy_action));
        exposition_sample(exposition, labels, SUM(sources, shadow_findings[rule][pair]));
    }
    exposition_metric(exposition, METRIC_shadow_reviews);
    for (int i = 0; is_there && i < DIFFERENCE_COUNT; i++)
        write_labelled(
            exposition, "difference", verdict_difference_name((enum verdict_difference)i),
            SUM(sources, shadow_reviews[i]));
    exposition_metric(exposition, METRIC_shadow_failures);
    if (is_there)
        exposition_sample(exposition, NULL, SUM(sources, shadow_failures));
}

static void write_histograms(struct exposition *exposition, const struct metrics_sources *sources)
{
    uint64_t buckets[DURATION_BUCKETS + 1];
    for (size_t i = 0; i <= DURATION_BUCKETS; i++)
        buckets[i] = SUM(sources, durations[i]);
    exposition_metric(exposition, METRIC_review_duration);
    exposition_histogram(
        exposition, duration_bounds, buckets, DURATION_BUCKETS, SUM(sources, duration_sum), 1000000);
    for (size_t i = 0; i <= SIZE_BUCKETS; i++)
        buckets[i] = SUM(sources, sizes[i]);
    exposition_metric(exposition, METRIC_review_size);
    exposition_histogram(exposition, size_bounds, buckets, SIZE_BUCKETS, SUM(sources, size_sum), 1);
}

static uint64_t refusals_of(const struct metrics_sources *sources, enum refusal refusal)
{
    switch (refusal) {
    case REFUSAL_HTTP:
        return SUM_HTTP(sources, malformed);
    case REFUSAL_TOO_LARGE:
        return SUM_HTTP(sources, too_large);
    case REFUSAL_MEMORY_LIMIT:
        return SUM_HTTP(sources, refused);
    default:
        return SUM(sources, refusals[refusal]);
    }
}

static void write_refusals(struct exposition *exposition, const struct metrics_sources *sources)
{
    exposition_metric(exposition, METRIC_refusals);
    for (enum refusal refusal = 0; refusal < REFUSAL_COUNT; refusal++) {
        write_labelled(exposition, "reason", refusal_name(refusal), refusals_of(sources, refusal));
    }
}

static void write_lookups(struct exposition *exposition, const struct metrics_sources *sources)
{
    exposition_metric(exposition, METRIC_lookups);
    for (enum lookup_outcome outcome = 0; outcome < LOOKUP_OUTCOME_COUNT; outcome++) {
        write_labelled(exposition, "outcome", lookup_outcome_name(outcome), SUM(sources, lookups[outcome]));
    }
}

static void write_events(struct exposition *exposition, const struct events *events)
{
    exposition_metric(exposition, METRIC_events);
    for (enum event_outcome outcome = 0; outcome < EVENT_OUTCOME_COUNT; outcome++) {
        write_labelled(exposition, "outcome", event_outcome_name(outcome), events_count(events, outcome));
    }
}

static void write_one(struct exposition *exposition, enum metric metric, const char *labels, uint64_t value)
{
    exposition_metric(exposition, metric);
    exposition_sample(exposition, labels, value);
}

/* Omits the sample before there is a certificate: a 0 would mean that it expired in 1970. */
static void write_moment(struct exposition *exposition, enum metric metric, int64_t seconds)
{
    exposition_metric(exposition, metric);
    if (seconds > 0)
        exposition_sample(exposition, NULL, (uint64_t)seconds);
}

static void write_certificate(struct exposition *exposition, const struct server_facts *server_facts)
{
    write_moment(exposition, METRIC_certificate_start, server_facts->certificate_not_before);
    write_moment(exposition, METRIC_certificate_expiry, server_facts->certificate_not_after);
    write_one(exposition, METRIC_certificate_loads, NULL, server_facts->certificate_loads);
    write_one(exposition, METRIC_certificate_failures, NULL, server_facts->certificate_failures);
    write_one(exposition, METRIC_certificate_ok, NULL, server_facts->certificate_is_current);
}

static void write_shadow_policy(struct exposition *exposition, const struct server_facts *server_facts)
{
    char labels[LABELS_BYTES];
    exposition_metric(exposition, METRIC_shadow_ok);
    if (server_facts->shadow_hash[0])
        exposition_sample(exposition, NULL, !server_facts->last_shadow_load_failed);
    exposition_metric(exposition, METRIC_shadow_info);
    snprintf(labels, sizeof(labels), "hash=\"%s\"", server_facts->shadow_hash);
    if (server_facts->shadow_hash[0])
        exposition_sample(exposition, labels, 1);
}

static void write_facts(struct exposition *exposition, const struct metrics_sources *sources)
{
    char labels[LABELS_BYTES];
    const struct server_facts server_facts = server_fact_board_read(sources->service->server_facts);
    write_one(exposition, METRIC_policy_loads, NULL, server_facts.policy_loads);
    write_one(exposition, METRIC_policy_failures, NULL, server_facts.policy_failures);
    write_one(exposition, METRIC_policy_ok, NULL, !server_facts.last_load_failed);
    write_one(exposition, METRIC_policy_time, NULL, (uint64_t)server_facts.policy_loaded_at);
    snprintf(labels, sizeof(labels), "hash=\"%s\"", server_facts.policy_hash);
    write_one(exposition, METRIC_policy_info, labels, 1);
    write_shadow_policy(exposition, &server_facts);
    write_one(exposition, METRIC_overrides_expired, NULL, server_facts.overrides_expired);
    write_certificate(exposition, &server_facts);
    snprintf(labels, sizeof(labels), "version=\"%s\"", sources->version);
    write_one(exposition, METRIC_build_info, labels, 1);
    write_one(exposition, METRIC_loops_stuck, NULL, server_facts.loops_stuck);
}

static void write_connections(struct exposition *exposition, const struct metrics_sources *sources)
{
    const struct loop_shared *shared = sources->http;
    size_t count = atomic_load_explicit(&shared->loop_count, memory_order_acquire), now = 0, limit = 0;
    for (size_t i = 0; i < count; i++) {
        now += connections_count(&shared->loops[i].connections);
        limit += shared->loops[i].max_connections;
    }
    write_one(exposition, METRIC_connections, NULL, now);
    write_one(exposition, METRIC_connections_limit, NULL, limit);
    write_one(exposition, METRIC_connections_accepted, NULL, SUM_HTTP(sources, connections));
    exposition_metric(exposition, METRIC_connections_cut);
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++) {
        write_labelled(exposition, "phase", phase_name(phase), SUM_HTTP(sources, swept[phase]));
    }
}

static void write_evicted(struct exposition *exposition, const struct metrics_sources *sources)
{
    write_one(exposition, METRIC_connections_at_limit, NULL, SUM_HTTP(sources, at_limit));
    write_one(exposition, METRIC_connections_evicted, NULL, SUM_HTTP(sources, evicted));
}

static void write_memory(struct exposition *exposition, const struct budget *budget)
{
    write_one(exposition, METRIC_memory_limit, NULL, budget->limit);
    write_one(exposition, METRIC_memory_budget, NULL, budget->limit ? budget->total : 0);
    write_one(exposition, METRIC_memory_in_use, NULL, budget_in_use(budget));
}

static void write_handshakes(struct exposition *exposition, const struct handshakes *handshakes)
{
    char labels[LABELS_BYTES];
    write_one(exposition, METRIC_handshakes_started, NULL, handshakes_started(handshakes));
    write_one(exposition, METRIC_handshakes_completed, NULL, handshakes_completed(handshakes));
    exposition_metric(exposition, METRIC_alerts);
    for (size_t cell = 0; cell < (size_t)2 * ALERT_COUNT; cell++) {
        bool received = cell >= ALERT_COUNT;
        enum alert alert = (enum alert)(cell % ALERT_COUNT);
        snprintf(
            labels, sizeof(labels), "direction=\"%s\",alert=\"%s\"", received ? "received" : "sent",
            alert_name(alert));
        exposition_sample(
            exposition, labels,
            atomic_load_explicit(&handshakes->alerts[received][alert], memory_order_relaxed));
    }
}

static void write_process(struct exposition *exposition)
{
    const struct process_status status = process_read();
    exposition_metric(exposition, METRIC_cpu);
    exposition_millionths(exposition, NULL, status.cpu_microseconds);
    exposition_metric(exposition, METRIC_start_time);
    exposition_millionths(exposition, NULL, status.started_microseconds);
    write_one(exposition, METRIC_resident, NULL, status.resident_bytes);
    write_one(exposition, METRIC_virtual, NULL, status.virtual_bytes);
    write_one(exposition, METRIC_open_files, NULL, status.open_files);
    write_one(exposition, METRIC_max_files, NULL, status.max_files);
    write_one(exposition, METRIC_threads, NULL, status.threads);
}

static void write_all(struct exposition *exposition, const struct metrics_sources *sources)
{
    write_reviews(exposition, sources);
    write_findings(exposition, sources);
    write_shadow(exposition, sources);
    label_set_metrics_write(exposition, sources->service->label_sets);
    write_histograms(exposition, sources);
    write_refusals(exposition, sources);
    write_lookups(exposition, sources);
    write_events(exposition, sources->service->events);
    write_facts(exposition, sources);
    write_connections(exposition, sources);
    write_evicted(exposition, sources);
    write_memory(exposition, &sources->http->budget);
    write_handshakes(exposition, sources->handshakes);
    write_one(
        exposition, METRIC_log_lines_dropped, NULL,
        atomic_load_explicit(&sources->http->log->dropped_ever, memory_order_relaxed));
    write_process(exposition);
    exposition_end(exposition);
}

/* A scraper names the format that it accepts; a user with curl gets Prometheus' own format. */
static bool wants_open_metrics(const struct http_request *request)
{
    return slice_contains_text(http_accept(request), SLICE("application/openmetrics-text"));
}

/* Memory that an answer takes until its client has read it. */
struct unread_answer {
    struct budget *budget;
    size_t bytes;
};

static void on_read_or_gone(void *data)
{
    struct unread_answer *unread = data;
    budget_give_back(unread->budget, unread->bytes);
    free(unread);
}

/*
 * Scrapers that do not read share the budget of bodies: no reviewer pays for their copies. Returns false if
 * the budget is used up.
 */
static bool take_room(struct http_request *request, size_t bytes)
{
    struct budget *budget = &request->loop->shared->budget;
    if (bytes <= SMALL_ANSWER_BYTES || !budget->limit)
        return true;
    struct unread_answer *unread = malloc(sizeof(*unread));
    if (!unread || !budget_take(budget, bytes, budget->large_bodies)) {
        free(unread);
        return false;
    }
    *unread = (struct unread_answer){budget, bytes};
    http_watch(request, on_read_or_gone, unread);
    return true;
}

void handle_metrics(struct http_request *request)
{
    struct arena *arena = request->loop->arena;
    struct exposition exposition = {
        .text = text_start(arena, 32768), .is_open_metrics = wants_open_metrics(request)};
    write_all(&exposition, reviewer_of(request)->service->metrics);
    struct slice body = text_slice(&exposition.text);
    if (body.bytes && take_room(request, body.length))
        http_answer(
            request,
            &(struct answer){
                .status = 200,
                .content_type = exposition.is_open_metrics
                    ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                    : "text/plain; version=0.0.4; charset=utf-8",
                .body = body,
            });
    else
        http_answer_sentence(request, 503, "No memory for another answer; try once again.\n");
    arena_reset(arena);
}
