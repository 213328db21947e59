#include "webhook/events.h"

#include "webhook/clock.h"
#include "webhook/event_memory.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of an Event's path: the longest namespace and name, and what stands around them. */
#define PATH_BYTES (EVENT_NAMESPACE_BYTES + EVENT_NAME_BYTES + 64)

struct events {
    struct kube_client *client;
    struct log *log;
    char host[EVENT_HOST_BYTES];
    atomic_uint_fast64_t counts[EVENT_OUTCOME_COUNT];
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* Under the lock. */
    struct event *waiting; /* a ring of EVENTS_WAITING_MAX */
    unsigned first, count;
    bool is_stopping; /* and to end when all is told */
    bool is_over;     /* and to end at once */
    bool has_ended;

    /* Of the thread alone. */
    struct event_memory *memory;
    struct arena *arena;
    uint64_t reported_at;
};

const char *event_outcome_name(enum event_outcome outcome)
{
    static const char *const names[] = {"sent", "aggregated", "limited", "dropped", "failed"};
    return names[outcome];
}

static void count(struct events *events, enum event_outcome outcome)
{
    atomic_fetch_add_explicit(&events->counts[outcome], 1, memory_order_relaxed);
}

uint64_t events_count(const struct events *events, enum event_outcome outcome)
{
    return events ? atomic_load_explicit(&events->counts[outcome], memory_order_relaxed) : 0;
}

/*
 * On a loop
 */

static bool put(struct events *events, const struct event *event)
{
    pthread_mutex_lock(&events->lock);
    bool has_room = !events->is_stopping && events->count < EVENTS_WAITING_MAX;
    if (has_room) {
        events->waiting[(events->first + events->count) % EVENTS_WAITING_MAX] = *event;
        events->count++;
        pthread_cond_broadcast(&events->changed);
    }
    pthread_mutex_unlock(&events->lock);
    return has_room;
}

void events_tell(struct events *events, const struct verdict *verdict)
{
    struct event event;
    bool is_told[RULE_COUNT] = {false};
    if (!verdict->finding_count || !event_describe(&event, verdict))
        return;
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        if (is_told[finding->rule] || finding->waived_by.length)
            continue;
        is_told[finding->rule] = true;
        event_say(&event, verdict, finding);
        if (!*event.message || !put(events, &event))
            count(events, EVENTS_DROPPED);
    }
}

/*
 * On the thread
 */

/* 0 if the API server took it. */
static int call(
    struct events *events, const struct kube_request *request, int expected, long *status,
    struct error *error)
{
    struct kube_response response;
    *status = 0;
    if (!request->body.bytes)
        return error_set(error, "out of memory");
    if (kube_call(events->client, request, &response, error) != 0)
        return -1;
    *status = response.status;
    int result = response.status == expected ? 0 : kube_refused(&response, error);
    kube_response_release(&response);
    return result;
}

static int create(
    struct events *events, const struct event *event, const struct event_record *record, struct error *error)
{
    long status;
    char path[PATH_BYTES];
    snprintf(
        path, sizeof(path), "/api/v1/namespaces/%s/events?fieldManager=applyguard", event_namespace(event));
    const struct kube_request request = {
        .method = "POST",
        .path = path,
        .body = event_encode(event, record, events->host, events->arena),
        .answer_bytes_max = EVENT_ANSWER_BYTES_MAX,
        .timeout_ms = EVENT_CALL_MS,
    };
    return call(events, &request, 201, &status, error);
}

static int patch(
    struct events *events, const struct event *event, const struct event_record *record, long *status,
    struct error *error)
{
    char name[EVENT_NAME_BYTES], path[PATH_BYTES];
    event_name(event, record->id, name);
    snprintf(
        path, sizeof(path), "/api/v1/namespaces/%s/events/%s?fieldManager=applyguard", event_namespace(event),
        name);
    const struct kube_request request = {
        .method = "PATCH",
        .path = path,
        .content_type = "application/merge-patch+json",
        .body = event_encode_again(event, record, events->arena),
        .answer_bytes_max = EVENT_ANSWER_BYTES_MAX,
        .timeout_ms = EVENT_CALL_MS,
    };
    return call(events, &request, 200, status, error);
}

static void report_failure(struct events *events, const struct event *event, const struct error *error)
{
    if (!log_is_due(&events->reported_at, monotonic_milliseconds()))
        return;
    arena_reset(events->arena);
    struct log_line line =
        log_start(events->log, events->arena, LOG_WARNING, "an Event could not be recorded");
    log_add_string(&line, "kind", event->kind);
    log_add_string(&line, "namespace", event_namespace(event));
    log_add_string(&line, "name", event->name);
    log_add_string(&line, "reason", error->message);
    log_end(&line);
}

/* What is gone, because nothing happened for too long or somebody deleted it, begins anew with its count. */
static enum event_outcome send_event(
    struct events *events, const struct event *event, enum event_fate fate, const struct event_record *record)
{
    long status = 0;
    struct error error = {0};
    if (fate == EVENT_REPEATED && patch(events, event, record, &status, &error) == 0)
        return EVENTS_AGGREGATED;
    if ((fate == EVENT_NEW || status == 404) && create(events, event, record, &error) == 0)
        return EVENTS_SENT;
    report_failure(events, event, &error);
    return EVENTS_FAILED;
}

static void tell(struct events *events, const struct event *event)
{
    struct event_record record;
    enum event_fate fate = event_memory_note(events->memory, event, monotonic_milliseconds(), &record);
    count(events, fate == EVENT_LIMITED ? EVENTS_LIMITED : send_event(events, event, fate, &record));
    arena_reset(events->arena);
}

/* False once it is to end. */
static bool next(struct events *events, struct event *event)
{
    pthread_mutex_lock(&events->lock);
    while (!events->count && !events->is_stopping)
        pthread_cond_wait(&events->changed, &events->lock);
    bool is_there = events->count && !events->is_over;
    if (is_there) {
        *event = events->waiting[events->first];
        events->first = (events->first + 1) % EVENTS_WAITING_MAX;
        events->count--;
    }
    pthread_mutex_unlock(&events->lock);
    return is_there;
}

static void *run(void *data)
{
    struct events *events = data;
    struct event event;
    while (next(events, &event))
        tell(events, &event);
    pthread_mutex_lock(&events->lock);
    events->has_ended = true;
    pthread_cond_broadcast(&events->changed);
    pthread_mutex_unlock(&events->lock);
    OPENSSL_thread_stop();
    return NULL;
}

/*
 * Begin and end
 */

void events_free(struct events *events)
{
    if (!events)
        return;
    kube_client_free(events->client);
    event_memory_destroy(events->memory);
    arena_destroy(events->arena);
    pthread_cond_destroy(&events->changed);
    pthread_mutex_destroy(&events->lock);
    free(events->waiting);
    free(events);
}

/* The wait at the end goes by the clock that nobody sets. */
static void open_lock(struct events *events)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&events->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&events->lock, NULL);
}

/* In a cluster the pod's name. */
static void name_host(char host[EVENT_HOST_BYTES])
{
    if (gethostname(host, EVENT_HOST_BYTES) != 0)
        snprintf(host, EVENT_HOST_BYTES, "unknown");
    host[EVENT_HOST_BYTES - 1] = '\0';
}

struct events *events_start(
    struct kube_client *client, struct siphash_seed seed, struct log *log, struct error *error)
{
    struct events *events = calloc(1, sizeof(*events));
    if (!events) {
        kube_client_free(client);
        error_set(error, "out of memory");
        return NULL;
    }
    events->client = client;
    events->log = log;
    open_lock(events);
    name_host(events->host);
    events->memory = event_memory_create(seed);
    events->arena = arena_create();
    events->waiting = calloc(EVENTS_WAITING_MAX, sizeof(*events->waiting));
    bool is_complete = events->memory && events->arena && events->waiting;
    int reason = is_complete ? pthread_create(&events->thread, NULL, run, events) : ENOMEM;
    if (reason == 0)
        return events;
    error_set(error, "cannot start a thread: %s", strerror(reason));
    events_free(events);
    return NULL;
}

static void report_left(struct events *events)
{
    if (!events->count)
        return;
    struct log_line line =
        log_start(events->log, events->arena, LOG_WARNING, "Events were not recorded before the end");
    log_add_number(&line, "count", events->count);
    log_end(&line);
}

static void wait_for_the_end(struct events *events)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += EVENTS_FLUSH_MS / 1000;
    events->is_stopping = true;
    pthread_cond_broadcast(&events->changed);
    int result = 0;
    while (!events->has_ended && result == 0)
        result = pthread_cond_timedwait(&events->changed, &events->lock, &end);
    events->is_over = true;
}

void events_stop(struct events *events)
{
    if (!events)
        return;
    pthread_mutex_lock(&events->lock);
    wait_for_the_end(events);
    pthread_mutex_unlock(&events->lock);
    kube_client_stop(events->client);
    pthread_join(events->thread, NULL);
    report_left(events);
}
