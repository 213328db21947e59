/*
 * client.h: a client of the Kubernetes API.
 *
 * A client keeps its connections alive between calls. Only one thread may use it at a time, except for
 * kube_wake and kube_client_stop. Calls are retried with random exponential backoff if a retry may help: the
 * API server cannot be reached, or says that it is busy.
 */
#ifndef APPLYGUARD_KUBE_CLIENT_H
#define APPLYGUARD_KUBE_CLIENT_H

#include "kube/config.h"

#include <stdint.h>

/* The limit of an answer, unless the request sets a lower one. */
#define KUBE_ANSWER_BYTES_MAX ((size_t)16 * 1024 * 1024)

/* The limit of tries per call. */
#define KUBE_TRIES_MAX 6

/*
 * Initializes libcurl so that it overwrites memory that it frees. Call it once, in the main thread, after
 * memory_protect and before other threads start. -1 if libcurl cannot be used.
 */
int kube_library_init(struct error *error);

struct kube_client;

/*
 * Reads files but sends nothing yet. NULL and an error for a configuration that can never work. Free it with
 * kube_client_free.
 */
struct kube_client *kube_client_create(const struct kube_config *config, struct error *error);

/* Accepts NULL. */
void kube_client_free(struct kube_client *client);

/* The namespace of the kubeconfig's context, or the pod's; NULL: none. */
const char *kube_namespace(const struct kube_client *client);

/* Whether it is a valid object name, which needs no escaping in a path. */
bool kube_is_name(const char *name);

/* A memory budget, in bytes, that the answers of several calls share. Small overheads are not counted. */
struct kube_allowance {
    size_t max;
    size_t taken; /* 0 at first; the client counts here, on its thread */
};

struct kube_request {
    const char *method;       /* GET, POST, PUT, PATCH, DELETE */
    const char *path;         /* /api/v1/namespaces/x/secrets/y?fieldManager=z, escaped as URLs are */
    const char *content_type; /* of the body; NULL: application/json */
    const char *accept;       /* NULL: application/json */
    struct slice body;        /* must stay valid until the call returns */
    bool is_repeatable;       /* sent twice it has the same effect, though its method does not say so */
    size_t answer_bytes_max;  /* 0: KUBE_ANSWER_BYTES_MAX */
    struct kube_allowance *allowance; /* shared with others; stays until the call is done; NULL: none */
    uint64_t timeout_ms;              /* for all tries together */
};

/* Bodies may hold keys. */
struct kube_response {
    long status;
    int64_t date; /* of the API server's clock, in seconds since 1970; 0: it does not say */
    struct secret body;
};

/* Cleanses and frees the body; accepts an empty one. */
void kube_response_release(struct kube_response *response);

/*
 * Blocks until the answer comes, so do not call it in an event loop.
 *
 * Returns 0 if an answer came, whatever its status; otherwise -1 and an error. Retries without a connection,
 * and after 429 and 503; for idempotent requests (GET, PUT, DELETE, apply, and what `is_repeatable`) also
 * after a broken connection and other 5xx. Honours Retry-After if it ends within the timeout. The caller
 * handles 409. Does not follow redirects.
 */
int kube_call(
    struct kube_client *client, const struct kube_request *request, struct kube_response *response,
    struct error *error);

/*
 * Several at a time
 */

/*
 * The work of a thread while it waits for an answer; it may begin and cancel calls. Returns after how many
 * milliseconds at most it must be called again (UINT64_MAX: no limit). It is also called after each answer
 * and each kube_wake.
 */
typedef uint64_t kube_meanwhile(void *data);

/* Like kube_call, but calls `meanwhile` while it waits. Do not call it in a kube_done, which must not wait.
 */
int kube_call_meanwhile(
    struct kube_client *client, const struct kube_request *request, kube_meanwhile *meanwhile, void *data,
    struct kube_response *response, struct error *error);

/* A call in progress. Its connection is kept for later calls. */
struct kube_pending;

/*
 * kube_run calls it once with the outcome of a call. It must release the response; if that is NULL, no answer
 * came and the error says why. It may begin and cancel calls.
 */
typedef void kube_done(void *data, struct kube_response *response, const struct error *error);

/*
 * Begins a call like kube_call; kube_run drives it. What the request points to must stay valid until `done`
 * is called. NULL if there is no memory; then `done` is not called.
 */
struct kube_pending *kube_begin(
    struct kube_client *client, const struct kube_request *request, kube_done *done, void *data);

/* Cancels the call, without calling `done`. */
void kube_cancel(struct kube_pending *pending);

/* Drives the calls in progress. If there is nothing to do, waits for at most `wait_ms` and returns. */
void kube_run(struct kube_client *client, uint64_t wait_ms);

/* Ends the current or next wait of kube_run. Any thread may call it. */
void kube_wake(struct kube_client *client);

/* Makes current and later calls return -1 at once, for a shutdown. Any thread may call it. */
void kube_client_stop(struct kube_client *client);

/*
 * Describes an answer in one printable line, such as "403 Forbidden: secrets \"y\" is forbidden: …": the API
 * server's reason and message if the body is a Status, and nothing else of the body. NUL-terminated.
 */
void kube_status_message(const struct kube_response *response, char *line, size_t capacity);

/* Said where an object was asked for, and the answer has no bytes. */
#define KUBE_EMPTY_ANSWER "the API server's answer is empty"

/* The same as an error. Returns -1. */
int kube_refused(const struct kube_response *response, struct error *error);

#endif
