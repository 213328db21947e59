#include "webhook/event_memory.h"

#include <stdio.h>
#include <stdlib.h>

/* What falls together by its hash shares a bucket, and is searched one by one. */
#define BUCKET_PLACES 8
#define BUCKET_COUNT (EVENT_MEMORY_MAX / BUCKET_PLACES)

/*
 * How much may be told, as the time from which on the allowance is whole again: each telling moves it on by
 * an interval.
 */
struct allowance {
    uint64_t whole_at;
};

struct told_object {
    uint64_t object; /* a hash */
    struct allowance allowance;
};

struct told_event {
    uint64_t event;             /* a hash */
    uint64_t last;              /* monotonic milliseconds */
    struct event_record record; /* count 0: the place is free */
    bool is_told;
};

struct event_memory {
    struct siphash_seed seed;
    uint64_t last_id;
    struct allowance allowance;
    struct told_object objects[BUCKET_COUNT][BUCKET_PLACES];
    struct told_event events[BUCKET_COUNT][BUCKET_PLACES];
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

/* An object that was deleted and made anew is another, and so are two that somebody gives the same uid. */
static uint64_t hash_object(const struct event_memory *memory, const struct event *event)
{
    char text[EVENT_UID_BYTES + EVENT_KIND_BYTES + EVENT_NAMESPACE_BYTES + EVENT_NAME_BYTES];
    int length =
        snprintf(text, sizeof(text), "%s %s %s %s", event->uid, event->kind, event->namespace, event->name);
    return hash(memory, text, (size_t)length);
}

static uint64_t hash_event(const struct event_memory *memory, uint64_t object, enum rule_id rule)
{
    const uint64_t parts[] = {object, rule};
    return hash(memory, parts, sizeof(parts));
}

/* Other replicas have another seed, so their names are others. */
static uint64_t next_id(struct event_memory *memory)
{
    memory->last_id++;
    return hash(memory, &memory->last_id, sizeof(memory->last_id));
}

/*
 * Allowances
 */

static bool take(struct allowance *allowance, unsigned burst, uint64_t interval, uint64_t now)
{
    uint64_t begin = allowance->whole_at > now ? allowance->whole_at : now;
    if (begin + interval > now + burst * interval)
        return false;
    allowance->whole_at = begin + interval;
    return true;
}

/* The one whose allowance is whole, or will be first, is missed least. */
static struct told_object *object_of(struct event_memory *memory, uint64_t object)
{
    struct told_object *bucket = memory->objects[object % BUCKET_COUNT];
    struct told_object *least = &bucket[0];
    for (size_t i = 0; i < BUCKET_PLACES; i++) {
        if (bucket[i].object == object)
            return &bucket[i];
        if (bucket[i].allowance.whole_at < least->allowance.whole_at)
            least = &bucket[i];
    }
    *least = (struct told_object){.object = object};
    return least;
}

static bool may_be_told(struct event_memory *memory, uint64_t object, uint64_t now)
{
    struct told_object *of_object = object_of(memory, object);
    return take(&of_object->allowance, EVENTS_OF_OBJECT_BURST, EVENTS_OF_OBJECT_INTERVAL_MS, now) &&
        take(&memory->allowance, EVENTS_BURST, EVENTS_INTERVAL_MS, now);
}

/*
 * Events
 */

static struct told_event *event_of(struct event_memory *memory, uint64_t event)
{
    struct told_event *bucket = memory->events[event % BUCKET_COUNT];
    struct told_event *oldest = &bucket[0];
    for (size_t i = 0; i < BUCKET_PLACES; i++) {
        if (bucket[i].record.count && bucket[i].event == event)
            return &bucket[i];
        if (bucket[i].last < oldest->last)
            oldest = &bucket[i];
    }
    *oldest = (struct told_event){.event = event};
    return oldest;
}

/* A count in the API has 31 bits. */
static void count_once_more(struct told_event *told)
{
    told->record.count += told->record.count < INT32_MAX;
}

static void begin_anew(struct event_memory *memory, struct told_event *told, int64_t time)
{
    told->record = (struct event_record){.id = next_id(memory), .first = time};
    told->is_told = false;
}

enum event_fate event_memory_note(
    struct event_memory *memory, const struct event *event, uint64_t now, struct event_record *record)
{
    uint64_t object = hash_object(memory, event);
    struct told_event *told = event_of(memory, hash_event(memory, object, event->rule));
    if (!told->record.count || now - told->last >= EVENT_KEPT_MS)
        begin_anew(memory, told, event->time);
    count_once_more(told);
    told->last = now;
    *record = told->record;
    if (!may_be_told(memory, object, now))
        return EVENT_LIMITED;
    enum event_fate fate = told->is_told ? EVENT_REPEATED : EVENT_NEW;
    told->is_told = true;
    return fate;
}
