/* A call comes to its end: it is tried again where that may help, and only there, and never for longer than
 * it may take. */
#include "base/array_size.h"
#include "system/clock.h"
#include "tests/unit/kube/kube_fixture.h"

#include <pthread.h>
#include <yyjson.h>

#define ENOUGH_MS 20000

struct call {
    int result;
    struct kube_response response;
    struct error error;
    yyjson_doc *answer;
    uint64_t took_ms;
};

static struct call call_with(struct kube_client *client, const struct kube_request *request)
{
    struct call call = {0};
    uint64_t before = monotonic_milliseconds();
    call.result = kube_call(client, request, &call.response, &call.error);
    call.took_ms = monotonic_milliseconds() - before;
    if (call.response.body.bytes)
        call.answer = yyjson_read(call.response.body.bytes, call.response.body.length, 0);
    return call;
}

static struct call call_method(struct kube_client *client, const char *method, const char *path)
{
    return call_with(client, &(struct kube_request){.method = method, .path = path, .timeout_ms = ENOUGH_MS});
}

static struct call get(struct kube_client *client, const char *path)
{
    return call_method(client, "GET", path);
}

static void call_release(struct call *call)
{
    yyjson_doc_free(call->answer);
    kube_response_release(&call->response);
}

static yyjson_val *answered(const struct call *call, const char *pointer)
{
    return yyjson_doc_ptr_get(call->answer, pointer);
}

static void assert_answered(const struct call *call, const char *pointer, const char *expected)
{
    const char *text = yyjson_get_str(answered(call, pointer));
    assert_non_null(text);
    assert_string_equal(text, expected);
}

/* The status of a call that is asked once more: after it `count` requests of that path had come. */
static void assert_call(
    struct kube_client *client, const char *method, const char *path, long status, int64_t count)
{
    struct call call = call_method(client, method, path);
    assert_int_equal(call.result, 0);
    assert_int_equal(call.response.status, status);
    if (status == 200)
        assert_int_equal(yyjson_get_sint(answered(&call, "/count")), count);
    call_release(&call);
}

/*
 * The request
 */

/* The request names its sender, its object and its format. */
static void a_request_arrives_whole(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    struct call call = call_with(
        client,
        &(struct kube_request){
            .method = "PATCH",
            .path = "/api/v1/namespaces/x/secrets/y?fieldManager=applyguard",
            .content_type = "application/apply-patch+yaml",
            .body = SLICE("{\"kind\":\"Secret\"}"),
            .timeout_ms = ENOUGH_MS,
        });
    assert_int_equal(call.result, 0);
    assert_int_equal(call.response.status, 200);
    assert_answered(&call, "/method", "PATCH");
    assert_answered(&call, "/path", "/api/v1/namespaces/x/secrets/y?fieldManager=applyguard");
    assert_answered(&call, "/body", "{\"kind\":\"Secret\"}");
    assert_answered(&call, "/headers/content-type", "application/apply-patch+yaml");
    assert_answered(&call, "/headers/authorization", "Bearer first");
    assert_answered(&call, "/headers/accept", "application/json");
    assert_memory_equal(yyjson_get_str(answered(&call, "/headers/user-agent")), "applyguard/", 11);
    assert_null(answered(&call, "/headers/expect"));
    call_release(&call);
    kube_client_free(client);
}

/* A call costs no handshake where the last connection still stands. */
static void a_connection_is_kept(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    struct call first = get(client, "/kept"), second = get(client, "/kept");
    assert_int_equal(second.result, 0);
    assert_int_equal(
        yyjson_get_sint(answered(&first, "/connection")), yyjson_get_sint(answered(&second, "/connection")));
    call_release(&first);
    call_release(&second);
    kube_client_free(client);
}

/* Kubernetes renews a pod's token in its file. */
static void a_token_is_read_again(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    write_text("token", "  second\n\n");
    struct call call = get(client, "/echo");
    write_text("token", "first\n");
    assert_int_equal(call.result, 0);
    assert_answered(&call, "/headers/authorization", "Bearer second");
    call_release(&call);
    kube_client_free(client);
}

/* A token with a line break would become headers of its own; its content is not shown. */
static void a_token_that_is_none_is_refused(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    write_text("token", "stolen\r\nX-Remote-User: admin\n");
    struct call broken = get(client, "/echo");
    write_text("token", "\n");
    struct call empty = get(client, "/echo");
    write_text("token", "stolen\xc3\xa9\n");
    struct call foreign = get(client, "/echo");
    write_text("token", "first\n");
    assert_int_equal(broken.result, -1);
    assert_non_null(strstr(broken.error.message, "token"));
    assert_null(strstr(broken.error.message, "stolen"));
    assert_int_equal(empty.result, -1);
    assert_int_equal(foreign.result, -1);
    assert_call(client, "GET", "/after-a-bad-token", 200, 1);
    kube_client_free(client);
}

static void a_client_certificate_is_shown(void **state)
{
    struct error error = {0};
    struct kube_config config = kube_fixture_config(*state);
    free(config.token.path);
    config.token.path = NULL;
    config.certificate.path = strdup("client.crt");
    config.key.path = strdup("client.key");
    struct kube_client *client = kube_client_create(&config, &error);
    kube_config_release(&config);
    assert_non_null(client);
    struct call call = get(client, "/echo");
    assert_int_equal(call.result, 0);
    assert_answered(&call, "/subject", "somebody");
    assert_null(answered(&call, "/headers/authorization"));
    call_release(&call);
    kube_client_free(client);
}

/*
 * The server
 */

static struct call get_with(struct kube_config *config)
{
    struct call call = {.result = -1};
    struct kube_client *client = kube_client_create(config, &call.error);
    kube_config_release(config);
    if (client)
        call = get(client, "/echo");
    kube_client_free(client);
    return call;
}

/* Only the cluster's own authority is trusted, and a wrong one is reported at once. */
static void another_authority_is_refused(void **state)
{
    struct kube_config config = kube_fixture_config(*state);
    struct authority other = make_authority(KEY_EC_P256, time(NULL), DAY);
    write_certificate("other.crt", other.certificate);
    authority_release(&other);
    free(config.ca.path);
    config.ca.path = strdup("other.crt");
    struct call call = get_with(&config);
    assert_int_equal(call.result, -1);
    assert_non_null(strstr(call.error.message, "certificate"));
    assert_true(call.took_ms < 2000);
}

/* A renewed authority counts from the next call on, also where a connection by the old one is kept. */
static void an_authority_is_read_again(void **state)
{
    struct error error = {0};
    struct kube_config config = kube_fixture_config(*state);
    free(config.ca.path);
    config.ca.path = strdup("changing.crt");
    assert_int_equal(system("cp ca.crt changing.crt"), 0);
    struct kube_client *client = kube_client_create(&config, &error);
    kube_config_release(&config);
    assert_non_null(client);
    assert_call(client, "GET", "/authority", 200, 1);
    struct authority other = make_authority(KEY_EC_P256, time(NULL), DAY);
    write_certificate("changing.crt", other.certificate);
    authority_release(&other);
    struct call refused = get(client, "/authority");
    assert_int_equal(refused.result, -1);
    write_text("changing.crt", "garbage\n");
    struct call garbage = get(client, "/authority");
    assert_int_equal(garbage.result, -1);
    assert_non_null(strstr(garbage.error.message, "changing.crt"));
    assert_int_equal(system("cp ca.crt changing.crt"), 0);
    assert_call(client, "GET", "/authority", 200, 2);
    kube_client_free(client);
}

/* The certificate is checked for that name, while the request goes to, and names, the server. */
static void a_server_may_have_another_name(void **state)
{
    const struct kube_fixture *fixture = *state;
    char host[64];
    snprintf(host, sizeof(host), "127.0.0.1:%s", fixture->port);
    struct kube_config config = kube_fixture_config(fixture);
    config.tls_server_name = strdup("kubernetes.default.svc");
    struct call call = get_with(&config);
    assert_int_equal(call.result, 0);
    assert_answered(&call, "/headers/host", host);
    call_release(&call);
    config = kube_fixture_config(fixture);
    config.tls_server_name = strdup("elsewhere.svc");
    call = get_with(&config);
    assert_int_equal(call.result, -1);
}

static void verification_can_be_left_out(void **state)
{
    struct kube_config config = kube_fixture_config(*state);
    free(config.ca.path);
    config.ca.path = NULL;
    config.insecure_skip_tls_verify = true;
    struct call call = get_with(&config);
    assert_int_equal(call.result, 0);
    call_release(&call);
    config = kube_fixture_config(*state);
    free(config.ca.path);
    config.ca.path = NULL;
    assert_int_equal(get_with(&config).result, -1);
}

static void a_token_does_not_travel_in_the_open(void **state)
{
    struct kube_config config = kube_fixture_config(*state);
    free(config.server);
    config.server = strdup("http://127.0.0.1:1");
    struct call call = get_with(&config);
    assert_int_equal(call.result, -1);
    assert_non_null(strstr(call.error.message, "not encrypted"));
}

/* A redirect could lead the token to another server. */
static void redirects_are_not_followed(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    assert_call(client, "GET", "/moved", 307, 0);
    kube_client_free(client);
}

static void assert_has_way(struct kube_client *client, bool has_way)
{
    struct call call = call_with(
        client,
        &(struct kube_request){.method = "GET", .path = "/echo", .timeout_ms = has_way ? ENOUGH_MS : 50});
    assert_int_equal(call.result, has_way ? 0 : -1);
    call_release(&call);
}

/* As kubectl has it (test_kube_proxy.c): here by a proxy that is not there. 0.0.0.0 is this host, and none of
 * its loopback addresses. */
static void proxies_of_the_environment_are_used(void **state)
{
    const struct kube_fixture *fixture = *state;
    struct error error = {0};
    char server[64];
    struct kube_config config = kube_fixture_config(fixture);
    snprintf(server, sizeof(server), "https://0.0.0.0:%s", fixture->port);
    free(config.server);
    config.server = strdup(server);
    config.tls_server_name = strdup("kubernetes.default.svc");
    struct kube_client *client = kube_client_create(&config, &error);
    kube_config_release(&config);
    assert_non_null(client);
    setenv("https_proxy", "http://127.0.0.1:1", 1);
    assert_has_way(client, false);
    setenv("no_proxy", "0.0.0.0/8", 1);
    assert_has_way(client, true);
    unsetenv("no_proxy");
    unsetenv("https_proxy");
    assert_has_way(client, true);
    kube_client_free(client);
}

/* Its URL holds a password, and messages go to logs. */
static void the_password_of_a_proxy_stays_secret(void **state)
{
    struct error error = {0};
    struct kube_config config = kube_fixture_config(*state);
    config.proxy_url = strdup("http://user:s3#cr3t@127.0.0.1:1");
    assert_null(kube_client_create(&config, &error));
    kube_config_release(&config);
    assert_non_null(strstr(error.message, "proxy-url is not the URL of a proxy"));
    assert_null(strstr(error.message, "cr3t"));
}

/*
 * Trying again
 */

/* An API server that sheds load is asked again, for any request: it has done nothing yet. */
static void a_busy_server_is_asked_again(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    assert_call(client, "GET", "/answers/429,503", 200, 3);
    assert_call(client, "POST", "/answers/503,429?post", 200, 3);
    kube_client_free(client);
}

static void retry_after_is_honoured(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    struct call call = get(client, "/answers/429?after=1");
    assert_int_equal(call.response.status, 200);
    assert_true(call.took_ms >= 1000);
    call_release(&call);
    kube_client_free(client);
}

/* Waiting past the deadline is of no use: the answer is handed on at once. */
static void retry_after_is_bounded_by_the_deadline(void **state)
{
    static const char *const paths[] = {"/answers/503?after=3600", "/answers/503?after=4000000000"};
    struct kube_client *client = kube_fixture_client(*state);
    for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
        struct call call =
            call_with(client, &(struct kube_request){.method = "GET", .path = paths[i], .timeout_ms = 5000});
        assert_int_equal(call.result, 0);
        assert_int_equal(call.response.status, 503);
        assert_true(call.took_ms < 2000);
        call_release(&call);
    }
    kube_client_free(client);
}

static void tries_are_bounded(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    assert_call(client, "GET", "/answers/500,500,500,500,500,502,504", 502, 0);
    assert_call(client, "GET", "/answers/500,500,500,500,500,502,504", 200, KUBE_TRIES_MAX + 2);
    kube_client_free(client);
}

/* A conflict is the caller's, and what may have been done is not done twice. */
static void answers_that_are_final(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    assert_call(client, "PUT", "/answers/409", 409, 0);
    assert_call(client, "PUT", "/answers/409", 200, 2);
    assert_call(client, "POST", "/answers/500", 500, 0);
    assert_call(client, "POST", "/answers/500", 200, 2);
    assert_call(client, "GET", "/answers/404", 404, 0);
    assert_call(client, "GET", "/answers/404", 200, 2);
    kube_client_free(client);
}

/* Only patches that give the same result when they are sent twice; a deletion is done once in any case.
 */
static void patches_are_tried_again_where_that_does_no_harm(void **state)
{
    static const struct {
        const char *method, *type;
        long status;
    } cases[] = {
        {"PATCH", "application/apply-patch+yaml", 200},
        {"PATCH", "application/merge-patch+json", 200},
        {"PATCH", "application/json-patch+json", 500},
        {"PATCH", "application/strategic-merge-patch+json", 500},
        {"PATCH", NULL, 500},
        {"DELETE", NULL, 200},
    };
    struct kube_client *client = kube_fixture_client(*state);
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char path[64];
        snprintf(path, sizeof(path), "/answers/500?patch=%zu", i);
        struct call call = call_with(
            client,
            &(struct kube_request){
                .method = cases[i].method,
                .path = path,
                .content_type = cases[i].type,
                .timeout_ms = ENOUGH_MS,
            });
        assert_int_equal(call.response.status, cases[i].status);
        call_release(&call);
    }
    kube_client_free(client);
}

static void a_cut_connection_is_made_again(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    assert_call(client, "GET", "/cut/2", 200, 3);
    kube_client_free(client);
}

/* An Event costs no handshake either. */
static void a_post_takes_the_connection_that_stands(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    struct call first = get(client, "/posted"), second = call_method(client, "POST", "/posted");
    assert_int_equal(second.result, 0);
    assert_int_equal(
        yyjson_get_sint(answered(&first, "/connection")), yyjson_get_sint(answered(&second, "/connection")));
    call_release(&first);
    call_release(&second);
    kube_client_free(client);
}

/* API servers, and what balances load before them, close what is idle. */
static void a_post_on_a_connection_closed_meanwhile_is_done_once(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    assert_call(client, "GET", "/closes", 200, 1);
    usleep(100000); /* until the end of the connection has come */
    struct call call = call_with(
        client,
        &(struct kube_request){
            .method = "POST", .path = "/after-it-was-closed", .body = SLICE("{}"), .timeout_ms = ENOUGH_MS});
    assert_int_equal(call.result, 0);
    assert_int_equal(yyjson_get_sint(answered(&call, "/count")), 1);
    call_release(&call);
    kube_client_free(client);
}

/* Also not by libcurl, which does that on a connection that was kept. */
static void a_cut_request_is_not_done_twice(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    assert_call(client, "GET", "/before-the-cut", 200, 1);
    struct call call = call_method(client, "POST", "/cut/1?post");
    assert_int_equal(call.result, -1);
    assert_non_null(strstr(call.error.message, "127.0.0.1"));
    assert_null(strstr(call.error.message, "first"));
    assert_call(client, "GET", "/cut/1?post", 200, 2);
    kube_client_free(client);
}

static void a_cut_request_that_may_be_done_twice_is(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    assert_call(client, "GET", "/before-a-second-cut", 200, 1);
    struct call call = call_with(
        client,
        &(struct kube_request){
            .method = "POST",
            .path = "/cut/1?repeatable",
            .body = SLICE("{}"),
            .is_repeatable = true,
            .timeout_ms = ENOUGH_MS});
    assert_int_equal(call.result, 0);
    assert_int_equal(yyjson_get_sint(answered(&call, "/count")), 2);
    call_release(&call);
    kube_client_free(client);
}

static void nobody_answers(void **state)
{
    const struct kube_fixture *fixture = *state;
    struct error error = {0};
    struct kube_config config = kube_fixture_config(fixture);
    free(config.server);
    config.server = strdup("https://127.0.0.1:1");
    struct kube_client *client = kube_client_create(&config, &error);
    kube_config_release(&config);
    struct call call =
        call_with(client, &(struct kube_request){.method = "POST", .path = "/", .timeout_ms = 300});
    assert_int_equal(call.result, -1);
    assert_non_null(strstr(call.error.message, "https://127.0.0.1:1"));
    assert_true(call.took_ms < 2000);
    kube_client_free(client);
}

/*
 * Several at a time
 */

struct told {
    int answered, failed;
    struct error error;
};

static void note(void *data, struct kube_response *response, const struct error *error)
{
    struct told *told = data;
    told->answered += response && response->status == 200;
    told->failed += !response;
    if (response)
        kube_response_release(response);
    else
        told->error = *error;
}

static struct kube_pending *begin_within(
    struct kube_client *client, const char *path, struct kube_allowance *allowance, struct told *told)
{
    const struct kube_request request = {
        .method = "GET", .path = path, .timeout_ms = ENOUGH_MS, .allowance = allowance};
    struct kube_pending *pending = kube_begin(client, &request, note, told);
    assert_non_null(pending);
    return pending;
}

static struct kube_pending *begin_get(struct kube_client *client, const char *path, struct told *told)
{
    return begin_within(client, path, NULL, told);
}

static void run_until_told(struct kube_client *client, const struct told *told, int count)
{
    uint64_t end = monotonic_milliseconds() + ENOUGH_MS;
    while (told->answered + told->failed < count && monotonic_milliseconds() < end)
        kube_run(client, 1000);
    assert_int_equal(told->answered + told->failed, count);
}

/* No call waits for the answer to another. */
static void calls_are_under_way_at_the_same_time(void **state)
{
    struct told told = {0};
    struct kube_client *client = kube_fixture_client(*state);
    for (int i = 0; i < 3; i++)
        begin_get(client, "/meet/3", &told);
    run_until_told(client, &told, 3);
    assert_int_equal(told.answered, 3);
    kube_client_free(client);
}

/* A caller that cancelled a call gets no more of it, and the others go on. */
static void a_cancelled_call_is_not_reported(void **state)
{
    struct told cancelled = {0}, told = {0};
    struct kube_client *client = kube_fixture_client(*state);
    struct kube_pending *pending = begin_get(client, "/slow", &cancelled);
    kube_run(client, 0);
    begin_get(client, "/beside-a-slow-one", &told);
    kube_cancel(pending);
    run_until_told(client, &told, 1);
    begin_get(client, "/slow", &cancelled);
    kube_run(client, 0);
    kube_client_free(client);
    assert_int_equal(told.answered, 1);
    assert_int_equal(cancelled.answered + cancelled.failed, 0);
}

/* Many large answers at once take no more memory than was said; small ones always find room. */
static void answers_take_no_more_than_they_may(void **state)
{
    struct told huge = {0}, told = {0};
    struct kube_allowance allowance = {.max = 256 * 1024};
    struct kube_client *client = kube_fixture_client(*state);
    begin_within(client, "/huge", &allowance, &huge);
    begin_within(client, "/huge", &allowance, &huge);
    begin_within(client, "/beside-huge-ones", &allowance, &told);
    run_until_told(client, &huge, 2);
    run_until_told(client, &told, 1);
    assert_int_equal(huge.failed, 2);
    assert_non_null(strstr(huge.error.message, "too many large answers"));
    assert_int_equal(told.answered, 1);
    begin_within(client, "/large/200000", &allowance, &told);
    run_until_told(client, &told, 2);
    assert_int_equal(told.answered, 2);
    assert_int_equal(allowance.taken, 0);
    kube_client_free(client);
}

/* A call with its own allowance loses nothing to large answers. */
static void allowances_are_apart(void **state)
{
    struct told told = {0};
    struct kube_allowance full = {.max = 1000, .taken = 1000}, empty = {.max = 256 * 1024};
    struct kube_client *client = kube_fixture_client(*state);
    begin_within(client, "/large/100000", &full, &told);
    run_until_told(client, &told, 1);
    assert_int_equal(told.failed, 1);
    begin_within(client, "/large/100000", &empty, &told);
    begin_get(client, "/large/100000", &told);
    run_until_told(client, &told, 3);
    assert_int_equal(told.answered, 2);
    kube_client_free(client);
}

static void *wake(void *client)
{
    kube_wake(client);
    return NULL;
}

/* A wait without a call ends when there is work. */
static void a_wait_is_ended_from_another_thread(void **state)
{
    pthread_t thread;
    struct kube_client *client = kube_fixture_client(*state);
    assert_int_equal(pthread_create(&thread, NULL, wake, client), 0);
    kube_run(client, UINT64_MAX);
    pthread_join(thread, NULL);
    kube_client_free(client);
}

/*
 * Ends
 */

static void a_slow_answer_ends_at_the_deadline(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    struct call call =
        call_with(client, &(struct kube_request){.method = "GET", .path = "/slow", .timeout_ms = 300});
    assert_int_equal(call.result, -1);
    assert_true(call.took_ms >= 300 && call.took_ms < 3000);
    assert_call(client, "GET", "/after-the-deadline", 200, 1);
    kube_client_free(client);
}

static void a_huge_answer_is_not_read_on(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    struct call call = get(client, "/huge");
    assert_int_equal(call.result, -1);
    assert_non_null(strstr(call.error.message, "larger than 16777216 bytes"));
    call = call_with(
        client,
        &(struct kube_request){
            .method = "GET", .path = "/echo", .answer_bytes_max = 10, .timeout_ms = ENOUGH_MS});
    assert_int_equal(call.result, -1);
    assert_non_null(strstr(call.error.message, "larger than 10 bytes"));
    kube_client_free(client);
}

static void *stop_soon(void *client)
{
    struct timespec pause = {.tv_nsec = 100000000};
    nanosleep(&pause, NULL);
    kube_client_stop(client);
    return NULL;
}

/* In the middle of an answer, and of a wait between two tries. */
static void a_stop_ends_the_call(void **state)
{
    static const char *const paths[] = {"/slow", "/answers/503?after=15"};
    for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
        struct kube_client *client = kube_fixture_client(*state);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, client), 0);
        struct call call = get(client, paths[i]);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(call.result, -1);
        assert_true(call.took_ms < 900);
        struct call later = get(client, "/echo");
        assert_int_equal(later.result, -1);
        assert_true(later.took_ms < 900);
        kube_client_free(client);
    }
}

/*
 * Words for people
 */

/* The API server's message reaches the user, without characters that could change a terminal. */
static void a_status_is_reported(void **state)
{
    struct kube_client *client = kube_fixture_client(*state);
    char line[200], small[24];
    struct call call = get(client, "/forbidden");
    kube_status_message(&call.response, line, sizeof(line));
    assert_string_equal(line, "403 Forbidden: secrets \"y\" is forbidden:\\x1b[2J no");
    kube_status_message(&call.response, small, sizeof(small));
    assert_string_equal(small, "403 Forbidden: secre…");
    call_release(&call);
    call = get(client, "/echo");
    kube_status_message(&call.response, line, sizeof(line));
    assert_string_equal(line, "200 without a reason");
    call_release(&call);
    kube_client_free(client);
}

/* An answer that is not a complete Status is reported as far as possible. */
static void a_status_may_say_little(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        const char *line;
    } cases[] = {
        {"", "500 without a reason"},
        {"{\"kind\":\"Status\"}", "500 without a reason"},
        {"{\"kind\":\"Status\",\"reason\":7,\"message\":[]}", "500 without a reason"},
        {"{\"kind\":\"Status\",\"reason\":\"Timeout\"}", "500 Timeout"},
        {"{\"kind\":\"Status\",\"message\":\"busy\"}", "500: busy"},
        {"{\"kind\":\"Pod\",\"reason\":\"Evicted\"}", "500 without a reason"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char line[64];
        struct kube_response response = {
            .status = 500, .body = {.bytes = (char *)cases[i].body, .length = strlen(cases[i].body)}};
        kube_status_message(&response, line, sizeof(line));
        assert_string_equal(line, cases[i].line);
    }
}

/* A proxy's page, say: it is not read, however long it is. */
static void a_huge_status_is_none(void **state)
{
    (void)state;
    char line[64];
    static const char start[] = "{\"kind\":\"Status\",\"reason\":\"";
    struct kube_response response = {.status = 500, .body = secret_allocate(2 << 20)};
    memset(response.body.bytes, 'x', response.body.length);
    memcpy(response.body.bytes, start, sizeof(start) - 1);
    memcpy(response.body.bytes + response.body.length - 2, "\"}", 2);
    kube_status_message(&response, line, sizeof(line));
    assert_string_equal(line, "500 without a reason");
    kube_response_release(&response);
}

int main(void)
{
    struct error error = {0};
    if (kube_library_init(&error) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_arrives_whole),
        cmocka_unit_test(a_connection_is_kept),
        cmocka_unit_test(a_token_is_read_again),
        cmocka_unit_test(a_token_that_is_none_is_refused),
        cmocka_unit_test(a_client_certificate_is_shown),
        cmocka_unit_test(another_authority_is_refused),
        cmocka_unit_test(an_authority_is_read_again),
        cmocka_unit_test(a_server_may_have_another_name),
        cmocka_unit_test(verification_can_be_left_out),
        cmocka_unit_test(a_token_does_not_travel_in_the_open),
        cmocka_unit_test(redirects_are_not_followed),
        cmocka_unit_test(proxies_of_the_environment_are_used),
        cmocka_unit_test(the_password_of_a_proxy_stays_secret),
        cmocka_unit_test(a_busy_server_is_asked_again),
        cmocka_unit_test(retry_after_is_honoured),
        cmocka_unit_test(retry_after_is_bounded_by_the_deadline),
        cmocka_unit_test(tries_are_bounded),
        cmocka_unit_test(answers_that_are_final),
        cmocka_unit_test(patches_are_tried_again_where_that_does_no_harm),
        cmocka_unit_test(a_cut_connection_is_made_again),
        cmocka_unit_test(a_post_takes_the_connection_that_stands),
        cmocka_unit_test(a_post_on_a_connection_closed_meanwhile_is_done_once),
        cmocka_unit_test(calls_are_under_way_at_the_same_time),
        cmocka_unit_test(a_cancelled_call_is_not_reported),
        cmocka_unit_test(answers_take_no_more_than_they_may),
        cmocka_unit_test(allowances_are_apart),
        cmocka_unit_test(a_wait_is_ended_from_another_thread),
        cmocka_unit_test(a_cut_request_is_not_done_twice),
        cmocka_unit_test(a_cut_request_that_may_be_done_twice_is),
        cmocka_unit_test(nobody_answers),
        cmocka_unit_test(a_slow_answer_ends_at_the_deadline),
        cmocka_unit_test(a_huge_answer_is_not_read_on),
        cmocka_unit_test(a_stop_ends_the_call),
        cmocka_unit_test(a_status_is_reported),
        cmocka_unit_test(a_status_may_say_little),
        cmocka_unit_test(a_huge_status_is_none),
    };
    return cmocka_run_group_tests_name("kube client", tests, kube_fixture_setup, kube_fixture_teardown);
}
