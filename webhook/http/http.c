#include "webhook/http/http.h"

#include "base/array_size.h"
#include "webhook/http/head.h"
#include "webhook/http/loop.h"

struct routes_handler {
    h2o_handler_t super;
    const struct route *routes;
    size_t count;
};

static const char *reason_of(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        {200, "OK"},
        {400, "Bad Request"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {415, "Unsupported Media Type"},
        {503, "Service Unavailable"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Internal Server Error";
}

static void add_header(h2o_req_t *request, const h2o_token_t *name, const char *value)
{
    h2o_add_header(&request->pool, &request->res.headers, name, NULL, value, strlen(value));
}

static bool method_is(const h2o_req_t *request, const char *method, size_t length)
{
    return request->method.len == length && memcmp(request->method.base, method, length) == 0;
}

/* H2O pulls an answer of up to this size, with its head, at once. */
#define PULLED_MAX_BYTES ((size_t)32 << 10)

struct sent_body {
    h2o_generator_t super;
    h2o_iovec_t bytes;
    bool is_verdict;
};

static h2o_send_state_t pull(h2o_generator_t *generator, h2o_req_t *request, h2o_iovec_t *room)
{
    (void)request;
    h2o_iovec_t bytes = ((const struct sent_body *)generator)->bytes;
    memcpy(room->base, bytes.base, bytes.len);
    room->len = bytes.len;
    return H2O_SEND_STATE_FINAL;
}

/* Head and body in one buffer become one TLS record; a body in a buffer of its own becomes a second one. */
static void send_answer(h2o_req_t *request, void *data)
{
    struct sent_body *body = data;
    connection_is_answered(request, body->is_verdict);
    h2o_start_response(request, &body->super);
    if (body->bytes.len && body->bytes.len <= PULLED_MAX_BYTES)
        request->_ostr_top->start_pull(request->_ostr_top, pull);
    else
        h2o_send(request, &body->bytes, body->bytes.len ? 1 : 0, H2O_SEND_STATE_FINAL);
}

void http_answer(struct http_request *answered, const struct answer *answer)
{
    h2o_req_t *request = answered->h2o;
    request->res.status = answer->status;
    request->res.reason = reason_of(answer->status);
    request->res.content_length = answer->body.length;
    add_header(request, H2O_TOKEN_CONTENT_TYPE, answer->content_type);
    if (answer->allow)
        add_header(request, H2O_TOKEN_ALLOW, answer->allow);
    if (answer->retry)
        add_header(request, H2O_TOKEN_RETRY_AFTER, "1");
    if (answer->close || connection_is_wanted(request))
        request->http1_is_persistent = 0;
    bool is_head = method_is(request, H2O_STRLIT("HEAD"));
    struct sent_body *body = h2o_mem_alloc_pool(&request->pool, sizeof(*body));
    *body = (struct sent_body){
        .bytes = h2o_strdup(&request->pool, answer->body.bytes, is_head ? 0 : answer->body.length),
        .is_verdict = answer->is_verdict,
    };
    stages_answer(&answered->loop->stages, connection_waiting(request), request, send_answer, body);
}

static const char *const plain_text = "text/plain; charset=utf-8";

void http_answer_sentence(struct http_request *request, int status, const char *sentence)
{
    http_answer(
        request, &(struct answer){.status = status, .content_type = plain_text, .body = slice_of(sentence)});
}

bool http_has_room_behind_body(const struct http_request *request, size_t bytes)
{
    h2o_conn_t *connection = request->h2o->conn;
    const h2o_buffer_t *input = connection->callbacks->get_socket(connection)->input;
    const char *end = input->_buf + input->capacity, *body = request->body.bytes;
    return input->bytes && body >= input->bytes && body <= end && bytes <= (size_t)(end - body) &&
        request->body.length <= (size_t)(end - body) - bytes;
}

static struct slice header_of(const h2o_req_t *request, const h2o_token_t *name)
{
    ssize_t index = h2o_find_header(&request->headers, name, -1);
    if (index < 0)
        return (struct slice){NULL, 0};
    h2o_iovec_t value = request->headers.entries[index].value;
    return (struct slice){value.base, value.len};
}

struct slice http_accept(const struct http_request *request)
{
    return header_of(request->h2o, H2O_TOKEN_ACCEPT);
}

static void on_gone(void *memory)
{
    const struct http_watch *watch = memory;
    if (watch->gone)
        watch->gone(watch->data);
}

struct http_watch *http_watch(struct http_request *request, void (*gone)(void *), void *data)
{
    struct http_watch *watch = h2o_mem_alloc_shared(&request->h2o->pool, sizeof(*watch), on_gone);
    *watch = (struct http_watch){gone, data};
    return watch;
}

bool http_is_json(struct slice content_type)
{
    const struct slice json = SLICE("application/json");
    if (!slice_equal_in_any_case(slice_until(content_type, json.length), json))
        return false;
    size_t next = json.length;
    while (next < content_type.length &&
           (content_type.bytes[next] == ' ' || content_type.bytes[next] == '\t'))
        next++;
    return next == content_type.length || content_type.bytes[next] == ';';
}

static bool route_allows(const struct route *route, const h2o_req_t *request)
{
    struct slice method = {request->method.base, request->method.len};
    struct slice rest = slice_of(route->allow);
    while (rest.length) {
        const char *comma = memchr(rest.bytes, ',', rest.length);
        size_t length = comma ? (size_t)(comma - rest.bytes) : rest.length;
        if (slice_equal(method, (struct slice){rest.bytes, length}))
            return true;
        size_t separator = sizeof(", ") - 1;
        rest = comma ? slice_from(rest, length + separator) : (struct slice){NULL, 0};
    }
    return false;
}

/*
 * Compares the path as it was sent, without the query: the webhook is not registered with a path that needs
 * normalisation.
 */
static const struct route *find_route(const struct routes_handler *handler, const h2o_req_t *request)
{
    size_t length = request->query_at == SIZE_MAX ? request->path.len : request->query_at;
    struct slice path = {request->path.base, length};
    for (size_t i = 0; i < handler->count; i++)
        if (slice_equal(handler->routes[i].path, path))
            return &handler->routes[i];
    return NULL;
}

static void dispatch(h2o_req_t *h2o, void *handler)
{
    const struct route *route = find_route(handler, h2o);
    struct http_request *request = h2o_mem_alloc_pool(&h2o->pool, sizeof(*request));
    *request = (struct http_request){
        .loop = loop_of(h2o),
        .route = route,
        .type = header_of(h2o, H2O_TOKEN_CONTENT_TYPE),
        .body = {h2o->entity.base, h2o->entity.len},
        .h2o = h2o,
    };
    counter_add(&request->loop->beats, 1);
    if (!route) {
        http_answer_sentence(request, 404, "There is nothing at this path.\n");
    } else if (!route_allows(route, h2o)) {
        struct slice body = SLICE("This path takes another method; see the header Allow.\n");
        http_answer(
            request,
            &(struct answer){.status = 405, .content_type = plain_text, .body = body, .allow = route->allow});
    } else {
        route->handle(request);
    }
}

static void ask(h2o_req_t *request, void *handler)
{
    stages_ask(&loop_of(request)->stages, connection_waiting(request), request, dispatch, handler);
}

/* H2O keeps the bytes of a request, from its head on, until it is answered. */
static enum head head_of(const h2o_req_t *request)
{
    const h2o_buffer_t *input = request->conn->callbacks->get_socket(request->conn)->input;
    return head_check((struct slice){input->bytes, input->size});
}

/* H2O answers a request that it cannot parse in the same way: nothing shows where the next request begins. */
static void refuse(h2o_req_t *request, enum head head)
{
    loop_of(request)->refused_heads++;
    if (head == HEAD_WITHOUT_LENGTH)
        h2o_send_error_generic(
            request, 411, "Length Required", "The body must come with its Content-Length, not in chunks.\n",
            H2O_SEND_ERROR_HTTP1_CLOSE_CONNECTION);
    else
        h2o_send_error_generic(
            request, 400, "Bad Request",
            "The head of this request can be read in more than one way: a header that may be there once is "
            "repeated or contradicted, or a line is folded or does not end with CRLF.\n",
            H2O_SEND_ERROR_HTTP1_CLOSE_CONNECTION);
}

/* Data behind the request is lost, because the connection is closed. */
static void refuse_for_memory(h2o_req_t *request)
{
    add_header(request, H2O_TOKEN_RETRY_AFTER, "1");
    h2o_send_error_generic(
        request, 503, "Service Unavailable", BUDGET_SPENT_SENTENCE,
        H2O_SEND_ERROR_HTTP1_CLOSE_CONNECTION | H2O_SEND_ERROR_KEEP_HEADERS);
}

/*
 * H2O goes through everything that a connection has sent before it looks at the others again. A client that
 * sends hundreds of requests in one piece would delay all others, so each iteration serves a limited number
 * of requests of a connection, and the rest waits for the next iteration.
 */
static int on_request(h2o_handler_t *handler, h2o_req_t *request)
{
    struct loop *loop = loop_of(request);
    enum head head = head_of(request);
    if (head != HEAD_PLAIN)
        refuse(request, head);
    else if (!connection_has_room(request))
        refuse_for_memory(request);
    else if (connection_may_ask(request, loop->iteration))
        ask(request, handler);
    else
        queue_add(&loop->next_iteration, connection_waiting(request), request, ask, handler);
    return 0;
}

/* By default, H2O accepts the HTTP/2 preface even if ALPN chose HTTP/1.1, and sends its version. */
void http_configure(
    struct http_config *configured, const struct route *routes, size_t count, size_t max_body_bytes)
{
    h2o_globalconf_t *config = &configured->h2o;
    h2o_config_init(config);
    config->server_name = h2o_iovec_init("", 0);
    config->max_request_entity_size = max_body_bytes;
    config->http1.upgrade_to_http2 = 0;
    config->http2.callbacks.request_shutdown =
        NULL; /* it would leave a timer behind, even without connections */
    h2o_hostconf_t *host = h2o_config_register_host(config, h2o_iovec_init(H2O_STRLIT("default")), 65535);
    h2o_pathconf_t *everything = h2o_config_register_path(host, "/", 0);
    struct routes_handler *handler =
        (struct routes_handler *)h2o_create_handler(everything, sizeof(*handler));
    handler->super.on_req = on_request;
    handler->routes = routes;
    handler->count = count;
}

void http_dispose(struct http_config *config)
{
    h2o_config_dispose(&config->h2o);
}

void http_keep_buffers_in_memory(void)
{
    h2o_socket_buffer_mmap_settings.threshold = SIZE_MAX;
}
