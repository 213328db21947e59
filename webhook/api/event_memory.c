#include "webhook/api/event_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Entries whose hashes share their low bits share a bucket, which is searched one by one. */
#define BUCKET_PLACES 8
#define BUCKET_COUNT (EVENT_MEMORY_MAX / BUCKET_PLACES)
#define NAMESPACE_BUCKET_COUNT (EVENT_NAMESPACES_MAX / BUCKET_PLACES)

/*
 * How many Events may be recorded, stored as the time at which the full burst is available again. Each Event
 * moves that time on by an interval.
 */
struct allowance {
    uint64_t whole_at;
};

struct limit {
    unsigned burst;
    uint64_t interval;
};

static const struct limit of_object = {EVENTS_OF_OBJECT_BURST, EVENTS_OF_OBJECT_INTERVAL_MS};
static const struct limit of_namespace = {EVENTS_OF_NAMESPACE_BURST, EVENTS_OF_NAMESPACE_INTERVAL_MS};
static const struct limit of_all = {EVENTS_BURST, EVENTS_INTERVAL_MS};

/* An object, or a namespace. */
struct holder {
    uint64_t hash;
    struct allowance allowance;
};

struct recorded_event {
    uint64_t event;             /* a hash */
    uint64_t last;              /* monotonic milliseconds */
    struct event_record record; /* count 0: the place is free */
    bool is_recorded;
};

struct event_memory {
    struct siphash_seed seed;
    uint64_t last_id;
    struct allowance allowance;
    struct holder objects[BUCKET_COUNT][BUCKET_PLACES];
    struct holder namespaces[NAMESPACE_BUCKET_COUNT][BUCKET_PLACES];
    struct recorded_event events[BUCKET_COUNT][BUCKET_PLACES];
};

struct event_memory *event_memory_create(struct siphash_seed seed)
{
    struct event_memory *memory = calloc(1, sizeof(*memory));
    if (memory)
        memory->seed = seed;
    return memory;
}

void event_memory_destroy(struct event_memory *memory)
{
    free(memory);
}

/*
 * Hashes
 */

static uint64_t hash(const struct event_memory *memory, const void *bytes, size_t length)
{
    return siphash((struct slice){bytes, length}, memory->seed);
}

/*
 * The hash covers both the uid and the name: an object that was created again has a new uid, and a forged
 * review may give two objects the same uid.
 */
static uint64_t hash_object(const struct event_memory *memory, const struct event *event)
{
    char text[EVENT_UID_BYTES + EVENT_KIND_BYTES + EVENT_NAMESPACE_BYTES + EVENT_NAME_BYTES];
    int length =
        snprintf(text, sizeof(text), "%s %s %s %s", event->uid, event->kind, event->namespace, event->name);
    return hash(memory, text, (size_t)length);
}

static uint64_t hash_namespace(const struct event_memory *memory, const struct event *event)
{
    return hash(memory, event->namespace, strlen(event->namespace));
}

static uint64_t hash_event(const struct event_memory *memory, uint64_t object, enum rule_id rule)
{
    const uint64_t parts[] = {object, rule};
    return hash(memory, parts, sizeof(parts));
}

/* Each replica has its own seed, so replicas create Events with different names. */
static uint64_t next_id(struct event_memory *memory)
{
    memory->last_id++;
    return hash(memory, &memory->last_id, sizeof(memory->last_id));
}

/*
 * Allowances
 */

static uint64_t next_whole_at(const struct allowance *allowance, const struct limit *limit, uint64_t now)
{
    return (allowance->whole_at > now ? allowance->whole_at : now) + limit->interval;
}

static bool has_left(const struct allowance *allowance, const struct limit *limit, uint64_t now)
{
    return next_whole_at(allowance, limit, now) <= now + limit->burst * limit->interval;
}

static void take(struct allowance *allowance, const struct limit *limit, uint64_t now)
{
    allowance->whole_at = next_whole_at(allowance, limit, now);
}

/* Replaces the holder whose full burst is available again first: forgetting it matters least. */
static struct allowance *allowance_of(struct holder bucket[BUCKET_PLACES], uint64_t hash)
{
    struct holder *least = &bucket[0];
    for (size_t i = 0; i < BUCKET_PLACES; i++) {
        if (bucket[i].hash == hash)
            return &bucket[i].allowance;
        if (bucket[i].allowance.whole_at < least->allowance.whole_at)
            least = &bucket[i];
    }
    *least = (struct holder){.hash = hash};
    return &least->allowance;
}

/* An Event that one limit forbids does not use up the other limits. */
static bool may_be_recorded(struct event_memory *memory, uint64_t object, uint64_t namespace, uint64_t now)
{
    struct allowance *objects = allowance_of(memory->objects[object % BUCKET_COUNT], object);
    struct allowance *namespaces =
        allowance_of(memory->namespaces[namespace % NAMESPACE_BUCKET_COUNT], namespace);
    if (!has_left(objects, &of_object, now) || !has_left(namespaces, &of_namespace, now) ||
        !has_left(&memory->allowance, &of_all, now))
        return false;
    take(objects, &of_object, now);
    take(namespaces, &of_namespace, now);
    take(&memory->allowance, &of_all, now);
    return true;
}

/*
 * Events
 */

static struct recorded_event *event_of(struct event_memory *memory, uint64_t event)
{
    struct recorded_event *bucket = memory->events[event % BUCKET_COUNT];
    struct recorded_event *oldest = &bucket[0];
    for (size_t i = 0; i < BUCKET_PLACES; i++) {
        if (bucket[i].record.count && bucket[i].event == event)
            return &bucket[i];
        if (bucket[i].last < oldest->last)
            oldest = &bucket[i];
    }
    *oldest = (struct recorded_event){.event = event};
    return oldest;
}

/* The API's count is a signed 32-bit integer. */
static void count_once_more(struct recorded_event *known)
{
    known->record.count += known->record.count < INT32_MAX;
}

static void begin_anew(struct event_memory *memory, struct recorded_event *known, int64_t time)
{
    known->record = (struct event_record){.id = next_id(memory), .first = time};
    known->is_recorded = false;
}

enum event_fate event_memory_note(
    struct event_memory *memory, const struct event *event, uint64_t now, struct event_record *record)
{
    uint64_t object = hash_object(memory, event);
    struct recorded_event *known = event_of(memory, hash_event(memory, object, event->rule));
    if (!known->record.count || now - known->last >= EVENT_KEPT_MS)
        begin_anew(memory, known, event->time);
    count_once_more(known);
    known->last = now;
    *record = known->record;
    if (!may_be_recorded(memory, object, hash_namespace(memory, event), now))
        return EVENT_LIMITED;
    enum event_fate fate = known->is_recorded ? EVENT_REPEATED : EVENT_NEW;
    known->is_recorded = true;
    return fate;
}
