/*
 * http.h: the one place where H2O's requests are taken apart and answered.
 *
 * Handlers are rows of a table of routes; what is common to all (unknown paths, other methods, the form of an
 * answer) is done here. No answer is ever a redirect: the API server would follow it.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_HTTP_H
#define APPLYGUARD_WEBHOOK_HTTP_HTTP_H

/* libh2o-evloop was built for epoll; its headers want to be told. */
#define H2O_USE_EPOLL 1
#include <h2o.h>
#include <h2o/http1.h>

#include "base/slice.h"
#include "policy/action.h"

#include <stdbool.h>
#include <stddef.h>

struct loop;
struct route;

typedef void route_handler(struct loop *loop, const struct route *route, h2o_req_t *request);

struct route {
    struct slice path;
    const char *allow; /* the methods, as the header Allow names them */
    route_handler *handle;
    enum mode ceiling; /* of the paths that judge */
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

/* Has the answer sent at the end of this turn; its body is copied. To HEAD goes everything but the body. */
void http_answer(h2o_req_t *request, const struct answer *answer);

/* The same with a sentence as plain text. */
void http_answer_sentence(h2o_req_t *request, int status, const char *sentence);

/* The value of the header Content-Type; empty if there is none. */
struct slice http_content_type(const h2o_req_t *request);

/* Whether a Content-Type is application/json, with any parameters. */
bool http_is_json(struct slice content_type);

/*
 * Whether the `bytes` bytes behind the request's body are in H2O's buffer, too: whoever writes there puts
 * back what may be the next request.
 */
bool http_has_room_behind_body(const h2o_req_t *request, size_t bytes);

/* Sets `config` up to serve `routes` (which must live as long) and nothing else. */
void http_configure(
    h2o_globalconf_t *config, const struct route *routes, size_t count, size_t max_body_bytes);

#endif
