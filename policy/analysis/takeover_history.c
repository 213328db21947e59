#include "policy/analysis/takeover_history.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* Fields whose hashes fall together share a bucket, and are searched one by one. */
#define BUCKET_FIELDS 8
#define BUCKET_COUNT (TAKEOVER_FIELDS_MAX / BUCKET_FIELDS)

/* Before all times, so far that no difference overflows. */
#define NEVER (INT64_MIN / 2)

struct contested_field {
    uint64_t field; /* hashes */
    uint64_t version;
    uint64_t parties;
    uint64_t writer; /* of the last change */
    uint32_t count;  /* changes in `times`; 0: the place is free */
    uint32_t next;   /* where the next one goes: over the oldest */
    int64_t times[TAKEOVERS_MAX];
    bool are_possible[TAKEOVERS_MAX]; /* these may not have come about */
    int64_t taken;                    /* when it last changed hands for certain */
    int64_t possible;                 /* when it last may have */
    uint64_t possible_writer;         /* takeover_writer_of(); 0: unknown */
    uint64_t possible_version;
};

struct takeover_history {
    pthread_mutex_t lock;
    struct siphash_seed seed;
    const struct takeover_unseen *unseen;
    size_t unseen_count;
    bool are_takes;   /* the unseen requests, and the possible changes */
    bool is_possible; /* the next change that is noted */
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
    uint64_t name; /* of the writer: takeover_writer_of() */
};

uint64_t takeover_writer_of(struct slice name)
{
    return name.length ? siphash(name, (struct siphash_seed){{0x74616b656f766572, 0x777269746572}}) : 0;
}

/* The same for a manager of takeover_manager_key(), which begins with the name. */
static uint64_t writer_of_key(struct slice manager)
{
    return takeover_writer_of(slice_until(manager, slice_find(manager, '\0')));
}

static struct hashed_change hash_change(const struct takeover_history *history, const struct takeover *change)
{
    return (struct hashed_change){
        .field = siphash(change->field, history->seed),
        .version = change->version.length ? siphash(change->version, history->seed) : 0,
        .parties = siphash(change->parties, history->seed),
        .writer = siphash(change->writer, history->seed),
        .name = writer_of_key(change->writer),
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

static size_t count_within(
    const struct contested_field *field, int64_t now, int64_t window, bool are_possible_too)
{
    size_t count = 0;
    for (uint32_t i = 0; i < field->count; i++)
        count += is_within(field->times[i], now, window) && (are_possible_too || !field->are_possible[i]);
    return count;
}

static bool is_unseen_within(const struct takeover_history *history, size_t i, int64_t now, int64_t window)
{
    return is_within(history->unseen[i].time, now, window);
}

/* How many unseen requests within the window are of the same writer as one of them. */
static size_t count_same(const struct takeover_history *history, size_t one, int64_t now, int64_t window)
{
    const struct takeover_unseen *unseen = history->unseen;
    size_t count = 0;
    for (size_t i = 0; i < history->unseen_count && unseen[one].writer; i++)
        count += unseen[i].writer == unseen[one].writer && is_unseen_within(history, i, now, window);
    return count;
}

/*
 * How often unseen requests may have taken the field, in addition to the known changes: between two takes by
 * one writer, another one takes it.
 */
static size_t count_unseen(const struct takeover_history *history, size_t known, int64_t now, int64_t window)
{
    size_t count = 0, most = 0;
    for (size_t i = 0; i < history->unseen_count && history->are_takes; i++) {
        if (!is_unseen_within(history, i, now, window))
            continue;
        size_t same = count_same(history, i, now, window);
        most = same > most ? same : most;
        count++;
    }
    size_t others = count - most;
    if (count == TAKEOVER_UNSEEN_MAX)
        return TAKEOVERS_MAX;
    return most > others + known + 1 ? others + others + known + 1 : count;
}

/*
 * Whether the manager may have taken the field since the last change that is recorded (NULL: none is). If
 * that was its own, it has it since.
 */
static bool may_have_taken(
    const struct takeover_history *history, const struct contested_field *field, struct slice manager,
    int64_t now, int64_t window)
{
    const uint64_t writer = writer_of_key(manager);
    if (field && field->possible >= field->taken && is_within(field->possible, now, window) &&
        (!field->possible_writer || field->possible_writer == writer))
        return true;
    for (size_t i = 0; i < history->unseen_count; i++) {
        const struct takeover_unseen *unseen = &history->unseen[i];
        bool is_after = !field || unseen->time >= field->taken;
        if (is_after && is_unseen_within(history, i, now, window) &&
            (!unseen->writer || unseen->writer == writer))
            return true;
    }
    return false;
}

size_t takeover_history_count(
    struct takeover_history *history, const struct takeover *change, int64_t now, int64_t window)
{
    struct hashed_change hashed = hash_change(history, change);
    pthread_mutex_lock(&history->lock);
    const struct contested_field *field = find(history, hashed.field);
    size_t count = field ? count_within(field, now, window, history->are_takes) : 0;
    bool is_new = !field || !is_noted(field, &hashed);
    count += count_unseen(history, count, now, window);
    pthread_mutex_unlock(&history->lock);
    return count + is_new < TAKEOVERS_MAX ? count + is_new : TAKEOVERS_MAX;
}

bool takeover_history_was_taken(
    struct takeover_history *history, struct slice field, struct slice writer, int64_t now, int64_t window)
{
    uint64_t field_hash = siphash(field, history->seed), writer_hash = siphash(writer, history->seed);
    pthread_mutex_lock(&history->lock);
    const struct contested_field *found = find(history, field_hash);
    bool was_taken = found && found->writer == writer_hash && is_within(found->taken, now, window);
    if (!was_taken && may_have_taken(history, found, writer, now, window))
        was_taken = history->are_takes;
    pthread_mutex_unlock(&history->lock);
    return was_taken;
}

void takeover_history_assume(
    struct takeover_history *history, const struct takeover_unseen *unseen, size_t count, bool are_takes)
{
    pthread_mutex_lock(&history->lock);
    history->unseen = unseen;
    history->unseen_count = count;
    history->are_takes = are_takes;
    pthread_mutex_unlock(&history->lock);
}

void takeover_history_note_possible(struct takeover_history *history, bool is_possible)
{
    pthread_mutex_lock(&history->lock);
    history->is_possible = is_possible;
    pthread_mutex_unlock(&history->lock);
}

static void add_time(struct contested_field *field, int64_t now, bool is_possible)
{
    field->times[field->next] = now;
    field->are_possible[field->next] = is_possible;
    field->next = (field->next + 1) % TAKEOVERS_MAX;
    field->count += field->count < TAKEOVERS_MAX;
}

/* One request may have several possible writers. */
static void note_possible(struct contested_field *field, const struct hashed_change *change, int64_t now)
{
    bool is_noted = field->possible_version && field->possible_version == change->version;
    field->possible_writer = is_noted && field->possible_writer != change->name ? 0 : change->name;
    field->possible_version = change->version;
    field->possible = now;
    if (!is_noted)
        add_time(field, now, true);
}

static void note(struct takeover_history *history, const struct hashed_change *change, int64_t now)
{
    struct contested_field *field = find(history, change->field);
    if (field && is_noted(field, change))
        return;
    if (!field) {
        field = make_room(history, change->field);
        *field = (struct contested_field){.field = change->field, .taken = NEVER, .possible = NEVER};
    }
    if (history->is_possible) {
        note_possible(field, change, now);
        return;
    }
    field->version = change->version;
    field->parties = change->parties;
    field->writer = change->writer;
    field->taken = now;
    add_time(field, now, false);
}

void takeover_history_note(struct takeover_history *history, const struct takeover *change, int64_t now)
{
    struct hashed_change hashed = hash_change(history, change);
    pthread_mutex_lock(&history->lock);
    note(history, &hashed, now);
    pthread_mutex_unlock(&history->lock);
}
