/*
 * lookups.h: objects fetched from the API server while a review waits, several at a time.
 *
 * Whoever asks is told in any case, and soon: a look-up that would come too late, or that there is no room
 * for, is answered without an object. Reviews that wait for the same version of an object share one call.
 * What was fetched is kept for a while; an object's resourceVersion tells exactly whether it is still the
 * one.
 */
#ifndef APPLYGUARD_WEBHOOK_API_LOOKUPS_H
#define APPLYGUARD_WEBHOOK_API_LOOKUPS_H

#include "base/error.h"
#include "webhook/api/api_worker.h"
#include "webhook/api/looked_up.h"
#include "webhook/telemetry/lookup_outcome.h"

#include <stdbool.h>
#include <stdint.h>

/* From the question to the answer. A webhook has 10 s by default; people who wait for kubectl have less. */
#define LOOKUP_MS 1000u

/* Look-ups that are not done: more than come in a second from a cluster that is busy scaling. */
#define LOOKUPS_MAX 256u

/*
 * Calls at a time. An API server that needs 50 ms answers 320 a second; and all of them are a small part of
 * the 400 reads that it serves at a time by default (--max-requests-inflight).
 */
#define LOOKUPS_PARALLEL 16u

/*
 * Whoever waits is told at once when less time is left than calls take now. However slow they are, a look-up
 * that may begin as soon as it is asked for is given its chance, so the guess gets better with the answers.
 */
#define LOOKUP_EXPECTED_MS_MAX (LOOKUP_MS * 3 / 4)

/* What is kept: 2 MiB at most. */
#define LOOKUPS_KEPT_MAX 16u
#define LOOKUP_KEPT_BYTES_MAX ((size_t)128 * 1024)

/* No object that etcd takes is larger as JSON. */
#define LOOKUP_BYTES_MAX ((size_t)4 * 1024 * 1024)

/* Of all answers under way, and of all objects that are kept or on their way to a loop. */
#define LOOKUPS_ANSWERS_BYTES_MAX (LOOKUP_BYTES_MAX + LOOKUP_BYTES_MAX / 2)
#define LOOKUPS_OBJECTS_BYTES_MAX (LOOKUP_BYTES_MAX + LOOKUPS_KEPT_MAX * LOOKUP_KEPT_BYTES_MAX)

/* Both, what a growing answer is copied from, and the connections with their buffers. */
#define LOOKUPS_BYTES_MAX                                                                                    \
    (LOOKUPS_ANSWERS_BYTES_MAX + LOOKUPS_OBJECTS_BYTES_MAX + LOOKUP_BYTES_MAX +                              \
     LOOKUPS_PARALLEL * ((size_t)128 << 10))

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
    struct looked_up *object; /* released by whoever is told; NULL: there is none */
    struct error error;
};

struct lookups;

/* Done by the worker, which stays until lookups_free. NULL and an error if there is no memory. */
struct lookups *lookups_create(struct api_worker *worker, struct error *error);

/*
 * Asks for an object; the request belongs to the lookups until it is done. False if there is no room: then it
 * stays the caller's, and nobody is told. Any thread may call it.
 */
bool lookups_ask(struct lookups *lookups, struct lookup_request *request);

/*
 * Refuses whoever asks from here on, breaks off the calls under way, and returns once all who waited were
 * told. Loops may still ask until they are joined, so what they ask stays until lookups_free. Accepts NULL.
 */
void lookups_stop(struct lookups *lookups);

/* Once the worker was stopped, and nobody is left who may ask or holds an object. Accepts NULL. */
void lookups_free(struct lookups *lookups);

#endif
