/*
 * http.h: requests and answers, for handlers that do not depend on H2O.
 *
 * Each handler is a row of a table of routes. This module handles unknown paths, other methods and the format
 * of answers. No answer is ever a redirect, because the API server would follow it.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_HTTP_H
#define APPLYGUARD_WEBHOOK_HTTP_HTTP_H

#include "base/slice.h"
#include "webhook/http/h2o_api.h"

#include <stdbool.h>
#include <stddef.h>

struct loop;

/* A request to be answered. It lives until its answer is sent or its connection is closed. */
struct http_request {
    struct loop *loop; /* the loop that serves it */
    const struct route *route;
    struct slice type; /* the value of the header Content-Type; empty if the request has none */
    struct slice body;
    h2o_req_t *h2o;
};

/* Answers the request in this iteration of its loop, or later. */
typedef void route_handler(struct http_request *request);

struct route {
    struct slice path;
    const char *allow; /* the methods, in the form of the header Allow */
    route_handler *handle;
    const void *data; /* for the handler */
};

struct answer {
    int status;
    const char *content_type;
    struct slice body;
    bool is_verdict;
    bool close;        /* close the connection after this answer */
    bool retry;        /* Retry-After: 1; the API server then retries within its timeout */
    const char *allow; /* NULL: no such header */
};

/* Sends the answer at the end of this iteration, and copies its body. Omits the body for HEAD. */
void http_answer(struct http_request *request, const struct answer *answer);

/* Answers with a sentence as plain text. */
void http_answer_sentence(struct http_request *request, int status, const char *sentence);

/* The value of the header Accept; empty if the request has none. */
struct slice http_accept(const struct http_request *request);

/* Whether a Content-Type is application/json, with any parameters. */
bool http_is_json(struct slice content_type);

/*
 * Whether the `bytes` bytes after the request's body are in H2O's buffer, too. A caller that overwrites them
 * must restore them, because they may belong to the next request.
 */
bool http_has_room_behind_body(const struct http_request *request, size_t bytes);

/*
 * For handlers that keep a request beyond its iteration: `gone` is called when the request ends, unless it is
 * NULL by then.
 */
struct http_watch {
    void (*gone)(void *data);
    void *data;
};

/* It lives as long as the request. */
struct http_watch *http_watch(struct http_request *request, void (*gone)(void *), void *data);

struct http_config {
    h2o_globalconf_t h2o;
};

/* Sets up `config` to serve only `routes`, which must live as long. */
void http_configure(
    struct http_config *config, const struct route *routes, size_t count, size_t max_body_bytes);

void http_dispose(struct http_config *config);

/* Keeps H2O from moving large buffers to files in /tmp, for the whole process. */
void http_keep_buffers_in_memory(void);

#endif
