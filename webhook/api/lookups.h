/*
 * lookups.h: objects fetched from the API server while a review waits, several at a time.
 *
 * Every look-up ends soon: a look-up that would take too long, or that finds no free place, ends without an
 * object. Reviews that wait for the same version of an object share one call. Fetched objects are kept for a
 * while, by their path, uid and resourceVersion: a forged review gets only the object that it names, and has
 * no effect on the reviews of other objects.
 */
#ifndef APPLYGUARD_WEBHOOK_API_LOOKUPS_H
#define APPLYGUARD_WEBHOOK_API_LOOKUPS_H

#include "base/error.h"
#include "webhook/api/api_worker.h"
#include "webhook/api/looked_up.h"
#include "webhook/telemetry/lookup_outcome.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The timeout of a look-up. The default timeout of a webhook is 10 s, but people who wait for kubectl have
 * less patience.
 */
#define LOOKUP_MS 1000u

/* The limit of unfinished look-ups: more than a cluster that is busy scaling causes in a second. */
#define LOOKUPS_MAX 256u

/*
 * The limit of parallel calls. If the API server needs 50 ms for a call, this allows 320 calls per second.
 * They are a small part of the 400 requests that it serves in parallel by default (--max-requests-inflight).
 */
#define LOOKUPS_PARALLEL 16u

/*
 * A waiting look-up fails at once when less time is left than calls currently take. But a look-up always
 * starts if a call is free, so that the estimate improves with the answers.
 */
#define LOOKUP_EXPECTED_MS_MAX (LOOKUP_MS * 3 / 4)

/* The limits of kept objects: 2 MiB at most. */
#define LOOKUPS_KEPT_MAX 16u
#define LOOKUP_KEPT_BYTES_MAX ((size_t)128 * 1024)

/* The limit of an object: etcd stores no larger ones. */
#define LOOKUP_BYTES_MAX ((size_t)4 * 1024 * 1024)

/* The limits of all answers in progress, and of all objects that are kept or on their way to a loop. */
#define LOOKUPS_ANSWERS_BYTES_MAX (LOOKUP_BYTES_MAX + LOOKUP_BYTES_MAX / 2)
#define LOOKUPS_OBJECTS_BYTES_MAX (LOOKUP_BYTES_MAX + LOOKUPS_KEPT_MAX * LOOKUP_KEPT_BYTES_MAX)

/*
 * The memory of both, of the copies of growing answers, of the connections with their buffers, and of reading
 * an object before it is kept.
 */
#define LOOKUPS_BYTES_MAX                                                                                    \
    (LOOKUPS_ANSWERS_BYTES_MAX + LOOKUPS_OBJECTS_BYTES_MAX + LOOKUP_BYTES_MAX +                              \
     LOOKUPS_PARALLEL * ((size_t)128 << 10) + LOOKUP_KEPT_BYTES_MAX * 20)

#define LOOKUP_PATH_BYTES 640
#define LOOKUP_ID_BYTES 80

struct lookup_request {
    struct lookup_request *next;
    char path[LOOKUP_PATH_BYTES];
    char uid[LOOKUP_ID_BYTES];
    char resource_version[LOOKUP_ID_BYTES];
    uint64_t deadline;                     /* monotonic milliseconds */
    void (*done)(struct lookup_request *); /* called once, on the worker's thread */
    enum lookup_outcome outcome;
    struct looked_up *object; /* released by `done`; NULL if the look-up found no object */
    struct error error;
};

struct lookups;

/* `worker` must live until lookups_free. Returns NULL and sets the error if memory runs out. */
struct lookups *lookups_create(struct api_worker *worker, struct error *error);

/*
 * Starts a look-up, which owns the request until `done` is called. Returns false if all places are taken:
 * then the caller still owns the request, and `done` is not called. Thread-safe.
 */
bool lookups_ask(struct lookups *lookups, struct lookup_request *request);

/*
 * Refuses new look-ups, aborts the calls in progress, and returns when `done` was called for all. Loops may
 * call lookups_ask until they are joined, so free the lookups only afterwards. Accepts NULL.
 */
void lookups_stop(struct lookups *lookups);

/* Call it after the worker has stopped, when nothing can start a look-up or holds an object. Accepts NULL. */
void lookups_free(struct lookups *lookups);

#endif
