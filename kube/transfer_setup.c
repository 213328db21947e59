#include "kube/transfer_setup.h"

#include "kube/proxy.h"
#include "kube/repeatable.h"
#include "system/clock.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define USER_AGENT "applyguard/" APPLYGUARD_VERSION

/* If an address does not answer, the try ends early enough for another one. */
#define CONNECT_MS 5000

#define FIRST_BYTES ((size_t)16 * 1024)

/*
 * The body
 */

/* The allowance pays for all memory beyond the first bytes. */
static bool take_room(struct transfer_body *body, size_t capacity)
{
    struct kube_allowance *allowance = body->allowance;
    size_t more = capacity - FIRST_BYTES - body->taken;
    body->finds_no_room = allowance && more > allowance->max - allowance->taken;
    if (!allowance || body->finds_no_room)
        return !allowance;
    allowance->taken += more;
    body->taken += more;
    return true;
}

static void give_room_back(struct transfer_body *body)
{
    if (body->allowance)
        body->allowance->taken -= body->taken;
    body->taken = 0;
}

static bool grow(struct transfer_body *body, size_t needed)
{
    size_t capacity = body->bytes.length ? body->bytes.length : FIRST_BYTES;
    while (capacity < needed)
        capacity *= 2;
    if (capacity == body->bytes.length)
        return true;
    if (!take_room(body, capacity))
        return false;
    struct secret grown = secret_allocate(capacity);
    if (!grown.bytes)
        return false;
    if (body->length)
        memcpy(grown.bytes, body->bytes.bytes, body->length);
    secret_free(&body->bytes);
    body->bytes = grown;
    return true;
}

struct secret kube_transfer_take_body(struct transfer_body *body)
{
    struct secret taken = body->bytes;
    give_room_back(body);
    taken.length = body->length;
    body->bytes = (struct secret){0};
    return taken;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *data)
{
    struct transfer_body *body = data;
    size_t length = size * count;
    body->is_too_large = length > body->length_max - body->length;
    if (body->is_too_large || !grow(body, body->length + length))
        return 0;
    memcpy(body->bytes.bytes + body->length, bytes, length);
    body->length += length;
    return length;
}

/*
 * The request
 */

/* An empty body is sent too, if the method has a body. */
static bool has_body(const struct kube_request *request)
{
    bool has_none = strcmp(request->method, "GET") == 0 || strcmp(request->method, "DELETE") == 0;
    return request->body.length || !has_none;
}

static const char *content_type_of(const struct kube_request *request)
{
    return request->content_type ? request->content_type : "application/json";
}

/* Returns false if memory runs out; the list is then freed. */
static bool add_header(struct curl_slist **headers, const char *header)
{
    struct curl_slist *longer = curl_slist_append(*headers, header);
    if (!longer) {
        curl_slist_free_all(*headers);
        *headers = NULL;
        return false;
    }
    *headers = longer;
    return true;
}

static bool add_token(struct curl_slist **headers, const struct secret *token)
{
    static const char start[] = "Authorization: Bearer ";
    if (!token->bytes)
        return true;
    struct secret header = secret_allocate(sizeof(start) + token->length);
    if (!header.bytes)
        return false;
    memcpy(header.bytes, start, sizeof(start) - 1);
    memcpy(header.bytes + sizeof(start) - 1, token->bytes, token->length);
    header.bytes[header.length - 1] = '\0';
    bool done = add_header(headers, header.bytes);
    secret_free(&header);
    return done;
}

/* "HOST:PORT" of https://HOST:PORT/PATH. */
static struct slice authority_of(const char *server)
{
    struct slice text = slice_of(strstr(server, "://") + 3);
    text.length = slice_find(text, '/');
    return text;
}

static bool add_text(struct curl_slist **headers, const char *name, struct slice value)
{
    char *header = NULL;
    if (asprintf(&header, "%s: %.*s", name, (int)value.length, value.bytes) < 0)
        return false;
    bool done = add_header(headers, header);
    free(header);
    return done;
}

/* Removes Expect: the API server needs no question before the body is sent. */
static struct curl_slist *make_headers(const struct kube_client *client, const struct kube_request *request)
{
    struct curl_slist *headers = NULL;
    const struct kube_config *config = &client->config;
    const char *accept = request->accept ? request->accept : "application/json";
    bool done = add_text(&headers, "Accept", slice_of(accept)) && add_header(&headers, "Expect:") &&
        add_token(&headers, &client->credentials.token);
    if (has_body(request))
        done = done && add_text(&headers, "Content-Type", slice_of(content_type_of(request)));
    if (config->tls_server_name)
        done = done && add_text(&headers, "Host", authority_of(config->server));
    if (done)
        return headers;
    curl_slist_free_all(headers);
    return NULL;
}

/*
 * libcurl checks the certificate against the name in the URL: a tls-server-name replaces that name, and the
 * connection goes to the server's address.
 */
static bool set_server_name(CURL *easy, const struct kube_config *config, struct curl_slist **connect_to)
{
    struct slice authority = authority_of(config->server);
    char *rule = NULL;
    bool is_address = authority.length && authority.bytes[0] == '[';
    const char *colon = memrchr(authority.bytes, ':', authority.length);
    bool has_port = colon && (!is_address || colon[-1] == ']');
    if (asprintf(&rule, "::%.*s%s", (int)authority.length, authority.bytes, has_port ? "" : ":443") < 0)
        return false;
    bool done = add_header(connect_to, rule);
    free(rule);
    return done && curl_easy_setopt(easy, CURLOPT_CONNECT_TO, *connect_to) == CURLE_OK;
}

static char *make_url(const struct kube_config *config, const char *path)
{
    char *url = NULL;
    struct slice authority = authority_of(config->server);
    const char *server = config->server;
    int length;
    if (config->tls_server_name)
        length = asprintf(
            &url, strchr(config->tls_server_name, ':') ? "https://[%s]%s%s" : "https://%s%s%s",
            config->tls_server_name, authority.bytes + authority.length, path);
    else
        length = asprintf(&url, "%s%s", server, path);
    return length < 0 ? NULL : url;
}

/* A copy, because another call may read the files again while this one is in progress. */
static bool set_blob(CURL *easy, CURLoption option, const struct secret *secret)
{
    struct curl_blob blob = {.data = secret->bytes, .len = secret->length, .flags = CURL_BLOB_COPY};
    return !secret->bytes || curl_easy_setopt(easy, option, &blob) == CURLE_OK;
}

/*
 * If the cluster has its own CA, only that one is trusted: libcurl would trust the system's folder as well.
 */
static bool set_trust(
    CURL *easy, const struct kube_config *config, const struct kube_credentials *credentials)
{
    bool done = curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) == CURLE_OK;
    if (config->insecure_skip_tls_verify)
        return done && curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L) == CURLE_OK &&
            curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L) == CURLE_OK;
    if (!credentials->ca.bytes)
        return done;
    return done && curl_easy_setopt(easy, CURLOPT_CAPATH, NULL) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_CAINFO, NULL) == CURLE_OK &&
        set_blob(easy, CURLOPT_CAINFO_BLOB, &credentials->ca);
}

static bool set_tls(CURL *easy, const struct kube_config *config, const struct kube_credentials *credentials)
{
    return set_trust(easy, config, credentials) &&
        set_blob(easy, CURLOPT_SSLCERT_BLOB, &credentials->certificate) &&
        set_blob(easy, CURLOPT_SSLKEY_BLOB, &credentials->key) &&
        curl_easy_setopt(easy, CURLOPT_SSLCERTTYPE, "PEM") == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_SSLKEYTYPE, "PEM") == CURLE_OK;
}

/*
 * If a kept connection breaks before an answer, libcurl sends the request again on another connection. A
 * request that is not repeatable is sent again only if no byte of it had been sent, as in Go's net/http.
 */
static int may_send(void *data, char *address, char *local_address, int port, int local_port)
{
    (void)address, (void)local_address, (void)port, (void)local_port;
    struct transfer_setup *setup = data;
    long bytes = 0;
    curl_easy_getinfo(setup->easy, CURLINFO_REQUEST_SIZE, &bytes);
    if (!setup->was_begun)
        setup->bytes_before = bytes;
    setup->was_begun = true;
    return setup->is_repeatable || bytes == setup->bytes_before ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

static bool set_request(struct transfer_setup *setup, const struct kube_request *request)
{
    CURL *easy = setup->easy;
    setup->is_repeatable = kube_is_repeatable(request);
    bool done = curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, may_send) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_PREREQDATA, setup) == CURLE_OK;
    if (!has_body(request))
        return done;
    const char *bytes = request->body.length ? request->body.bytes : "";
    return done && curl_easy_setopt(easy, CURLOPT_POSTFIELDS, bytes) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body.length) == CURLE_OK;
}

static bool set_limits(CURL *easy, uint64_t deadline)
{
    uint64_t left = monotonic_milliseconds_until(deadline);
    long timeout = left > INT_MAX ? INT_MAX : left > 0 ? (long)left : 1;
    return curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, timeout) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L) == CURLE_OK;
}

/* HTTP/1.1 without surprises: no redirects, no other protocols, paths unchanged. */
static bool set_protocol(CURL *easy)
{
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https,http") == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_USERAGENT, USER_AGENT) == CURLE_OK;
}

/* These options keep libcurl from reading the environment itself. */
static bool set_proxy(CURL *easy, const struct kube_config *config)
{
    return curl_easy_setopt(easy, CURLOPT_PROXY, kube_proxy_of(config)) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_NOPROXY, "") == CURLE_OK;
}

/*
 * The whole transfer
 */

void kube_transfer_release(struct transfer_setup *setup)
{
    if (setup->multi)
        curl_multi_remove_handle(setup->multi, setup->easy);
    curl_easy_cleanup(setup->easy);
    free(setup->url);
    curl_slist_free_all(setup->headers);
    curl_slist_free_all(setup->connect_to);
    give_room_back(&setup->body);
    secret_free(&setup->body.bytes);
    *setup = (struct transfer_setup){0};
}

bool kube_transfer_set(
    struct kube_client *client, const struct kube_request *request, uint64_t deadline,
    struct transfer_setup *setup)
{
    const struct kube_config *config = &client->config;
    CURL *easy = curl_easy_init();
    *setup = (struct transfer_setup){.easy = easy, .body.allowance = request->allowance};
    setup->body.length_max = request->answer_bytes_max ? request->answer_bytes_max : KUBE_ANSWER_BYTES_MAX;
    setup->url = make_url(config, request->path);
    setup->headers = make_headers(client, request);
    if (!easy || !setup->url || !setup->headers)
        return false;
    if (config->tls_server_name && !set_server_name(easy, config, &setup->connect_to))
        return false;
    return curl_easy_setopt(easy, CURLOPT_URL, setup->url) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, setup->headers) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, setup->detail) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, &setup->body) == CURLE_OK && set_protocol(easy) &&
        set_proxy(easy, config) && set_limits(easy, deadline) && set_request(setup, request) &&
        set_tls(easy, config, &client->credentials);
}
