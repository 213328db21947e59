/*
 * http.h: requests and answers, for handlers that know nothing of H2O.
 *
 * Handlers are rows of a table of routes; what is common to all (unknown paths, other methods, the form of an
 * answer) is done here. No answer is ever a redirect: the API server would follow it.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_HTTP_H
#define APPLYGUARD_WEBHOOK_HTTP_HTTP_H

#include "base/slice.h"
#include "webhook/http/h2o_api.h"

#include <stdbool.h>
#include <stddef.h>

struct loop;

/* A request that is to be answered. It lives until it was, or its connection is gone. */
struct http_request {
    struct loop *loop; /* that serves it */
    const struct route *route;
    struct slice type; /* the value of the header Content-Type; empty if there is none */
    struct slice body;
    h2o_req_t *h2o;
};

/* Answers the request in this iteration of its loop, or later. */
typedef void route_handler(struct http_request *request);

struct route {
    struct slice path;
    const char *allow; /* the methods, as the header Allow names them */
    route_handler *handle;
    const void *data; /* the handler's own */
};

struct answer {
    int status;
    const char *content_type;
    struct slice body;
    bool is_verdict;
    bool close;        /* the connection, after this answer */
    bool retry;        /* Retry-After: 1; the API server then tries again within its timeout */
    const char *allow; /* NULL: no such header */
};

/* Has the answer sent at the end of this iteration; its body is copied. To HEAD goes everything but the body.
 */
void http_answer(struct http_request *request, const struct answer *answer);

/* The same with a sentence as plain text. */
void http_answer_sentence(struct http_request *request, int status, const char *sentence);

/* The value of the header Accept; empty if there is none. */
struct slice http_accept(const struct http_request *request);

/* Whether a Content-Type is application/json, with any parameters. */
bool http_is_json(struct slice content_type);

/*
 * Whether the `bytes` bytes behind the request's body are in H2O's buffer, too: whoever writes there puts
 * back what may be the next request.
 */
bool http_has_room_behind_body(const struct http_request *request, size_t bytes);

/* For whoever keeps a request beyond its iteration: is told when it is gone, unless `gone` is NULL by then.
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

/* Sets `config` up to serve `routes` (which must live as long) and nothing else. */
void http_configure(
    struct http_config *config, const struct route *routes, size_t count, size_t max_body_bytes);

void http_dispose(struct http_config *config);

/* For the whole process: large buffers stay in memory, and are not moved to files in /tmp. */
void http_keep_buffers_in_memory(void);

#endif
