/*
 * events.h: Events about what was found, on their way to the API server.
 *
 * Loops put them into a queue of one size, and the worker tells them, one after another, so that a repetition
 * never overtakes what it repeats: a loop waits for nothing but a copy of two KiB. What is beyond the limits
 * (event_memory.h) takes no room; what finds none is dropped. Both are counted. An Event that the API server
 * does not take is counted too, and not tried again: the next of the same object and rule is.
 */
#ifndef APPLYGUARD_WEBHOOK_API_EVENTS_H
#define APPLYGUARD_WEBHOOK_API_EVENTS_H

#include "base/error.h"
#include "base/siphash.h"
#include "policy/verdict/verdict.h"
#include "system/log.h"
#include "webhook/api/api_worker.h"

#include <stdint.h>

/* Events that wait: what a few hundred objects bring that are all applied at once. Half a MiB. */
#define EVENTS_WAITING_MAX 256u

/* For one Event, with all that is tried again. */
#define EVENT_CALL_MS 5000u

/* What a shutdown waits for the last of them. */
#define EVENTS_FLUSH_MS 1000u

/* The API server answers with the Event itself. */
#define EVENT_ANSWER_BYTES_MAX ((size_t)64 * 1024)

/* The queue, what is remembered, and a client with its buffers. */
#define EVENTS_BYTES_MAX ((size_t)2 << 20)

enum event_outcome {
    EVENTS_SENT,
    EVENTS_AGGREGATED, /* as a repetition of one before it */
    EVENTS_LIMITED,    /* its object or namespace has had too many, or all together have */
    EVENTS_DROPPED,    /* no room, or no memory */
    EVENTS_FAILED,     /* the API server did not take it */
};
#define EVENT_OUTCOME_COUNT 5

struct events;

/* Done by the worker, which stays until events_free. NULL and an error if there is no memory. */
struct events *events_create(
    struct api_worker *worker, struct siphash_seed seed, struct log *log, struct error *error);

/* One for each rule that found something, but for what the object's owner waived. Any thread may call it. */
void events_tell(struct events *events, const struct verdict *verdict);

/* How many there were. NULL has had none. */
uint64_t events_count(const struct events *events, enum event_outcome outcome);

/* Refuses what comes from here on, and lets the worker tell what waits, for EVENTS_FLUSH_MS at most. Accepts
 * NULL. */
void events_stop(struct events *events);

/* Once the worker was stopped, and nobody is left who may tell or count. Accepts NULL. */
void events_free(struct events *events);

/* "sent", "aggregated", "limited", "dropped", "failed". */
const char *event_outcome_name(enum event_outcome outcome);

#endif
