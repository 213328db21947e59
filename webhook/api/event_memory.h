/*
 * event_memory.h: which Events were told lately, so that a repetition raises the count of the first, and
 * nobody fills a cluster with them.
 *
 * The limits are those of Kubernetes' own clients (client-go, tools/record/events_cache.go) where they have
 * one. They hold for an object, for a namespace and for all together, so that what floods one namespace hides
 * nothing of another. It is of one size whatever comes; what finds no room takes that of what nearby has been
 * silent for longest. It keeps times and hashes under a secret seed, nothing of any object. For one thread.
 */
#ifndef APPLYGUARD_WEBHOOK_API_EVENT_MEMORY_H
#define APPLYGUARD_WEBHOOK_API_EVENT_MEMORY_H

#include "base/siphash.h"
#include "webhook/api/event.h"

/* Objects, and Events, that are remembered: 256 KiB. */
#define EVENT_MEMORY_MAX 4096

/* As long as an API server keeps an Event that nothing happens to (--event-ttl). */
#define EVENT_KEPT_MS ((uint64_t)3600 * 1000)

/* Of one object, new ones and repetitions: so many at once, and one more every five minutes. */
#define EVENTS_OF_OBJECT_BURST 25u
#define EVENTS_OF_OBJECT_INTERVAL_MS ((uint64_t)300 * 1000)

/* Of all objects of one namespace, and of all that are in none: a quarter of the burst, a tenth of the rest.
 */
#define EVENTS_OF_NAMESPACE_BURST 50u
#define EVENTS_OF_NAMESPACE_INTERVAL_MS ((uint64_t)1000)

/* Namespaces that are remembered: 16 KiB. The one whose allowance is whole, or will be first, gives way. */
#define EVENT_NAMESPACES_MAX 1024

/* Of all objects, which client-go leaves to its connection's own limit: ten a second. */
#define EVENTS_BURST 200u
#define EVENTS_INTERVAL_MS ((uint64_t)100)

enum event_fate {
    EVENT_NEW,
    EVENT_REPEATED, /* it was told, and is to be told once more */
    EVENT_LIMITED,  /* it counts, and the next that is told says so */
};

struct event_memory;

/* NULL if there is no memory. The seed must be random: names of Events are made from it. */
struct event_memory *event_memory_create(struct siphash_seed seed);

/* Accepts NULL. */
void event_memory_destroy(struct event_memory *memory);

/* Notes that the Event came about, and decides on it. `now` in monotonic milliseconds. */
enum event_fate event_memory_note(
    struct event_memory *memory, const struct event *event, uint64_t now, struct event_record *record);

#endif
