/*
 * events.h: sends Events about findings to the API server.
 *
 * Loops put Events into a queue of fixed size, which costs a loop only a copy of 2 KiB. The worker sends them
 * one after another, so that a repetition never overtakes the first one. An Event beyond the limits
 * (event_memory.h) is not queued, and an Event that finds the queue full is dropped; both are counted. An
 * Event that the API server rejects is counted and not sent again, but the next Event of the same object and
 * rule is sent.
 */
#ifndef APPLYGUARD_WEBHOOK_API_EVENTS_H
#define APPLYGUARD_WEBHOOK_API_EVENTS_H

#include "base/error.h"
#include "base/siphash.h"
#include "policy/verdict/verdict.h"
#include "system/log.h"
#include "webhook/api/api_worker.h"

#include <stdint.h>

/* The limit of queued Events: enough for a few hundred objects that are applied at once. Half a MiB. */
#define EVENTS_WAITING_MAX 256u

/* The timeout for one Event, with all retries. */
#define EVENT_CALL_MS 5000u

/* How long a shutdown waits for the last Events. */
#define EVENTS_FLUSH_MS 1000u

/* The limit of an answer, which is the Event itself. */
#define EVENT_ANSWER_BYTES_MAX ((size_t)64 * 1024)

/* The memory of the queue, the recorded Events, and a client with its buffers. */
#define EVENTS_BYTES_MAX ((size_t)2 << 20)

enum event_outcome {
    EVENTS_SENT,
    EVENTS_AGGREGATED, /* as a repetition of an earlier one */
    EVENTS_LIMITED,    /* beyond the limit of its object, of its namespace or of all */
    EVENTS_DROPPED,    /* no room, or no memory */
    EVENTS_FAILED,     /* the API server did not accept it */
};
#define EVENT_OUTCOME_COUNT 5

struct events;

/* `worker` must live until events_free. Returns NULL and sets the error if memory runs out. */
struct events *events_create(
    struct api_worker *worker, struct siphash_seed seed, struct log *log, struct error *error);

/* Records one Event for each rule with a finding that is not waived. Thread-safe. */
void events_record(struct events *events, const struct verdict *verdict);

/* How many Events had this outcome. 0 for NULL. */
uint64_t events_count(const struct events *events, enum event_outcome outcome);

/*
 * Refuses new Events, and lets the worker send the queued ones for at most EVENTS_FLUSH_MS, and until `end`,
 * in monotonic milliseconds. Accepts NULL.
 */
void events_stop(struct events *events, uint64_t end);

/* Call it after the worker has stopped, when nothing can record or count Events any more. Accepts NULL. */
void events_free(struct events *events);

/* "sent", "aggregated", "limited", "dropped", "failed". */
const char *event_outcome_name(enum event_outcome outcome);

#endif
