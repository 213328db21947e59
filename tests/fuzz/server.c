#include "tests/fuzz/server.h"

#include "certs/certificate.h"
#include "certs/key.h"
#include "certs/names.h"
#include "fuzz.h"
#include "tests/fuzz/printable.h"
#include "webhook/http/limits.h"
#include "webhook/http/loop_thread.h"
#include "webhook/review/reviewer.h"
#include "webhook/server/metrics.h"
#include "webhook/server/routes.h"
#include "webhook/server/settings.h"
#include "webhook/telemetry/label_sets.h"
#include "webhook/tls/tls.h"

#include "policy/judge.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* A longer wait for the server would last for ever. */
#define PATIENCE_MS 20000

#define RECEIVED_MAX ((size_t)8 << 20)
#define RECEIVED_AT_ONCE ((size_t)16 << 10)
#define LOGGED_MAX ((size_t)4 << 20)

/* So few that some are replaced. */
#define LABEL_SETS 5

struct listener {
    struct sockaddr_un address;
    socklen_t address_length;
    struct http_config config;
    struct loop loop;
};

/* Lives as long as the process. */
struct server {
    int logged;
    struct log log;
    struct loop_shared shared;
    struct server_fact_board board;
    struct review_service service;
    struct reviewer reviewer;
    struct metrics_sources metrics;
    struct tls_settings tls_settings;
    struct tls *tls;
    struct listener listeners[DOORS];
};

/*
 * The server
 */

/* The kernel chooses the address, which is in no folder. */
static int listen_somewhere(struct listener *listener)
{
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const struct sockaddr_un any = {.sun_family = AF_UNIX};
    listener->address_length = sizeof(listener->address);
    promise(
        file >= 0 && bind(file, (const struct sockaddr *)&any, sizeof(any.sun_family)) == 0 &&
            listen(file, 16) == 0 &&
            getsockname(file, (struct sockaddr *)&listener->address, &listener->address_length) == 0,
        "there is a socket to listen on");
    return file;
}

static void open_door(struct server *server, enum door door, const struct route *routes, size_t count)
{
    struct listener *listener = &server->listeners[door];
    struct loop *loop = &listener->loop;
    struct error error = {0};
    http_configure(&listener->config, routes, count, DEFAULT_MAX_BODY_BYTES);
    loop->shared = &server->shared;
    loop->config = &listener->config;
    loop->tls = door == DOOR_TLS ? tls_context(server->tls) : NULL;
    loop->listening_socket = listen_somewhere(listener);
    loop->max_connections = 16;
    loop->silence_ms = SILENT_LIMIT_MS;
    loop->data = &server->reviewer;
    promise(loop_start(loop, &error) == 0, "the server starts");
}

/* A certificate that is not checked. */
static struct tls *make_tls(const struct tls_settings *settings)
{
    struct error error = {0};
    EVP_PKEY *key = key_generate(KEY_EC_P256, &error);
    X509 *certificate = key ? authority_issue(key, "fuzz", time(NULL), AUTHORITY_SECONDS, &error) : NULL;
    struct pair pair = {.leaf = certificate, .chain = sk_X509_new_null(), .key = key};
    struct tls *tls = tls_create(settings, &error);
    promise(
        certificate && validity_of(certificate, &pair.validity) && tls &&
            tls_take_pair(tls, &pair, &error) == 0,
        "there is a certificate");
    return tls;
}

static void start(struct server *server)
{
    signal(SIGPIPE, SIG_IGN); /* as `serve` does */
    server->logged = memfd_create("log", MFD_CLOEXEC);
    log_open(&server->log, server->logged, LOG_JSON);
    http_keep_buffers_in_memory();
    pthread_mutex_init(&server->board.lock, NULL);
    server_fact_board_publish(&server->board, &(struct server_facts){.certificate_not_after = INT64_MAX / 2});
    server->tls = make_tls(&server->tls_settings);
    server->shared.log = &server->log;
    server->shared.loops = &server->listeners[DOOR_REVIEWS].loop;
    server->shared.loop_count = 1;
    server->service.server_facts = &server->board;
    server->service.label_sets =
        label_sets_create((struct label_names){true, true}, LABEL_SETS, (struct siphash_seed){0});
    server->service.metrics = &server->metrics;
    server->metrics = (struct metrics_sources){
        &server->shared, &server->reviewer, &server->service, tls_handshakes(server->tls), "fuzz"};
    server->reviewer.service = &server->service;
    server->reviewer.policy = policy_reference_create(policy_default(), 1);
    promise(server->reviewer.policy && server->service.label_sets, "there is memory");
    open_door(server, DOOR_REVIEWS, webhook_routes, webhook_route_count);
    open_door(server, DOOR_PLAIN, plain_routes, plain_route_count);
    open_door(server, DOOR_TLS, webhook_routes, webhook_route_count);
}

static struct server *the_server(void)
{
    static struct server server;
    if (!server.tls)
        start(&server);
    return &server;
}

/* Each line is JSON without control characters. Bytes that were looked at are dropped. */
static void check_log(const struct server *server)
{
    static char text[LOGGED_MAX];
    ssize_t length = pread(server->logged, text, sizeof(text), 0);
    struct slice rest = {text, length > 0 ? (size_t)length : 0};
    while (rest.length) {
        struct slice line = slice_until(rest, slice_find(rest, '\n'));
        if (line.length == rest.length)
            break; /* is being written */
        check_printable(line, 0);
        yyjson_doc *document = yyjson_read(line.bytes, line.length, YYJSON_READ_NOFLAG);
        promise(document != NULL, "a line of the log is JSON");
        yyjson_doc_free(document);
        rest = slice_from(rest, line.length + 1);
    }
    promise(lseek(server->logged, 0, SEEK_SET) == 0 && ftruncate(server->logged, 0) == 0, "a log is emptied");
}

/*
 * Requests and answers
 */

struct connection_end {
    int file;
    struct slice unsent;
    size_t piece_bytes;
};

int exchange_connect(enum door door)
{
    const struct listener *listener = &the_server()->listeners[door];
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int result;
    promise(file >= 0, "there is a socket");
    do
        result = connect(file, (const struct sockaddr *)&listener->address, listener->address_length);
    while (result != 0 && errno == EINTR);
    promise(result == 0, "the server takes connections");
    return file;
}

/* One piece, or what is taken of it. The server may have closed: then nothing more is sent. */
static void send_some(struct connection_end *end)
{
    struct slice piece = slice_until(end->unsent, end->piece_bytes);
    ssize_t sent = send(end->file, piece.bytes, piece.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0)
        end->unsent = slice_from(end->unsent, (size_t)sent);
    else if (errno != EAGAIN && errno != EINTR)
        end->unsent = (struct slice){0};
    if (!end->unsent.length)
        shutdown(end->file, SHUT_WR);
}

static void make_room(struct exchange *exchange)
{
    if (exchange->capacity - exchange->length >= RECEIVED_AT_ONCE)
        return;
    exchange->capacity = 2 * exchange->capacity + RECEIVED_AT_ONCE;
    promise(exchange->capacity <= RECEIVED_MAX, "answers are within bounds");
    exchange->bytes = realloc(exchange->bytes, exchange->capacity);
    promise(exchange->bytes != NULL, "there is memory");
}

/* False at the end. */
static bool receive_some(const struct connection_end *end, struct exchange *exchange)
{
    make_room(exchange);
    ssize_t got = recv(
        end->file, exchange->bytes + exchange->length, exchange->capacity - exchange->length, MSG_DONTWAIT);
    if (got > 0)
        exchange->length += (size_t)got;
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static void talk(struct connection_end *end, struct exchange *exchange)
{
    bool is_open = true;
    if (!end->unsent.length)
        shutdown(end->file, SHUT_WR);
    while (is_open) {
        struct pollfd file = {.fd = end->file, .events = end->unsent.length ? POLLIN | POLLOUT : POLLIN};
        int ready = poll(&file, 1, PATIENCE_MS);
        promise(ready != 0, "the server answers, and closes");
        if (file.revents & POLLOUT && end->unsent.length)
            send_some(end);
        if (file.revents & (POLLIN | POLLHUP | POLLERR))
            is_open = receive_some(end, exchange);
    }
}

/*
 * Answers
 */

static bool may_be_answered(int status)
{
    static const int statuses[] = {100, 200, 400, 404, 405, 411, 413, 415, 417, 503};
    for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++)
        if (statuses[i] == status)
            return true;
    return false;
}

/* The line without its end, which is taken off too. */
static struct slice take_line(struct slice *rest)
{
    size_t length = slice_find(*rest, '\n');
    promise(length < rest->length && length > 0 && rest->bytes[length - 1] == '\r', "a line of a head ends");
    struct slice line = slice_until(*rest, length - 1);
    check_printable(line, 0);
    *rest = slice_from(*rest, length + 1);
    return line;
}

static bool take_name(struct slice *line, struct slice name)
{
    if (line->length < name.length || strncasecmp(line->bytes, name.bytes, name.length) != 0)
        return false;
    *line = slice_trim(slice_from(*line, name.length));
    return true;
}

static size_t number_of(struct slice digits)
{
    size_t number = 0;
    promise(digits.length > 0 && digits.length < 10, "a length is a number");
    for (size_t i = 0; i < digits.length; i++) {
        promise(digits.bytes[i] >= '0' && digits.bytes[i] <= '9', "a length is a number");
        number = number * 10 + (size_t)(digits.bytes[i] - '0');
    }
    return number;
}

static int take_status(struct slice *rest)
{
    struct slice line = take_line(rest);
    promise(take_name(&line, SLICE("HTTP/1.1 ")), "an answer is one of HTTP/1.1");
    int status = (int)number_of(slice_until(line, 3));
    promise(may_be_answered(status), "a status is one of those that are given");
    return status;
}

/* Takes a whole answer off. */
static struct answered take_answer(struct slice *rest, bool may_lack_bodies)
{
    struct answered answer = {.status = take_status(rest)};
    size_t length = SIZE_MAX;
    for (struct slice line; (line = take_line(rest)).length;) {
        promise(!take_name(&line, SLICE("location:")), "no answer is a redirect");
        promise(!take_name(&line, SLICE("transfer-encoding:")), "answers have their length");
        if (take_name(&line, SLICE("content-length:"))) {
            promise(length == SIZE_MAX, "an answer has one length");
            length = number_of(line);
        } else if (take_name(&line, SLICE("content-type:"))) {
            answer.is_json = slice_equal(line, SLICE("application/json"));
        }
    }
    if (answer.status == 100)
        return answer;
    promise(length != SIZE_MAX, "answers have their length");
    if (may_lack_bodies && (!rest->length || slice_starts_with(*rest, SLICE("HTTP/1.1 "))))
        return answer;
    promise(length <= rest->length, "an answer is as long as it says");
    answer.body = slice_until(*rest, length);
    *rest = slice_from(*rest, length);
    return answer;
}

static void check_body(const struct answered *answer)
{
    if (!answer->is_json) {
        check_printable(answer->body, '\n');
        return;
    }
    yyjson_doc *document = yyjson_read(answer->body.bytes, answer->body.length, YYJSON_READ_NOFLAG);
    yyjson_val *response = yyjson_obj_get(yyjson_doc_get_root(document), "response");
    promise(answer->status == 200 && document, "JSON is answered to what was judged");
    promise(yyjson_is_str(yyjson_obj_get(response, "uid")), "an answer has its uid");
    promise(!yyjson_obj_get(response, "patch"), "nothing is changed");
    yyjson_doc_free(document);
}

static void read_answers(struct exchange *exchange, bool may_lack_bodies)
{
    struct slice rest = {exchange->bytes, exchange->length};
    while (rest.length) {
        promise(exchange->count < ANSWERED_MAX, "so many answers fit");
        struct answered answer = take_answer(&rest, may_lack_bodies);
        if (answer.body.length)
            check_body(&answer);
        exchange->answers[exchange->count++] = answer;
    }
}

struct exchange exchange_bytes(enum door door, struct slice bytes, unsigned pieces)
{
    struct exchange exchange = {0};
    struct connection_end end = {exchange_connect(door), bytes, bytes.length / pieces + 1};
    talk(&end, &exchange);
    close(end.file);
    check_log(the_server());
    return exchange;
}

struct exchange exchange(enum door door, struct slice bytes, unsigned pieces, bool may_lack_bodies)
{
    struct exchange exchange = exchange_bytes(door, bytes, pieces);
    read_answers(&exchange, may_lack_bodies);
    return exchange;
}

struct exchange exchange_post(const char *path, struct slice body)
{
    char *request = malloc(body.length + 256);
    promise(request != NULL, "there is memory");
    int head = snprintf(
        request, 256,
        "POST %s?timeout=10s HTTP/1.1\r\nHost: guard.prod.svc\r\nContent-Type: application/json\r\n"
        "Content-Length: %zu\r\nConnection: close\r\n\r\n",
        path, body.length);
    if (body.length)
        memcpy(request + head, body.bytes, body.length);
    struct exchange exchanged =
        exchange(DOOR_REVIEWS, (struct slice){request, (size_t)head + body.length}, 1, false);
    free(request);
    return exchanged;
}

void exchange_free(struct exchange *exchange)
{
    free(exchange->bytes);
    *exchange = (struct exchange){0};
}
