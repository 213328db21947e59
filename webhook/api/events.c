#include "webhook/api/events.h"

#include "base/min.h"
#include "system/clock.h"
#include "webhook/api/event_memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The longest path of an Event: its namespace, its name, and the fixed parts around them. */
#define PATH_BYTES (EVENT_NAMESPACE_BYTES + EVENT_NAME_BYTES + 64)

struct queued_event {
    struct event event;
    struct event_record record;
    bool is_repeated;
};

struct events {
    struct api_worker *worker;
    struct log *log;
    char host[EVENT_HOST_BYTES];
    atomic_uint_fast64_t counts[EVENT_OUTCOME_COUNT];
    pthread_mutex_t lock;
    pthread_cond_t all_sent;

    /* Under the lock. */
    struct event_memory *memory;
    struct queued_event *waiting; /* a ring of EVENTS_WAITING_MAX */
    unsigned first, count;
    bool is_sending;
    bool is_stopping;
    bool is_over; /* the last Events were sent or given up */

    /* Only the worker's thread uses the members below. */
    struct queued_event sending; /* while is_sending */
    char path[PATH_BYTES];
    struct arena *arena; /* of its body */
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

/* Call it under the lock. Returns false and sets `outcome` if the Event is not queued. */
static bool enqueue(struct events *events, const struct event *event, enum event_outcome *outcome)
{
    struct event_record record;
    *outcome = EVENTS_DROPPED;
    if (events->is_stopping)
        return false;
    enum event_fate fate = event_memory_note(events->memory, event, monotonic_milliseconds(), &record);
    if (fate == EVENT_LIMITED)
        *outcome = EVENTS_LIMITED;
    if (fate == EVENT_LIMITED || events->count == EVENTS_WAITING_MAX)
        return false;
    events->waiting[(events->first + events->count) % EVENTS_WAITING_MAX] =
        (struct queued_event){.event = *event, .record = record, .is_repeated = fate == EVENT_REPEATED};
    events->count++;
    return true;
}

static void put(struct events *events, const struct event *event)
{
    enum event_outcome outcome;
    pthread_mutex_lock(&events->lock);
    bool is_queued = enqueue(events, event, &outcome);
    pthread_mutex_unlock(&events->lock);
    if (is_queued)
        api_worker_wake(events->worker);
    else
        count(events, outcome);
}

void events_record(struct events *events, const struct verdict *verdict)
{
    struct event event;
    bool is_recorded[RULE_COUNT] = {false};
    if (!verdict->finding_count || !event_describe(&event, verdict))
        return;
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        if (is_recorded[finding->rule] || finding->waived_by.length)
            continue;
        is_recorded[finding->rule] = true;
        event_say(&event, verdict, finding);
        if (*event.message)
            put(events, &event);
        else
            count(events, EVENTS_DROPPED);
    }
}

/*
 * On the worker's thread
 */

static void create(struct events *events);

static void end_sending(struct events *events, enum event_outcome outcome)
{
    count(events, outcome);
    arena_reset(events->arena);
    pthread_mutex_lock(&events->lock);
    events->is_sending = false;
    if (!events->count)
        pthread_cond_signal(&events->all_sent);
    pthread_mutex_unlock(&events->lock);
}

static void fail(struct events *events, const struct error *error)
{
    const struct event *event = &events->sending.event;
    if (log_is_due(&events->reported_at, monotonic_milliseconds())) {
        arena_reset(events->arena);
        struct log_line line =
            log_start(events->log, events->arena, LOG_WARNING, "an Event could not be recorded");
        log_add_string(&line, "kind", event->kind);
        log_add_string(&line, "namespace", event_namespace(event));
        log_add_string(&line, "name", event->name);
        log_add_string(&line, "reason", error->message);
        log_end(&line);
    }
    end_sending(events, EVENTS_FAILED);
}

/*
 * Returns the status of an answer, and releases the answer; 0 without an answer. The error says what is wrong
 * with it.
 */
static long status_of(
    struct kube_response *response, long expected, const struct error *problem, struct error *error)
{
    *error = *problem;
    if (!response)
        return 0;
    long status = response->status;
    if (status != expected)
        kube_refused(response, error);
    kube_response_release(response);
    return status;
}

/*
 * Only this server gives Events this name: if the Event exists already, it was sent before, and the answer
 * was lost.
 */
static void on_created(void *data, struct kube_response *response, const struct error *problem)
{
    struct error error;
    long status = status_of(response, 201, problem, &error);
    if (status == 201 || status == 409)
        end_sending(data, EVENTS_SENT);
    else
        fail(data, &error);
}

/*
 * The Event may be gone, because it expired or because a user deleted it: then create it again and keep its
 * count.
 */
static void on_patched(void *data, struct kube_response *response, const struct error *problem)
{
    struct error error;
    long status = status_of(response, 200, problem, &error);
    if (status == 200)
        end_sending(data, EVENTS_AGGREGATED);
    else if (status == 404)
        create(data);
    else
        fail(data, &error);
}

static void begin(struct events *events, struct kube_request *request, kube_done *done)
{
    struct error error = {0};
    request->path = events->path;
    request->answer_bytes_max = EVENT_ANSWER_BYTES_MAX;
    request->timeout_ms = EVENT_CALL_MS;
    if (request->body.bytes && kube_begin(api_worker_client(events->worker), request, done, events))
        return;
    error_set_out_of_memory(&error);
    fail(events, &error);
}

static void create(struct events *events)
{
    const struct queued_event *sending = &events->sending;
    snprintf(
        events->path, sizeof(events->path), "/api/v1/namespaces/%s/events?fieldManager=applyguard",
        event_namespace(&sending->event));
    struct kube_request request = {
        .method = "POST",
        .body = event_encode(&sending->event, &sending->record, events->host, events->arena),
        .is_repeatable = true,
    };
    begin(events, &request, on_created);
}

static void patch(struct events *events)
{
    char name[EVENT_NAME_BYTES];
    const struct queued_event *sending = &events->sending;
    event_name(&sending->event, sending->record.id, name);
    snprintf(
        events->path, sizeof(events->path), "/api/v1/namespaces/%s/events/%s?fieldManager=applyguard",
        event_namespace(&sending->event), name);
    struct kube_request request = {
        .method = "PATCH",
        .content_type = "application/merge-patch+json",
        .body = event_encode_again(&sending->event, &sending->record, events->arena),
    };
    begin(events, &request, on_patched);
}

/* Returns false if no Event has to be sent now. */
static bool take_next(struct events *events)
{
    pthread_mutex_lock(&events->lock);
    bool is_there = !events->is_sending && events->count && !events->is_over;
    if (is_there) {
        events->sending = events->waiting[events->first];
        events->first = (events->first + 1) % EVENTS_WAITING_MAX;
        events->count--;
        events->is_sending = true;
    }
    pthread_mutex_unlock(&events->lock);
    return is_there;
}

/* The loop takes a second Event only if memory for the first one's call runs out. */
static uint64_t take_turn(void *data)
{
    struct events *events = data;
    while (take_next(events))
        if (events->sending.is_repeated)
            patch(events);
        else
            create(events);
    return UINT64_MAX;
}

/*
 * Begin and end
 */

/* The wait at the end uses the monotonic clock, which setting the time does not move. */
static void open_lock(struct events *events)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&events->all_sent, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&events->lock, NULL);
}

/* In a cluster this is the pod's name. */
static void name_host(char host[EVENT_HOST_BYTES])
{
    if (gethostname(host, EVENT_HOST_BYTES) != 0)
        snprintf(host, EVENT_HOST_BYTES, "unknown");
    host[EVENT_HOST_BYTES - 1] = '\0';
}

static bool allocate(struct events *events, struct siphash_seed seed)
{
    events->memory = event_memory_create(seed);
    events->arena = arena_create();
    events->waiting = calloc(EVENTS_WAITING_MAX, sizeof(*events->waiting));
    return events->memory && events->arena && events->waiting;
}

struct events *events_create(
    struct api_worker *worker, struct siphash_seed seed, struct log *log, struct error *error)
{
    struct events *events = calloc(1, sizeof(*events));
    if (events) {
        events->worker = worker;
        events->log = log;
        open_lock(events);
        name_host(events->host);
    }
    if (!events || !allocate(events, seed)) {
        events_free(events);
        error_set_out_of_memory(error);
        return NULL;
    }
    api_worker_add(worker, take_turn, events);
    return events;
}

/* Call it under the lock. */
static void wait_until_all_are_sent(struct events *events, uint64_t end)
{
    const struct timespec time = {.tv_sec = (time_t)(end / 1000), .tv_nsec = (long)(end % 1000) * 1000000};
    int result = 0;
    while ((events->count || events->is_sending) && result == 0)
        result = pthread_cond_timedwait(&events->all_sent, &events->lock, &time);
    events->is_over = true;
}

void events_stop(struct events *events, uint64_t end)
{
    if (!events)
        return;
    pthread_mutex_lock(&events->lock);
    events->is_stopping = true;
    wait_until_all_are_sent(events, min_u64(end, monotonic_milliseconds() + EVENTS_FLUSH_MS));
    pthread_mutex_unlock(&events->lock);
}

static void report_left(struct events *events)
{
    if (!events->count)
        return;
    struct log_line line =
        log_start(events->log, events->arena, LOG_WARNING, "Events were not recorded before the exit");
    log_add_number(&line, "count", events->count);
    log_end(&line);
}

void events_free(struct events *events)
{
    if (!events)
        return;
    report_left(events);
    event_memory_destroy(events->memory);
    arena_destroy(events->arena);
    pthread_cond_destroy(&events->all_sent);
    pthread_mutex_destroy(&events->lock);
    free(events->waiting);
    free(events);
}
