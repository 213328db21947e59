#include "webhook/lookups.h"

#include "webhook/clock.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct kept {
    char uid[LOOKUP_ID_BYTES];
    char resource_version[LOOKUP_ID_BYTES];
    struct secret object;
};

struct lookups {
    struct kube_client *client;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* Under the lock. */
    struct lookup_request *first, *last;
    unsigned count;
    bool is_stopping;

    /* Of the thread alone; the oldest goes first. */
    struct kept kept[LOOKUPS_KEPT_MAX];
    unsigned next_kept;
};

const char *lookup_outcome_name(enum lookup_outcome outcome)
{
    static const char *const names[] = {"fetched", "kept", "failed", "late", "overloaded"};
    return names[outcome];
}

/*
 * What is kept
 */

static bool take_kept(struct lookups *lookups, struct lookup_request *request)
{
    for (unsigned i = 0; i < LOOKUPS_KEPT_MAX; i++) {
        const struct kept *kept = &lookups->kept[i];
        if (kept->object.bytes && strcmp(kept->uid, request->uid) == 0 &&
            strcmp(kept->resource_version, request->resource_version) == 0) {
            request->object = secret_copy(&kept->object);
            return request->object.bytes;
        }
    }
    return false;
}

/*
 * The object as it was fetched may be a later one than was asked for, and nobody asks for that one under this
 * version: then it is kept in vain, but never wrong, for whoever judges by it looks at the uid alone.
 */
static void keep(struct lookups *lookups, const struct lookup_request *request)
{
    struct kept *kept = &lookups->kept[lookups->next_kept];
    if (request->object.length > LOOKUP_KEPT_BYTES_MAX || !*request->resource_version)
        return;
    secret_free(&kept->object);
    memcpy(kept->uid, request->uid, sizeof(kept->uid));
    memcpy(kept->resource_version, request->resource_version, sizeof(kept->resource_version));
    kept->object = secret_copy(&request->object);
    if (kept->object.bytes)
        lookups->next_kept = (lookups->next_kept + 1) % LOOKUPS_KEPT_MAX;
}

/*
 * Fetching
 */

static int fetch(struct lookups *lookups, struct lookup_request *request, uint64_t left)
{
    struct kube_response response;
    struct kube_request call = {
        .method = "GET",
        .path = request->path,
        .timeout_ms = left,
        .answer_bytes_max = LOOKUP_BYTES_MAX,
    };
    if (kube_call(lookups->client, &call, &response, &request->error) != 0)
        return -1;
    if (response.status == 200) {
        request->object = response.body;
        return 0;
    }
    kube_refused(&response, &request->error);
    kube_response_release(&response);
    return -1;
}

static enum lookup_outcome look_up(struct lookups *lookups, struct lookup_request *request)
{
    uint64_t now = monotonic_milliseconds();
    if (take_kept(lookups, request))
        return LOOKUP_KEPT;
    if (now >= request->deadline)
        return LOOKUP_LATE;
    if (fetch(lookups, request, request->deadline - now) != 0)
        return LOOKUP_FAILED;
    keep(lookups, request);
    return LOOKUP_FETCHED;
}

/*
 * The thread
 */

/* NULL once it is to stop and nobody waits any more. */
static struct lookup_request *next_request(struct lookups *lookups)
{
    pthread_mutex_lock(&lookups->lock);
    while (!lookups->first && !lookups->is_stopping)
        pthread_cond_wait(&lookups->changed, &lookups->lock);
    struct lookup_request *request = lookups->first;
    if (request) {
        lookups->first = request->next;
        lookups->count--;
    }
    pthread_mutex_unlock(&lookups->lock);
    return request;
}

static void *run(void *data)
{
    struct lookups *lookups = data;
    struct lookup_request *request;
    while ((request = next_request(lookups))) {
        request->outcome = look_up(lookups, request);
        request->done(request);
    }
    OPENSSL_thread_stop();
    return NULL;
}

struct lookups *lookups_start(struct kube_client *client, struct error *error)
{
    struct lookups *lookups = calloc(1, sizeof(*lookups));
    if (!lookups) {
        kube_client_free(client);
        error_set(error, "out of memory");
        return NULL;
    }
    lookups->client = client;
    pthread_mutex_init(&lookups->lock, NULL);
    pthread_cond_init(&lookups->changed, NULL);
    int reason = pthread_create(&lookups->thread, NULL, run, lookups);
    if (reason == 0)
        return lookups;
    error_set(error, "cannot start a thread: %s", strerror(reason));
    kube_client_free(client);
    free(lookups);
    return NULL;
}

bool lookups_ask(struct lookups *lookups, struct lookup_request *request)
{
    pthread_mutex_lock(&lookups->lock);
    bool has_room = !lookups->is_stopping && lookups->count < LOOKUPS_MAX;
    if (has_room) {
        request->next = NULL;
        if (lookups->first)
            lookups->last->next = request;
        else
            lookups->first = request;
        lookups->last = request;
        lookups->count++;
        pthread_cond_signal(&lookups->changed);
    }
    pthread_mutex_unlock(&lookups->lock);
    return has_room;
}

void lookups_stop(struct lookups *lookups)
{
    if (!lookups)
        return;
    pthread_mutex_lock(&lookups->lock);
    lookups->is_stopping = true;
    pthread_cond_signal(&lookups->changed);
    pthread_mutex_unlock(&lookups->lock);
    kube_client_stop(lookups->client);
    pthread_join(lookups->thread, NULL);
}

void lookups_free(struct lookups *lookups)
{
    if (!lookups)
        return;
    for (unsigned i = 0; i < LOOKUPS_KEPT_MAX; i++)
        secret_free(&lookups->kept[i].object);
    kube_client_free(lookups->client);
    pthread_cond_destroy(&lookups->changed);
    pthread_mutex_destroy(&lookups->lock);
    free(lookups);
}
