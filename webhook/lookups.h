/*
 * lookups.h: objects fetched from the API server while a review waits, one after another on a thread of their
 * own.
 *
 * Whoever asks is told in any case, and soon: a lookup that comes too late, or that there is no room for, is
 * answered without an object. What was fetched is kept for a while; an object's resourceVersion tells exactly
 * whether it is still the one.
 */
#ifndef APPLYGUARD_WEBHOOK_LOOKUPS_H
#define APPLYGUARD_WEBHOOK_LOOKUPS_H

#include "certs/key.h"
#include "kube/client.h"
#include "policy/error.h"

#include <stdbool.h>
#include <stdint.h>

/* From the question to the answer. A webhook has 10 s by default; people who wait for kubectl have less. */
#define LOOKUP_MS 1000u

/* Lookups that wait: more than come in a second from a cluster that is busy scaling. */
#define LOOKUPS_MAX 64u

/* What is kept: 2 MiB at most. */
#define LOOKUPS_KEPT_MAX 16u
#define LOOKUP_KEPT_BYTES_MAX ((size_t)128 * 1024)

/* No object that etcd takes is larger as JSON. */
#define LOOKUP_BYTES_MAX ((size_t)4 * 1024 * 1024)

/* What is kept, and the object under way while its buffer grows, and one on its way to a loop. */
#define LOOKUPS_BYTES_MAX (LOOKUPS_KEPT_MAX * LOOKUP_KEPT_BYTES_MAX + 3 * LOOKUP_BYTES_MAX)

#define LOOKUP_PATH_BYTES 640
#define LOOKUP_ID_BYTES 80

enum lookup_outcome {
    LOOKUP_FETCHED,
    LOOKUP_KEPT,       /* had been fetched before */
    LOOKUP_FAILED,     /* `error` says why */
    LOOKUP_LATE,       /* others took the time */
    LOOKUP_OVERLOADED, /* too many wait: never begun */
};
#define LOOKUP_OUTCOME_COUNT 5

struct lookup_request {
    struct lookup_request *next;
    char path[LOOKUP_PATH_BYTES];
    char uid[LOOKUP_ID_BYTES];
    char resource_version[LOOKUP_ID_BYTES];
    uint64_t deadline;                     /* monotonic milliseconds */
    void (*done)(struct lookup_request *); /* called once, on the lookups' thread */
    enum lookup_outcome outcome;
    struct secret object; /* freed by whoever is told */
    struct error error;
};

struct lookups;

/* Takes the client over. NULL and an error if there is no memory or thread. */
struct lookups *lookups_start(struct kube_client *client, struct error *error);

/*
 * Asks for an object; the request belongs to the lookups until it is done. False if there is no room: then it
 * stays the caller's, and nobody is told. Any thread may call it.
 */
bool lookups_ask(struct lookups *lookups, struct lookup_request *request);

/*
 * Refuses whoever asks from here on, ends the call under way, tells whoever waits, and joins the thread.
 * Loops may still ask until they are joined, so what they ask stays until lookups_free. Accepts NULL.
 */
void lookups_stop(struct lookups *lookups);

/* Once it was stopped, and nobody is left who may ask. Accepts NULL. */
void lookups_free(struct lookups *lookups);

/* "fetched", "kept", "failed", "late", "overloaded". */
const char *lookup_outcome_name(enum lookup_outcome outcome);

#endif
