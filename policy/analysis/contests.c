#include "policy/analysis/contests.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* Fields whose hashes fall together share a bucket, and are searched one by one. */
#define BUCKET_FIELDS 8
#define BUCKET_COUNT (CONTESTS_FIELDS_MAX / BUCKET_FIELDS)

struct contested_field {
    uint64_t field; /* hashes */
    uint64_t version;
    uint64_t parties;
    uint32_t count; /* changes that stand in `times`; 0: the place is free */
    uint32_t next;  /* where the next one goes: over the oldest */
    int64_t times[CONTEST_CHANGES_MAX];
};

struct contests {
    pthread_mutex_t lock;
    struct siphash_seed seed;
    struct contested_field fields[BUCKET_COUNT][BUCKET_FIELDS];
};

struct contests *contests_create(struct siphash_seed seed)
{
    struct contests *contests = calloc(1, sizeof(*contests));
    if (!contests)
        return NULL;
    pthread_mutex_init(&contests->lock, NULL);
    contests->seed = seed;
    return contests;
}

void contests_destroy(struct contests *contests)
{
    if (!contests)
        return;
    pthread_mutex_destroy(&contests->lock);
    free(contests);
}

/* A change as hashes. */
struct hashed_change {
    uint64_t field;
    uint64_t version; /* 0: not known */
    uint64_t parties;
};

static struct hashed_change hash_change(const struct contests *contests, const struct contest_change *change)
{
    return (struct hashed_change){
        .field = siphash(change->field, contests->seed),
        .version = change->version.length ? siphash(change->version, contests->seed) : 0,
        .parties = siphash(change->parties, contests->seed),
    };
}

static struct contested_field *bucket_of(struct contests *contests, uint64_t field)
{
    return contests->fields[field % BUCKET_COUNT];
}

/* NULL: it is not remembered. */
static struct contested_field *find(struct contests *contests, uint64_t field)
{
    struct contested_field *bucket = bucket_of(contests, field);
    for (size_t i = 0; i < BUCKET_FIELDS; i++) {
        if (bucket[i].count && bucket[i].field == field)
            return &bucket[i];
    }
    return NULL;
}

static int64_t last_time(const struct contested_field *field)
{
    return field->times[(field->next + CONTEST_CHANGES_MAX - 1) % CONTEST_CHANGES_MAX];
}

static struct contested_field *make_room(struct contests *contests, uint64_t field)
{
    struct contested_field *bucket = bucket_of(contests, field);
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
 * from which the same is taken of the same. Who took it last and takes it anew has lost it meanwhile, which
 * the losers' times show even where that was seen by another replica, or by none.
 */
static bool is_noted(const struct contested_field *field, const struct hashed_change *change)
{
    return field->parties == change->parties || (change->version && field->version == change->version);
}

/* Either way from now: a clock that was set back must not make old changes new. */
static size_t count_within(const struct contested_field *field, int64_t now, int64_t window)
{
    size_t count = 0;
    for (uint32_t i = 0; i < field->count; i++) {
        int64_t age = now - field->times[i];
        count += age < window && age > -window;
    }
    return count;
}

size_t contests_count(
    struct contests *contests, const struct contest_change *change, int64_t now, int64_t window)
{
    struct hashed_change hashed = hash_change(contests, change);
    pthread_mutex_lock(&contests->lock);
    const struct contested_field *field = find(contests, hashed.field);
    size_t count = field ? count_within(field, now, window) : 0;
    bool is_new = !field || !is_noted(field, &hashed);
    pthread_mutex_unlock(&contests->lock);
    return count + is_new < CONTEST_CHANGES_MAX ? count + is_new : CONTEST_CHANGES_MAX;
}

static void note(struct contests *contests, const struct hashed_change *change, int64_t now)
{
    struct contested_field *field = find(contests, change->field);
    if (field && is_noted(field, change))
        return;
    if (!field) {
        field = make_room(contests, change->field);
        *field = (struct contested_field){.field = change->field};
    }
    field->version = change->version;
    field->parties = change->parties;
    field->times[field->next] = now;
    field->next = (field->next + 1) % CONTEST_CHANGES_MAX;
    field->count += field->count < CONTEST_CHANGES_MAX;
}

void contests_note(struct contests *contests, const struct contest_change *change, int64_t now)
{
    struct hashed_change hashed = hash_change(contests, change);
    pthread_mutex_lock(&contests->lock);
    note(contests, &hashed, now);
    pthread_mutex_unlock(&contests->lock);
}
