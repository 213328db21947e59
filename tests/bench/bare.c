/*
 * bare: what a webhook costs before it judges anything. H2O on as many loops and with the same TLS as
 * applyguard; the body is parsed with yyjson, and the answer is always the same.
 *
 *   bare PORT CERTIFICATE KEY LOOPS
 */
#include "base/arena.h"
#include "webhook/tls/tls.h"

#include <arpa/inet.h>
#include <h2o.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ANSWER                                                                                               \
    "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"response\":{\"uid\":"            \
    "\"567812e9-0127-40e1-847b-c7290caf2d24\",\"allowed\":true}}\n"

struct parser {
    h2o_handler_t super;
};

/* One for each loop: a thread has one loop. */
static _Thread_local struct arena *arena;

static int on_request(h2o_handler_t *handler, h2o_req_t *request)
{
    (void)handler;
    yyjson_alc allocator = arena_yyjson(arena);
    yyjson_doc *document = yyjson_read_opts(request->entity.base, request->entity.len, 0, &allocator, NULL);
    arena_reset(arena);
    static h2o_generator_t generator = {NULL, NULL};
    h2o_iovec_t body = {H2O_STRLIT(ANSWER)};
    request->res.status = document ? 200 : 400;
    request->res.content_length = body.len;
    h2o_add_header(
        &request->pool, &request->res.headers, H2O_TOKEN_CONTENT_TYPE, NULL, H2O_STRLIT("application/json"));
    h2o_start_response(request, &generator);
    h2o_send(request, &body, 1, 1);
    return 0;
}

struct loop {
    struct loop *all;
    unsigned long count; /* of them */
    atomic_int connections;
    h2o_globalconf_t *config;
    SSL_CTX *tls;
    int listening_socket;
    h2o_context_t context;
    h2o_accept_ctx_t accept;
};

/* Loops share connections evenly, as applyguard's do: one loop with all of them saves wake-ups and wastes
 * cores. */
static bool is_for_another(const struct loop *loop)
{
    for (unsigned long i = 0; i < loop->count; i++) {
        if (atomic_load(&loop->all[i].connections) < atomic_load(&loop->connections))
            return true;
    }
    return false;
}

static void on_close(void *data)
{
    struct loop *loop = data;
    atomic_fetch_sub(&loop->connections, 1);
}

static void on_accept(h2o_socket_t *listener, const char *error)
{
    struct loop *loop = listener->data;
    h2o_socket_t *socket = error || is_for_another(loop) ? NULL : h2o_evloop_socket_accept(listener);
    if (!socket)
        return;
    atomic_fetch_add(&loop->connections, 1);
    socket->on_close.cb = on_close;
    socket->on_close.data = loop;
    h2o_accept(&loop->accept, socket);
}

static void *run(void *data)
{
    struct loop *loop = data;
    arena = arena_create();
    h2o_loop_t *events = h2o_evloop_create();
    h2o_context_init(&loop->context, events, loop->config);
    loop->accept =
        (h2o_accept_ctx_t){.ctx = &loop->context, .hosts = loop->config->hosts, .ssl_ctx = loop->tls};
    h2o_socket_t *listener =
        h2o_evloop_socket_create(events, dup(loop->listening_socket), H2O_SOCKET_FLAG_DONT_READ);
    listener->data = loop;
    h2o_socket_read_start(listener, on_accept);
    while (loop->tls)
        h2o_evloop_run(events, INT32_MAX);
    return NULL;
}

static int listen_on(const char *port)
{
    int on = 1, listening_socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)strtoul(port, NULL, 10)),
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    setsockopt(listening_socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(listening_socket, (struct sockaddr *)&address, sizeof(address)) < 0 ||
        listen(listening_socket, 1024) < 0)
        return -1;
    return listening_socket;
}

/* Ciphers and the like as applyguard's, and nothing that looks on while a handshake is under way. */
static SSL_CTX *bare_tls(const struct tls *tls, const char *certificate, const char *key)
{
    SSL_CTX *context = tls_context(tls);
    SSL_CTX_set_cert_cb(context, NULL, NULL);
    SSL_CTX_set_info_callback(context, NULL);
    bool is_set = SSL_CTX_use_certificate_chain_file(context, certificate) == 1 &&
        SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1;
    return is_set ? context : NULL;
}

int main(int argc, char **argv)
{
    struct error error = {0};
    struct tls_settings settings = {0};
    settings.cert_path = argc == 5 ? argv[2] : NULL;
    settings.key_path = argc == 5 ? argv[3] : NULL;
    struct tls *tls = argc == 5 ? tls_create(&settings, &error) : NULL;
    SSL_CTX *context = tls ? bare_tls(tls, argv[2], argv[3]) : NULL;
    int listening_socket = argc == 5 ? listen_on(argv[1]) : -1;
    if (!context || listening_socket < 0) {
        fprintf(stderr, "usage: bare PORT CERTIFICATE KEY LOOPS (%s)\n", error.message);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    h2o_globalconf_t config;
    h2o_config_init(&config);
    config.max_request_entity_size = (size_t)16 << 20;
    config.http1.upgrade_to_http2 = 0;
    config.http1.req_timeout = 120000;
    config.server_name = h2o_iovec_init("", 0);
    h2o_hostconf_t *host = h2o_config_register_host(&config, h2o_iovec_init(H2O_STRLIT("default")), 65535);
    h2o_create_handler(h2o_config_register_path(host, "/", 0), sizeof(struct parser))->on_req = on_request;
    unsigned long count = strtoul(argv[4], NULL, 10);
    struct loop *loops = calloc(count, sizeof(*loops));
    if (!loops)
        return 2;
    for (unsigned long i = 0; i < count; i++) {
        pthread_t thread;
        loops[i].all = loops;
        loops[i].count = count;
        loops[i].config = &config;
        loops[i].tls = context;
        loops[i].listening_socket = listening_socket;
        pthread_create(&thread, NULL, run, &loops[i]);
    }
    pause();
    return 0;
}
