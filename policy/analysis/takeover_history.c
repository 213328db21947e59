#include "policy/analysis/takeover_history.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* Fields whose hashes fall together share a bucket, and are searched one by one. */
#define BUCKET_FIELDS 8
#define BUCKET_COUNT (TAKEOVER_FIELDS_MAX / BUCKET_FIELDS)

struct contested_field {
    uint64_t field; /* hashes */
    uint64_t version;
    uint64_t parties;
    uint64_t writer; /* of the last change */
    uint32_t count;  /* changes in `times`; 0: the place is free */
    uint32_t next;   /* where the next one goes: over the oldest */
    int64_t times[TAKEOVERS_MAX];
};

struct takeover_history {
    pthread_mutex_t lock;
    struct siphash_seed seed;
    struct contested_field fields[BUCKET_COUNT][BUCKET_FIELDS];
};

struct takeover_history *takeover_history_create(struct siphash_seed seed)
{
    struct takeover_history *history = calloc(1, sizeof(*history));
    if (!history)
        return NULL;
    pthread_mutex_init(&history->lock, NULL);
    history->seed = seed;
    return history;
}

void takeover_history_destroy(struct takeover_history *history)
{
    if (!history)
        return;
    pthread_mutex_destroy(&history->lock);
    free(history);
}

/* A change as hashes. */
struct hashed_change {
    uint64_t field;
    uint64_t version; /* 0: not known */
    uint64_t parties;
    uint64_t writer;
};

static struct hashed_change hash_change(const struct takeover_history *history, const struct takeover *change)
{
    return (struct hashed_change){
        .field = siphash(change->field, history->seed),
        .version = change->version.length ? siphash(change->version, history->seed) : 0,
        .parties = siphash(change->parties, history->seed),
        .writer = siphash(change->writer, history->seed),
    };
}

static struct contested_field *bucket_of(struct takeover_history *history, uint64_t field)
{
    return history->fields[field % BUCKET_COUNT];
}

/* NULL: it is not remembered. */
static struct contested_field *find(struct takeover_history *history, uint64_t field)
{
    struct contested_field *bucket = bucket_of(history, field);
    for (size_t i = 0; i < BUCKET_FIELDS; i++) {
        if (bucket[i].count && bucket[i].field == field)
            return &bucket[i];
    }
    return NULL;
}

static int64_t last_time(const struct contested_field *field)
{
    return field->times[(field->next + TAKEOVERS_MAX - 1) % TAKEOVERS_MAX];
}

static struct contested_field *make_room(struct takeover_history *history, uint64_t field)
{
    struct contested_field *bucket = bucket_of(history, field);
    struct contested_field *oldest = &bucket[0];
    for (size_t i = 0; i < BUCKET_FIELDS; i++) {
        if (!bucket[i].count)
            return &bucket[i];
        if (last_time(&bucket[i]) < last_time(oldest))
            oldest = &bucket[i];
    }
    return oldest;
}

/*
 * The API server asks again where its copy of the object was stale: of the same version, or of a newer one
 * from which the same is taken of the same. A manager that took it last and takes it again has lost it
 * meanwhile: the previous owners' times show that even if another replica, or none, saw it.
 */
static bool is_noted(const struct contested_field *field, const struct hashed_change *change)
{
    return field->parties == change->parties || (change->version && field->version == change->version);
}

/* Either way from now: a clock that was set back must not make old changes new. */
static bool is_within(int64_t time, int64_t now, int64_t window)
{
    int64_t age = now - time;
    return age < window && age > -window;
}

static size_t count_within(const struct contested_field *field, int64_t now, int64_t window)
{
    size_t count = 0;
    for (uint32_t i = 0; i < field->count; i++)
        count += is_within(field->times[i], now, window);
    return count;
}

size_t takeover_history_count(
    struct takeover_history *history, const struct takeover *change, int64_t now, int64_t window)
{
    struct hashed_change hashed = hash_change(history, change);
    pthread_mutex_lock(&history->lock);
    const struct contested_field *field = find(history, hashed.field);
    size_t count = field ? count_within(field, now, window) : 0;
    bool is_new = !field || !is_noted(field, &hashed);
    pthread_mutex_unlock(&history->lock);
    return count + is_new < TAKEOVERS_MAX ? count + is_new : TAKEOVERS_MAX;
}

bool takeover_history_was_taken(
    struct takeover_history *history, struct slice field, struct slice writer, int64_t now, int64_t window)
{
    uint64_t field_hash = siphash(field, history->seed), writer_hash = siphash(writer, history->seed);
    pthread_mutex_lock(&history->lock);
    const struct contested_field *found = find(history, field_hash);
    bool was_taken = found && found->writer == writer_hash && is_within(last_time(found), now, window);
    pthread_mutex_unlock(&history->lock);
    return was_taken;
}

static void note(struct takeover_history *history, const struct hashed_change *change, int64_t now)
{
    struct contested_field *field = find(history, change->field);
    if (field && is_noted(field, change))
        return;
    if (!field) {
        field = make_room(history, change->field);
        *field = (struct contested_field){.field = change->field};
    }
    field->version = change->version;
    field->parties = change->parties;
    field->writer = change->writer;
    field->times[field->next] = now;
    field->next = (field->next + 1) % TAKEOVERS_MAX;
    field->count += field->count < TAKEOVERS_MAX;
}

void takeover_history_note(struct takeover_history *history, const struct takeover *change, int64_t now)
{
    struct hashed_change hashed = hash_change(history, change);
    pthread_mutex_lock(&history->lock);
    note(history, &hashed, now);
    pthread_mutex_unlock(&history->lock);
}
