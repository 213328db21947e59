#include "webhook/api/lookups.h"

#include "base/json.h"
#include "system/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* One call, for all requests that wait for it. */
struct fetch {
    struct lookups *lookups;
    struct kube_pending *call;     /* NULL: the place is free */
    struct lookup_request *asking; /* the first request, for which the call was begun */
    uint64_t begun_at;
};

struct kept {
    char path[LOOKUP_PATH_BYTES];
    char uid[LOOKUP_ID_BYTES];
    char resource_version[LOOKUP_ID_BYTES];
    struct looked_up *object;
};

/* First in, first out. */
struct request_queue {
    struct lookup_request *first, **end;
};

struct lookups {
    struct api_worker *worker;
    pthread_mutex_t lock;
    pthread_cond_t all_done;
    atomic_size_t bytes_held;

    /* Under the lock. */
    struct request_queue asked;
    unsigned count; /* unfinished look-ups */
    bool is_stopping;

    /* Only the worker's thread uses the members below. The oldest kept object is replaced first. */
    struct request_queue waiting;
    struct fetch fetches[LOOKUPS_PARALLEL];
    struct kept kept[LOOKUPS_KEPT_MAX];
    unsigned next_kept;
    struct kube_allowance answers;
    uint64_t expected_ms; /* the expected duration of a call, an average of the last ones */
};

static void queue_clear(struct request_queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
}

/* Appends all requests of `other`, which is empty then. */
static void queue_append(struct request_queue *queue, struct request_queue *other)
{
    if (!other->first)
        return;
    *queue->end = other->first;
    queue->end = other->end;
    queue_clear(other);
}

/* All three come from a review, which may be forged: they must match together. */
static bool is_same_version(
    const struct lookup_request *request, const char *path, const char *uid, const char *version)
{
    return *version && strcmp(request->path, path) == 0 && strcmp(request->uid, uid) == 0 &&
        strcmp(request->resource_version, version) == 0;
}

/*
 * Finishing
 */

static void finish(struct lookups *lookups, struct lookup_request *request, enum lookup_outcome outcome)
{
    request->outcome = outcome;
    request->done(request);
    pthread_mutex_lock(&lookups->lock);
    if (--lookups->count == 0)
        pthread_cond_signal(&lookups->all_done);
    pthread_mutex_unlock(&lookups->lock);
}

static void finish_all(struct fetch *fetch, struct looked_up *object, const struct error *error)
{
    enum lookup_outcome outcome = object ? LOOKUP_FETCHED : LOOKUP_FAILED;
    struct lookup_request *request = fetch->asking, *next;
    fetch->asking = NULL;
    for (; request; request = next) {
        next = request->next;
        request->object = object ? looked_up_hold(object) : NULL;
        if (!object)
            request->error = *error;
        finish(fetch->lookups, request, outcome);
        outcome = object ? LOOKUP_KEPT : LOOKUP_FAILED;
    }
}

/*
 * Kept objects
 */

static struct looked_up *find_kept(struct lookups *lookups, const struct lookup_request *request)
{
    for (unsigned i = 0; i < LOOKUPS_KEPT_MAX; i++) {
        const struct kept *kept = &lookups->kept[i];
        if (kept->object && is_same_version(request, kept->path, kept->uid, kept->resource_version))
            return kept->object;
    }
    return NULL;
}

static bool is_metadata(yyjson_val *object, const char *name, const char *text)
{
    return slice_equal(json_text(json_metadata(object, slice_of(name))), slice_of(text));
}

/* Returns false as well if memory runs out. */
static bool is_what_was_asked(const struct lookup_request *request, const struct looked_up *object)
{
    struct arena *arena = arena_create();
    yyjson_val *root = arena ? json_parse(secret_slice(&object->json), arena) : NULL;
    bool is_asked = root && is_metadata(root, "uid", request->uid) &&
        is_metadata(root, "resourceVersion", request->resource_version);
    arena_destroy(arena);
    return is_asked;
}

/*
 * Keeps the object under its own uid and version: a forged review may name a version that does not exist yet,
 * and must not store the present object under it.
 */
static void keep(struct lookups *lookups, const struct lookup_request *request, struct looked_up *object)
{
    struct kept *kept = &lookups->kept[lookups->next_kept];
    if (object->json.length > LOOKUP_KEPT_BYTES_MAX || !is_what_was_asked(request, object))
        return;
    looked_up_release(kept->object);
    memcpy(kept->path, request->path, sizeof(kept->path));
    memcpy(kept->uid, request->uid, sizeof(kept->uid));
    memcpy(kept->resource_version, request->resource_version, sizeof(kept->resource_version));
    kept->object = looked_up_hold(object);
    lookups->next_kept = (lookups->next_kept + 1) % LOOKUPS_KEPT_MAX;
}

/*
 * Fetching
 */

/* Copies the object into a block of its size: the answer's buffer is larger. */
static struct looked_up *take_object(
    struct lookups *lookups, struct kube_response *response, struct error *error)
{
    if (response->status != 200) {
        kube_refused(response, error);
        return NULL;
    }
    if (!response->body.length) {
        error_set(error, KUBE_EMPTY_ANSWER);
        return NULL;
    }
    if (atomic_load(&lookups->bytes_held) + response->body.length > LOOKUPS_OBJECTS_BYTES_MAX) {
        error_set(error, "too many large objects at once");
        return NULL;
    }
    struct secret json = secret_copy(&response->body);
    struct looked_up *object = json.bytes ? looked_up_create(&json, &lookups->bytes_held) : NULL;
    if (!object)
        error_set_out_of_memory(error);
    secret_free(&json);
    return object;
}

/* The last call counts a quarter, so that one slow call does not reject many look-ups. */
static void note_time(struct lookups *lookups, uint64_t took)
{
    uint64_t before = lookups->expected_ms ? lookups->expected_ms : took;
    uint64_t expected = (3 * before + took) / 4;
    lookups->expected_ms = expected < LOOKUP_EXPECTED_MS_MAX ? expected : LOOKUP_EXPECTED_MS_MAX;
}

static void take_answer(void *data, struct kube_response *response, const struct error *error)
{
    struct fetch *fetch = data;
    struct lookups *lookups = fetch->lookups;
    struct error problem = *error;
    fetch->call = NULL;
    note_time(lookups, monotonic_milliseconds() - fetch->begun_at);
    struct looked_up *object = response ? take_object(lookups, response, &problem) : NULL;
    if (response)
        kube_response_release(response);
    if (object)
        keep(lookups, fetch->asking, object);
    finish_all(fetch, object, &problem);
    looked_up_release(object);
}

/* Returns false if memory runs out. */
static bool begin(struct fetch *fetch, struct lookup_request *request, uint64_t now)
{
    const struct kube_request call = {
        .method = "GET",
        .path = request->path,
        .timeout_ms = request->deadline - now,
        .answer_bytes_max = LOOKUP_BYTES_MAX,
        .allowance = &fetch->lookups->answers,
    };
    request->next = NULL;
    fetch->asking = request;
    fetch->begun_at = now;
    fetch->call = kube_begin(api_worker_client(fetch->lookups->worker), &call, take_answer, fetch);
    return fetch->call;
}

/*
 * Turns
 */

static struct fetch *free_fetch(struct lookups *lookups)
{
    for (unsigned i = 0; i < LOOKUPS_PARALLEL; i++)
        if (!lookups->fetches[i].call)
            return &lookups->fetches[i];
    return NULL;
}

static struct fetch *fetch_of(struct lookups *lookups, const struct lookup_request *request)
{
    for (unsigned i = 0; i < LOOKUPS_PARALLEL; i++) {
        struct fetch *fetch = &lookups->fetches[i];
        const struct lookup_request *asking = fetch->asking;
        if (fetch->call && is_same_version(request, asking->path, asking->uid, asking->resource_version))
            return fetch;
    }
    return NULL;
}

static void join(struct fetch *fetch, struct lookup_request *request)
{
    request->next = fetch->asking->next;
    fetch->asking->next = request;
}

/*
 * The time at which a waiting request must fail, because a call that begins later would exceed its deadline.
 */
static uint64_t last_begin(const struct lookups *lookups, const struct lookup_request *request)
{
    return request->deadline - lookups->expected_ms;
}

/* Returns false if the look-up has to wait. */
static bool look_up(struct lookups *lookups, struct lookup_request *request, uint64_t now)
{
    struct looked_up *kept = find_kept(lookups, request);
    struct fetch *fetch = kept ? NULL : fetch_of(lookups, request);
    if (kept) {
        request->object = looked_up_hold(kept);
        finish(lookups, request, LOOKUP_KEPT);
    } else if (fetch) {
        join(fetch, request);
    } else if (now >= last_begin(lookups, request)) {
        finish(lookups, request, LOOKUP_LATE);
    } else if (!(fetch = free_fetch(lookups))) {
        return false;
    } else if (!begin(fetch, request, now)) {
        struct error error = {0};
        error_set_out_of_memory(&error);
        finish_all(fetch, NULL, &error);
    }
    return true;
}

static void look_up_all(struct lookups *lookups, uint64_t now)
{
    struct lookup_request *request = lookups->waiting.first, *next;
    queue_clear(&lookups->waiting);
    for (; request; request = next) {
        next = request->next;
        if (look_up(lookups, request, now))
            continue;
        request->next = NULL;
        *lookups->waiting.end = request;
        lookups->waiting.end = &request->next;
    }
}

static void break_off(struct lookups *lookups)
{
    struct error error = {0};
    error_set(&error, "the server stops");
    for (unsigned i = 0; i < LOOKUPS_PARALLEL; i++) {
        struct fetch *fetch = &lookups->fetches[i];
        if (fetch->call)
            kube_cancel(fetch->call);
        fetch->call = NULL;
        finish_all(fetch, NULL, &error);
    }
    struct fetch rest = {.lookups = lookups, .asking = lookups->waiting.first};
    queue_clear(&lookups->waiting);
    finish_all(&rest, NULL, &error);
}

static uint64_t take_turn(void *data)
{
    struct lookups *lookups = data;
    pthread_mutex_lock(&lookups->lock);
    bool is_stopping = lookups->is_stopping;
    queue_append(&lookups->waiting, &lookups->asked);
    pthread_mutex_unlock(&lookups->lock);
    uint64_t now = monotonic_milliseconds();
    if (is_stopping)
        break_off(lookups);
    else
        look_up_all(lookups, now);
    if (!lookups->waiting.first)
        return UINT64_MAX;
    uint64_t end = last_begin(lookups, lookups->waiting.first);
    return end > now ? end - now : 0;
}

/*
 * Begin and end
 */

struct lookups *lookups_create(struct api_worker *worker, struct error *error)
{
    struct lookups *lookups = calloc(1, sizeof(*lookups));
    if (!lookups) {
        error_set_out_of_memory(error);
        return NULL;
    }
    lookups->worker = worker;
    lookups->answers.max = LOOKUPS_ANSWERS_BYTES_MAX;
    pthread_mutex_init(&lookups->lock, NULL);
    pthread_cond_init(&lookups->all_done, NULL);
    atomic_init(&lookups->bytes_held, 0);
    queue_clear(&lookups->asked);
    queue_clear(&lookups->waiting);
    for (unsigned i = 0; i < LOOKUPS_PARALLEL; i++)
        lookups->fetches[i].lookups = lookups;
    api_worker_add(worker, take_turn, lookups);
    return lookups;
}

bool lookups_ask(struct lookups *lookups, struct lookup_request *request)
{
    pthread_mutex_lock(&lookups->lock);
    bool has_room = !lookups->is_stopping && lookups->count < LOOKUPS_MAX;
    if (has_room) {
        request->next = NULL;
        *lookups->asked.end = request;
        lookups->asked.end = &request->next;
        lookups->count++;
    }
    pthread_mutex_unlock(&lookups->lock);
    if (has_room)
        api_worker_wake(lookups->worker);
    return has_room;
}

void lookups_stop(struct lookups *lookups)
{
    if (!lookups)
        return;
    pthread_mutex_lock(&lookups->lock);
    lookups->is_stopping = true;
    api_worker_wake(lookups->worker);
    while (lookups->count)
        pthread_cond_wait(&lookups->all_done, &lookups->lock);
    pthread_mutex_unlock(&lookups->lock);
}

void lookups_free(struct lookups *lookups)
{
    if (!lookups)
        return;
    for (unsigned i = 0; i < LOOKUPS_KEPT_MAX; i++)
        looked_up_release(lookups->kept[i].object);
    pthread_cond_destroy(&lookups->all_done);
    pthread_mutex_destroy(&lookups->lock);
    free(lookups);
}
