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
 * memory_protect and before other threads start. Returns -1 if libcurl cannot be used.
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

/* Whether the name is valid for an object, so that it needs no escaping in a path. */
bool kube_is_name(const char *name);

/* A memory budget, in bytes, that the answers of several calls share. Small overheads are not counted. */
struct kube_allowance {
    size_t max;
    size_t taken; /* 0 at first; the client counts here, on its own thread */
};

struct kube_request {
    const char *method;       /* GET, POST, PUT, PATCH, DELETE */
    const char *path;         /* /api/v1/namespaces/x/secrets/y?fieldManager=z, escaped like a URL */
    const char *content_type; /* of the body; NULL: application/json */
    const char *accept;       /* NULL: application/json */
    struct slice body;        /* must stay valid until the call returns */
    bool is_repeatable; /* sending it twice has the effect of sending it once, although its method does not
                           promise that */
    size_t answer_bytes_max; /* 0: KUBE_ANSWER_BYTES_MAX */
    struct kube_allowance
        *allowance;      /* shared with other calls; must live until the call is done; NULL: no allowance */
    uint64_t timeout_ms; /* for all tries together */
};

/* A response. Its body may contain keys. */
struct kube_response {
    long status;
    int64_t date; /* by the API server's clock, in seconds since 1970; 0: unknown */
    struct secret body;
};

/* Overwrites and frees the body; accepts an empty one. */
void kube_response_release(struct kube_response *response);

/*
 * Blocks until the answer comes, so do not call it in an event loop.
 *
 * Returns 0 if an answer came, with any status; otherwise -1 and sets the error. Retries without a
 * connection, and after 429 and 503; retries idempotent requests (GET, PUT, DELETE, apply, and requests with
 * `is_repeatable`) also after a broken connection and other 5xx. Follows Retry-After if it ends within the
 * timeout. The caller handles 409. Does not follow redirects.
 */
int kube_call(
    struct kube_client *client, const struct kube_request *request, struct kube_response *response,
    struct error *error);

/*
 * Several calls at a time
 */

/*
 * The work of a thread while it waits for an answer; it may begin and cancel calls. Returns the milliseconds
 * after which it must be called again (UINT64_MAX: no limit). It is also called after each answer and each
 * kube_wake.
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
 * Begins a call like kube_call; kube_run drives it. The memory that the request points to must stay valid
 * until `done` is called. Returns NULL if memory runs out; then `done` is not called.
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
 * server's reason and message if the body is a Status; other bodies are not printed. NUL-terminated.
 */
void kube_status_message(const struct kube_response *response, char *line, size_t capacity);

/* The error if an object was requested, and the answer has no bytes. */
#define KUBE_EMPTY_ANSWER "the API server's answer is empty"

/* Describes the answer in an error. Returns -1. */
int kube_refused(const struct kube_response *response, struct error *error);

#endif
