/*
 * event_memory.h: which Events were recorded recently, so that a repetition increases the count of the first
 * one, and so that their rate is limited.
 *
 * The limits are the same as in client-go (tools/record/events_cache.go), where client-go has one. They apply
 * to each object, each namespace and all together, so that a flood in one namespace does not hide the Events
 * of another. The memory has a fixed size: a new entry replaces the least recently used one nearby. It holds
 * only times and hashes under a secret seed, no data of objects. Not thread-safe.
 */
#ifndef APPLYGUARD_WEBHOOK_API_EVENT_MEMORY_H
#define APPLYGUARD_WEBHOOK_API_EVENT_MEMORY_H

#include "base/siphash.h"
#include "webhook/api/event.h"

/* The number of objects, and of Events, that are kept: 256 KiB. */
#define EVENT_MEMORY_MAX 4096

/* The API server's default for --event-ttl. */
#define EVENT_KEPT_MS ((uint64_t)3600 * 1000)

/* The limit per object, of new Events and repetitions: this many at once, and one more every five minutes. */
#define EVENTS_OF_OBJECT_BURST 25u
#define EVENTS_OF_OBJECT_INTERVAL_MS ((uint64_t)300 * 1000)

/*
 * The limit per namespace, and for all objects without one: a quarter of the total burst, and a tenth of the
 * total rate.
 */
#define EVENTS_OF_NAMESPACE_BURST 50u
#define EVENTS_OF_NAMESPACE_INTERVAL_MS ((uint64_t)1000)

/*
 * The number of namespaces that are kept: 16 KiB. A new namespace replaces the one whose full burst is
 * available again first.
 */
#define EVENT_NAMESPACES_MAX 1024

/* The limit for all objects: ten per second. client-go leaves this to the limit of its connection. */
#define EVENTS_BURST 200u
#define EVENTS_INTERVAL_MS ((uint64_t)100)

enum event_fate {
    EVENT_NEW,
    EVENT_REPEATED, /* a repetition of a recorded Event, to be recorded */
    EVENT_LIMITED,  /* not to be recorded; the next recorded one includes it in its count */
};

struct event_memory;

/* Returns NULL if memory runs out. The seed must be random: names of Events are made from it. */
struct event_memory *event_memory_create(struct siphash_seed seed);

/* Accepts NULL. */
void event_memory_destroy(struct event_memory *memory);

/* Counts the Event and decides what to do with it. `now` is in monotonic milliseconds. */
enum event_fate event_memory_note(
    struct event_memory *memory, const struct event *event, uint64_t now, struct event_record *record);

#endif
