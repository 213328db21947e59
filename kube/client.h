/*
 * client.h: asking the Kubernetes API.
 *
 * A client keeps its connections alive between calls, and is used by one thread at a time; only kube_wake and
 * kube_client_stop may come from another. A call is tried again, with growing and random waits, where a
 * second try may mend it: an API server that is not reached or says it is busy.
 */
#ifndef APPLYGUARD_KUBE_CLIENT_H
#define APPLYGUARD_KUBE_CLIENT_H

#include "kube/config.h"

#include <stdint.h>

/* No answer is read further, if the request does not say less. */
#define KUBE_ANSWER_BYTES_MAX ((size_t)16 * 1024 * 1024)

/* A call is tried at most so often. */
#define KUBE_TRIES_MAX 6

/*
 * Readies libcurl, so that it overwrites memory it frees. The program calls it once, in the main thread after
 * memory_protect and before any other thread is there. -1 if libcurl cannot be used.
 */
int kube_library_init(struct error *error);

struct kube_client;

/*
 * Nothing is sent yet, but files are looked at: NULL and an error for what can never work. Freed with
 * kube_client_free.
 */
struct kube_client *kube_client_create(const struct kube_config *config, struct error *error);

/* Accepts NULL. */
void kube_client_free(struct kube_client *client);

/* Whether it may be an object's name, and so stand in a path as it is. */
bool kube_is_name(const char *name);

/* Of memory, in bytes: what the answers of some calls may take together, beside a little each. */
struct kube_allowance {
    size_t max;
    size_t taken; /* 0 at first; the client counts here, on its thread */
};

struct kube_request {
    const char *method;               /* GET, POST, PUT, PATCH, DELETE */
    const char *path;                 /* /api/v1/namespaces/x/secrets/y?fieldManager=z, escaped as URLs are */
    const char *content_type;         /* of the body; NULL: application/json */
    struct slice body;                /* the caller keeps it until the call returns */
    size_t answer_bytes_max;          /* 0: KUBE_ANSWER_BYTES_MAX */
    struct kube_allowance *allowance; /* shared with others; stays until the call is done; NULL: none */
    uint64_t timeout_ms;              /* for all tries together; an exec plugin's own time is not counted */
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
 * Waits for the answer, so it has no place on a loop that serves.
 *
 * 0 whenever an answer came, whatever its status; -1 and an error if none did. What is tried again: no
 * connection; 429 and 503; for requests that may safely be done twice (GET, PUT, DELETE, and applying) also a
 * connection that breaks and other 5xx. Retry-After is honoured where it ends within the timeout. 409 is for
 * the caller, who reads again. Redirects are not followed.
 */
int kube_call(
    struct kube_client *client, const struct kube_request *request, struct kube_response *response,
    struct error *error);

/*
 * Several at a time
 */

/*
 * What a thread has to do while it waits for an answer: it may begin and cancel calls. In how many
 * milliseconds it wants to be called again at the latest; it is called sooner after each answer and each
 * kube_wake. UINT64_MAX: it can wait.
 */
typedef uint64_t kube_meanwhile(void *data);

/* kube_call, which does this meanwhile. Not for kube_done, which must not wait. */
int kube_call_meanwhile(
    struct kube_client *client, const struct kube_request *request, kube_meanwhile *meanwhile, void *data,
    struct kube_response *response, struct error *error);

/* A call under way. It has a connection of its own, which is kept for the next. */
struct kube_pending;

/*
 * Is told what became of a call, once, by kube_run. The response is the receiver's to release; NULL if no
 * answer came, and then the error says why. It may begin and cancel calls.
 */
typedef void kube_done(void *data, struct kube_response *response, const struct error *error);

/*
 * Begins a call like kube_call's; kube_run moves it on. What the request points to stays until it is done.
 * NULL if there is no memory, and then nobody is told.
 */
struct kube_pending *kube_begin(
    struct kube_client *client, const struct kube_request *request, kube_done *done, void *data);

/* Breaks the call off: nobody is told. */
void kube_cancel(struct kube_pending *pending);

/* Moves on what is under way. Where nothing has come it waits, for `wait_ms` at most, and returns. */
void kube_run(struct kube_client *client, uint64_t wait_ms);

/* From any thread: ends the wait of kube_run, or the next one. */
void kube_wake(struct kube_client *client);

/*
 * From any thread: a call under way returns -1 at once, and so does every later one. A shutdown waits for
 * nobody.
 */
void kube_client_stop(struct kube_client *client);

/*
 * One printable line of an answer, such as "403 Forbidden: secrets \"y\" is forbidden: …": the API server's
 * own reason and message where the body is a Status, and nothing else of the body. Always ends with a NUL.
 */
void kube_status_message(const struct kube_response *response, char *line, size_t capacity);

/* The same as an error, for an answer that is not what was asked for. Returns -1. */
int kube_refused(const struct kube_response *response, struct error *error);

#endif
