/*
 * Where memory runs out, a kubeconfig is taken whole or not at all, a call ends with an answer or an error
 * that says why it is missing, and no error blames a file or a program that is in order.
 */
#include "base/array_size.h"
#include "certs/memory.h"
#include "certs/secret_base64.h"
#include "tests/unit/failing_calls.h"
#include "tests/unit/kube/kube_fixture.h"

#include <curl/curl.h>

CURLcode __real_curl_easy_setopt(CURL *easy, CURLoption option, ...);
CURLcode __wrap_curl_easy_setopt(CURL *easy, CURLoption option, ...);

/* All that an option may take is passed like a pointer. */
CURLcode __wrap_curl_easy_setopt(CURL *easy, CURLoption option, ...)
{
    va_list arguments;
    va_start(arguments, option);
    void *value = va_arg(arguments, void *);
    va_end(arguments);
    return is_granted() ? __real_curl_easy_setopt(easy, option, value) : CURLE_OUT_OF_MEMORY;
}

/* Whatever went wrong, it was memory. */
static bool blame(const char *message)
{
    if (!strstr(message, "memory"))
        fail_msg("memory runs out, and it says: %s", message);
    return false;
}

/*
 * Kubeconfigs
 */

static void read_base64(const char *path, char *base64, size_t capacity)
{
    char pem[4096];
    struct secret text;
    FILE *file = fopen(path, "r");
    size_t length = fread(pem, 1, sizeof(pem), file);
    fclose(file);
    assert_true(secret_base64_encode((struct slice){pem, length}, &text));
    assert_true(text.length < capacity);
    memcpy(base64, text.bytes, text.length + 1);
    secret_free(&text);
}

/* As clouds write them; `user` is a map. */
static char *kubeconfig_of(const struct kube_fixture *fixture, const char *user)
{
    char ca[4096], *text = NULL;
    read_base64("ca.crt", ca, sizeof(ca));
    assert_true(
        asprintf(
            &text,
            "current-context: a\n"
            "contexts: [{name: a, context: {cluster: a, user: a, namespace: guard}}]\n"
            "clusters: [{name: a, cluster: {server: '127.0.0.1:%s', certificate-authority-data: %s,\n"
            "  tls-server-name: kubernetes.default.svc, proxy-url: 'http://proxy:3128'}}]\n"
            "users: [{name: a, user: {%s}}]\n",
            fixture->port, ca, user) > 0);
    return text;
}

static bool read_config(void *data, struct error *error)
{
    struct error problem = {0};
    struct kube_config config, copy = {0};
    int result = kube_config_read(&config, slice_of(data), "/etc/kube/config", NULL, &problem);
    if (result == 0)
        result = kube_config_copy(&copy, &config, &problem);
    if (result == 0) {
        assert_string_equal(copy.tls_server_name, "kubernetes.default.svc");
        assert_string_equal(copy.proxy_url, "http://proxy:3128");
        assert_string_equal(copy.namespace, "guard");
        assert_true(copy.ca.content.length == config.ca.content.length && copy.ca.content.length > 0);
        assert_true(copy.token.path || copy.token.content.length || copy.key.content.length);
    }
    kube_config_release(&config);
    kube_config_release(&copy);
    *error = problem;
    return result == 0 || blame(problem.message);
}

static void kubeconfigs(void **state)
{
    char certificate[4096], key[4096], *pair = NULL;
    read_base64("client.crt", certificate, sizeof(certificate));
    read_base64("client.key", key, sizeof(key));
    assert_true(asprintf(&pair, "client-certificate-data: %s, client-key-data: %s", certificate, key) > 0);
    const char *const users[] = {
        pair,
        "tokenFile: token",
        "token: s3cr3t",
    };
    for (size_t i = 0; i < ARRAY_SIZE(users); i++) {
        char *text = kubeconfig_of(*state, users[i]);
        assert_true(fail_at_each_place(read_config, text) > 10);
        free(text);
    }
    free(pair);
}

static bool read_pod(void *data, struct error *error)
{
    const struct kube_fixture *fixture = data;
    struct kube_config config;
    setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1", 1);
    setenv("KUBERNETES_SERVICE_PORT", fixture->port, 1);
    int result = kube_config_in_cluster(&config, fixture->folder, error);
    if (result == 0) {
        assert_non_null(config.token.path);
        assert_non_null(config.namespace);
    }
    kube_config_release(&config);
    return result == 0 || blame(error->message);
}

static void what_a_pod_is_given(void **state)
{
    assert_true(fail_at_each_place(read_pod, *state) > 2);
}

/*
 * Calls
 */

/* After a failure it does not wait for another try. */
static uint64_t timeout(void)
{
    return calls.fail_at ? 40 : 20000;
}

static bool ask(struct kube_client *client, const char *method, struct error *error)
{
    struct kube_response response;
    const struct kube_request request = {
        .method = method,
        .path = strcmp(method, "GET") == 0 ? "/api/v1/namespaces" : "/api/v1/namespaces?fieldManager=x",
        .body = strcmp(method, "GET") == 0 ? (struct slice){0} : SLICE("{}"),
        .timeout_ms = timeout(),
    };
    int result = kube_call(client, &request, &response, error);
    if (result == 0)
        assert_true(response.status != 200 || response.body.length > 0);
    assert_true(result == 0 || *error->message);
    kube_response_release(&response);
    return result == 0;
}

static bool call(void *data, struct error *error)
{
    const struct kube_config *config = data;
    struct kube_client *client = kube_client_create(config, error);
    bool done = client && ask(client, "GET", error) && ask(client, "POST", error);
    kube_client_free(client);
    return done;
}

static void calls_end(void **state)
{
    struct kube_config config = kube_fixture_config(*state);
    config.tls_server_name = strdup("kubernetes.default.svc");
    config.certificate.path = strdup("client.crt");
    config.key.path = strdup("client.key");
    assert_true(fail_at_each_place(call, &config) > 30);
    config.insecure_skip_tls_verify = true;
    assert_true(fail_at_each_place(call, &config) > 30);
    kube_config_release(&config);
}

struct large {
    struct kube_client *client;
    struct kube_allowance allowance;
};

static bool ask_for_much(void *data, struct error *error)
{
    struct large *large = data;
    struct kube_response response;
    const struct kube_request request = {
        .method = "GET", .path = "/large/200000", .timeout_ms = timeout(), .allowance = &large->allowance};
    int result = kube_call(large->client, &request, &response, error);
    kube_response_release(&response);
    return result == 0;
}

/* At each allocation, once: an answer that cannot grow gives back all that it took. */
static void allowances_are_whole_again(void **state)
{
    struct error error = {0};
    struct kube_config config = kube_fixture_config(*state);
    struct large large = {kube_client_create(&config, &error), {.max = 1024 * 1024}};
    size_t failures = 0;
    assert_non_null(large.client);
    assert_true(attempt_with_failure(ask_for_much, &large, 0, false, &error));
    assert_true(attempt_with_failure(ask_for_much, &large, 0, false, &error));
    for (size_t number = 1, count = calls.calls; number <= count; number++) {
        failures += !attempt_with_failure(ask_for_much, &large, number, true, &error);
        /* As libcurl reports it; where OpenSSL lacks memory for the request, it names SSL_write. */
        assert_null(strstr(error.message, "writing"));
        assert_int_equal(large.allowance.taken, 0);
        assert_true(attempt_with_failure(ask_for_much, &large, 0, false, &error));
    }
    assert_true(failures > 3);
    kube_client_free(large.client);
    kube_config_release(&config);
}

int main(void)
{
    struct error error = {0};
    if (!memory_protect() || kube_library_init(&error) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kubeconfigs),
        cmocka_unit_test(what_a_pod_is_given),
        cmocka_unit_test(calls_end),
        cmocka_unit_test(allowances_are_whole_again),
    };
    return cmocka_run_group_tests_name(
        "kube out of memory", tests, kube_fixture_setup, kube_fixture_teardown);
}
