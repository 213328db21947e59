/*
 * api_worker.h: the one thread that calls the API server for all who want something there, several calls at a
 * time: look-ups (lookups.h), Events (events.h), and certificates (self_certificate.h).
 *
 * Each of them is its own judge of what to begin and when. The thread only gives them turns, and moves on the
 * calls that they began. A turn that waits for an answer holds up none of the others.
 */
#ifndef APPLYGUARD_WEBHOOK_API_API_WORKER_H
#define APPLYGUARD_WEBHOOK_API_API_WORKER_H

#include "base/error.h"
#include "kube/client.h"

#include <stdbool.h>
#include <stdint.h>

struct api_worker;

/*
 * Takes out of a queue what may begin, on the worker's thread. In how many milliseconds it wants the next
 * turn at the latest; there is one sooner after each answer and each api_worker_wake. UINT64_MAX: it can
 * wait.
 */
typedef uint64_t api_turn(void *data);

/* As many as there are kinds of work. */
#define API_WORKER_TURNS_MAX 3

/* Takes the client over, and does nothing yet. NULL and an error if there is no memory. */
struct api_worker *api_worker_create(struct kube_client *client, struct error *error);

/* Before the start. */
void api_worker_add(struct api_worker *worker, api_turn *turn, void *data);

/* -1 and an error if there is no thread. */
int api_worker_start(struct api_worker *worker, struct error *error);

/* For calls, within a turn. */
struct kube_client *api_worker_client(struct api_worker *worker);

/*
 * kube_call, within a turn: the others get their turns while it waits, and this one is not taken again before
 * it has returned. For one kind of work alone: of two that wait, the first would wait for the second as well.
 */
int api_worker_call(
    struct api_worker *worker, const struct kube_request *request, struct kube_response *response,
    struct error *error);

/* From any thread: whether calls end without an answer because the worker stops. */
bool api_worker_is_stopping(const struct api_worker *worker);

/* From any thread: there is something to begin. */
void api_worker_wake(struct api_worker *worker);

/* Breaks off all calls, which are told of it, and joins the thread. Accepts NULL, and one never started. */
void api_worker_stop(struct api_worker *worker);

/* Once it was stopped, and nobody is left who may wake it. Accepts NULL. */
void api_worker_free(struct api_worker *worker);

#endif
