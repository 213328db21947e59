/*
 * api_worker.h: the one thread that makes all calls to the API server, several at a time: look-ups
 * (lookups.h), Events (events.h) and certificates (self_certificate.h).
 *
 * Each of them decides which calls to begin, and when. The thread only gives them turns, and drives the calls
 * that they have begun. A turn that waits for an answer does not delay the others.
 */
#ifndef APPLYGUARD_WEBHOOK_API_API_WORKER_H
#define APPLYGUARD_WEBHOOK_API_API_WORKER_H

#include "base/error.h"
#include "kube/client.h"

#include <stdbool.h>
#include <stdint.h>

struct api_worker;

/*
 * A turn, on the worker's thread: begins the calls that may begin. Returns in how many milliseconds the next
 * turn is needed at the latest, or UINT64_MAX. There is an earlier one after each answer and each
 * api_worker_wake.
 */
typedef uint64_t api_turn(void *data);

/* The limit of turns: one for each kind of work. */
#define API_WORKER_TURNS_MAX 3

/*
 * Creates a worker that owns the client, and does not start it yet. Returns NULL and sets the error if memory
 * runs out.
 */
struct api_worker *api_worker_create(struct kube_client *client, struct error *error);

/* Adds a kind of work. Call it before the start. */
void api_worker_add(struct api_worker *worker, api_turn *turn, void *data);

/* Returns -1 and sets the error if the thread cannot be created. */
int api_worker_start(struct api_worker *worker, struct error *error);

/* The client, for calls within a turn. */
struct kube_client *api_worker_client(struct api_worker *worker);

/*
 * As kube_call, within a turn. While it waits, the others get their turns, but this one does not. Only one
 * kind of work may use it: if two waited, the first would also wait for the second.
 */
int api_worker_call(
    struct api_worker *worker, const struct kube_request *request, struct kube_response *response,
    struct error *error);

/* Whether calls end without an answer because the worker is stopping. Thread-safe. */
bool api_worker_is_stopping(const struct api_worker *worker);

/* Wakes the worker because there is something to begin. Thread-safe. */
void api_worker_wake(struct api_worker *worker);

/* Aborts all calls, which end with an error, and joins the thread. Accepts NULL, and one never started. */
void api_worker_stop(struct api_worker *worker);

/* Call it after the stop, when nothing can wake it any more. Accepts NULL. */
void api_worker_free(struct api_worker *worker);

#endif
