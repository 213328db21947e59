/* A kubeconfig, or what a pod is given, says where the API server is and who asks; its faults are reported
 * with their line and without its secrets. */
#include "base/array_size.h"
#include "certs/secret_base64.h"
#include "kube/config.h"
#include "tests/unit/certs/certs_fixture.h"
#include "tests/unit/files.h"

#include <openssl/evp.h>
#include <string.h>
#include <sys/stat.h>

struct texts {
    char certificate[4096]; /* base64 of PEM */
    char key[4096];
};

static void encode(char *base64, struct slice pem)
{
    EVP_EncodeBlock((unsigned char *)base64, (const unsigned char *)pem.bytes, (int)pem.length);
}

static int setup(void **state)
{
    struct error error = {0};
    static struct texts texts;
    struct authority authority = make_authority(KEY_EC_P256, MIDSUMMER_2026, DAY);
    STACK_OF(X509) *one = sk_X509_new_null();
    struct pem_text certificate;
    struct secret key;
    sk_X509_push(one, authority.certificate);
    assert_int_equal(bundle_print(one, &certificate, &error), 0);
    assert_int_equal(key_print(authority.key, &key, &error), 0);
    encode(texts.certificate, (struct slice){certificate.bytes, certificate.length});
    encode(texts.key, (struct slice){key.bytes, key.length});
    sk_X509_free(one);
    free(certificate.bytes);
    secret_free(&key);
    authority_release(&authority);
    *state = &texts;
    return 0;
}

/* A kubeconfig with one context; `cluster` and `user` are lines of eight blanks' depth. */
static char *kubeconfig_of(const char *cluster, const char *user)
{
    char *text = NULL;
    int length = asprintf(
        &text,
        "apiVersion: v1\n"
        "kind: Config\n"
        "preferences: {}\n"
        "current-context: here\n"
        "contexts:\n"
        "- name: here\n"
        "  context: {cluster: home, user: me, namespace: guard}\n"
        "- name: there\n"
        "  context: {cluster: away, user: nobody}\n"
        "clusters:\n"
        "- name: home\n"
        "  cluster: {%s}\n"
        "users:\n"
        "- name: me\n"
        "  user: {%s}\n",
        cluster, user);
    assert_true(length > 0);
    return text;
}

static int read_text(struct kube_config *config, const char *text, const char *context, struct error *error)
{
    return kube_config_read(config, slice_of(text), "/etc/kube/config", context, error);
}

static struct kube_config read_good(const char *cluster, const char *user)
{
    struct error error = {0};
    struct kube_config config;
    char *text = kubeconfig_of(cluster, user);
    if (read_text(&config, text, NULL, &error) != 0)
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    free(text);
    return config;
}

static void assert_refused(const char *cluster, const char *user, unsigned line, const char *word)
{
    struct error error = {0};
    struct kube_config config;
    char *text = kubeconfig_of(cluster, user);
    assert_int_equal(read_text(&config, text, NULL, &error), -1);
    free(text);
    if (!strstr(error.message, word) || strstr(error.message, "s3cr3t"))
        fail_msg("%s: %s", word, error.message);
    assert_int_equal(error.line, line);
    assert_null(config.server);
}

static void assert_content(const struct secret *secret, const char *expected)
{
    assert_int_equal(secret->length, strlen(expected));
    assert_memory_equal(secret->bytes, expected, secret->length);
}

/*
 * Kubeconfigs
 */

static void a_kubeconfig_with_data(void **state)
{
    const struct texts *texts = *state;
    char cluster[8192], user[16384];
    snprintf(
        cluster, sizeof(cluster), "server: 'https://10.0.0.1:6443/', certificate-authority-data: %s",
        texts->certificate);
    snprintf(
        user, sizeof(user), "client-certificate-data: %s, client-key-data: %s", texts->certificate,
        texts->key);
    struct kube_config config = read_good(cluster, user);
    assert_string_equal(config.server, "https://10.0.0.1:6443");
    assert_string_equal(config.namespace, "guard");
    assert_memory_equal(config.ca.content.bytes, "-----BEGIN CERTIFICATE-----", 27);
    assert_memory_equal(config.certificate.content.bytes, "-----BEGIN CERTIFICATE-----", 27);
    assert_memory_equal(config.key.content.bytes, "-----BEGIN PRIVATE KEY-----", 27);
    assert_null(config.token.content.bytes);
    assert_false(config.insecure_skip_tls_verify);
    kube_config_release(&config);
    assert_null(config.key.content.bytes);
}

/* Paths of files are relative to the kubeconfig. */
static void a_kubeconfig_with_files(void **state)
{
    (void)state;
    struct kube_config config = read_good(
        "server: https://k8s.example:443/k8s/clusters/c-1, certificate-authority: pki/ca.crt, "
        "tls-server-name: kubernetes.default.svc, proxy-url: 'socks5://localhost:1080'",
        "client-certificate: /abs/me.crt, client-key: ../me.key, tokenFile: token, token: s3cr3t");
    assert_string_equal(config.server, "https://k8s.example:443/k8s/clusters/c-1");
    assert_string_equal(config.ca.path, "/etc/kube/pki/ca.crt");
    assert_string_equal(config.certificate.path, "/abs/me.crt");
    assert_string_equal(config.key.path, "/etc/kube/../me.key");
    assert_string_equal(config.token.path, "/etc/kube/token");
    assert_null(config.token.content.bytes);
    assert_string_equal(config.tls_server_name, "kubernetes.default.svc");
    assert_string_equal(config.proxy_url, "socks5://localhost:1080");
    kube_config_release(&config);
}

/* A scheme is the same in capitals, and without TLS no name is checked. */
static void a_kubeconfig_with_another_scheme(void **state)
{
    (void)state;
    struct kube_config config =
        read_good("server: 'HTTPS://K8s.example/Path/', tls-server-name: web", "token: s3cr3t");
    assert_string_equal(config.server, "https://K8s.example/Path");
    assert_string_equal(config.tls_server_name, "web");
    kube_config_release(&config);
    config = read_good("server: 'HTTP://localhost:8001', tls-server-name: web", "");
    assert_string_equal(config.server, "http://localhost:8001");
    assert_null(config.tls_server_name);
    kube_config_release(&config);
}

static void a_kubeconfig_with_a_token(void **state)
{
    (void)state;
    struct kube_config config = read_good(
        "server: 'k8s.example:6443', insecure-skip-tls-verify: true, certificate-authority: ''",
        "token: s3cr3t");
    assert_string_equal(config.server, "https://k8s.example:6443");
    assert_true(config.insecure_skip_tls_verify);
    assert_content(&config.token.content, "s3cr3t");
    struct kube_config copy;
    assert_int_equal(kube_config_copy(&copy, &config, NULL), 0);
    kube_config_release(&config);
    assert_content(&copy.token.content, "s3cr3t");
    assert_string_equal(copy.server, "https://k8s.example:6443");
    assert_true(copy.insecure_skip_tls_verify);
    kube_config_release(&copy);
}

static void a_context_is_chosen(void **state)
{
    (void)state;
    struct error error = {0};
    struct kube_config config;
    char *text = kubeconfig_of("server: https://k8s.example", "token: s3cr3t");
    assert_int_equal(read_text(&config, text, "there", &error), -1);
    assert_non_null(strstr(error.message, "no cluster \"away\"; there are home"));
    assert_int_equal(read_text(&config, text, "elsewhere", &error), -1);
    assert_non_null(strstr(error.message, "no context \"elsewhere\"; there are here, there"));
    assert_int_equal(error.line, 6);
    free(text);
    assert_int_equal(
        read_text(
            &config, "contexts: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}]", "g",
            &error),
        -1);
    assert_non_null(strstr(error.message, "there are a, b, c, d, e"));
    assert_null(strstr(error.message, ", f"));
    assert_int_equal(read_text(&config, "kind: Config\n", NULL, &error), -1);
    assert_non_null(strstr(error.message, "current-context"));
}

/* Keys of other tools, and users without rights, are nothing wrong. */
static void a_bare_kubeconfig(void **state)
{
    (void)state;
    struct kube_config config = read_good("server: http://127.0.0.1:8001, extensions: [{name: x}]", "");
    assert_string_equal(config.server, "http://127.0.0.1:8001");
    kube_config_release(&config);
}

/* A server does not wait for the writer of a pipe. */
static void files_of_kubeconfigs(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *problem;
    } broken[] = {
        {"absent", "cannot read absent: No such file or directory"},
        {"folder", "cannot read folder: Is a directory"},
        {"one/config", "cannot read one/config: Not a directory"},
        {"list", "list:2:1: "},
        {"map", "map: it has no current-context; name the context to take"},
        {"pod", "pod:1:7: this is not a kubeconfig: its kind is not Config"},
    };
    struct kube_config config;
    struct error error = {0};
    mkdir("folder", 0700);
    write_text("one", "");
    write_text("list", "a: [\n");
    write_text("map", "{}\n");
    write_text("pod", "kind: Pod\n");
    write_text(
        "folder/two",
        "current-context: a\ncontexts: [{name: a, context: {cluster: c, user: u, namespace: n}}]\n"
        "clusters: [{name: c, cluster: {server: 'https://two'}}]\n"
        "users: [{name: u, user: {tokenFile: token}}]\n");
    assert_int_equal(kube_config_await_file(&config, "folder/two", NULL, &error), 0);
    assert_string_equal(config.namespace, "n");
    assert_string_equal(config.token.path, "folder/token");
    kube_config_release(&config);
    assert_int_equal(kube_config_read_file(&config, "folder/two", "d", &error), -1);
    assert_string_equal(error.message, "folder/two:2:11: there is no context \"d\"; there are a");
    for (size_t i = 0; i < ARRAY_SIZE(broken); i++) {
        assert_int_equal(kube_config_read_file(&config, broken[i].path, NULL, &error), -1);
        assert_non_null(strstr(error.message, broken[i].problem));
    }
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(kube_config_read_file(&config, "pipe", NULL, &error), -1);
    /* A long path leaves room for the problem. */
    char longest[400] = "";
    for (size_t length = 0; length < sizeof(longest) - sizeof("pod"); length += 2)
        memcpy(longest + length, "./", 2);
    strcpy(longest + strlen(longest) - 1, "/pod");
    assert_int_equal(kube_config_read_file(&config, longest, NULL, &error), -1);
    assert_non_null(strstr(error.message, "…:1:7: this is not a kubeconfig"));
}

#define HERE "server: https://k8s.example"

/* Each with its line: 12 is the cluster, 15 the user. */
static void what_is_wrong_is_reported(void **state)
{
    (void)state;
    assert_refused("", "", 12, "server");
    assert_refused("server: ''", "", 12, "lacks its \"server\"");
    assert_refused("server: 'ftp://k8s.example'", "", 12, "https://");
    assert_refused("server: 'https:/k8s.example/://'", "", 12, "https://HOST");
    assert_refused("server: 'http:///k8s.example'", "", 12, "https://HOST");
    assert_refused("server: \"https://\\uFEFFk8s.example\"", "", 12, "cannot be printed");
    assert_refused("server: 'https://me:s3cr3t@k8s.example'", "", 12, "user name");
    assert_refused("server: 'https://k8s.example/?a=b'", "", 12, "query");
    assert_refused("server: 'https://a b'", "", 12, "URL");
    assert_refused("server: [s3cr3t]", "", 12, "single value");
    assert_refused(HERE ", certificate-authority-data: 's3cr3t!'", "", 12, "base64");
    assert_refused(HERE ", certificate-authority-data: bm8gUEVN", "", 12, "certificate-authority-data");
    assert_refused(
        HERE ", insecure-skip-tls-verify: true, certificate-authority: ca.crt", "", 12, "take one out");
    assert_refused(HERE ", insecure-skip-tls-verify: 'yes'", "", 12, "true or false");
    assert_refused(HERE ", tls-server-name: 'a/b'", "", 12, "host name");
    assert_refused(HERE ", proxy-url: 'ftp://x'", "", 12, "proxy-url");
    assert_refused(HERE, "username: me, password: s3cr3t", 15, "user name");
    assert_refused(HERE, "password: s3cr3t", 15, "password");
    assert_refused(HERE, "auth-provider: {name: gcp}", 15, "removed");
    assert_refused(HERE, "as: jane, token: s3cr3t", 15, "acting as another user");
    assert_refused(HERE, "as-groups: [admins]", 15, "acting as another user");
    assert_refused(HERE, "as-uid: s3cr3t", 15, "acting as another user");
    assert_refused(HERE, "as-user-extra: {b: [s3cr3t]}", 15, "acting as another user");
    assert_refused(HERE, "exec: {command: s3cr3t}", 15, "a program that provides credentials");
    assert_refused(HERE, "client-key: me.key", 15, "without its certificate");
    assert_refused(HERE, "client-certificate: me.crt", 15, "without its key");
    assert_refused(HERE, "token: \"s3cr3t\\0\"", 15, "NUL");
    assert_refused(HERE, "client-certificate: c, client-key-data: czNjcjN0", 15, "private key");
    assert_refused("server: 'https://k8s.example/#a'", "", 12, "fragment");
    assert_refused(HERE ", proxy-url: [s3cr3t]", "", 12, "single value");
    assert_refused(HERE ", tls-server-name: {s3cr3t: a}", "", 12, "single value");
    assert_refused(HERE ", certificate-authority-data: [s3cr3t]", "", 12, "single value");
    assert_refused(HERE ", certificate-authority: [s3cr3t]", "", 12, "single value");
    assert_refused(HERE ", insecure-skip-tls-verify: [s3cr3t]", "", 12, "single value");
    assert_refused(HERE, "tokenFile: [s3cr3t]", 15, "single value");
    assert_refused(HERE, "token: [s3cr3t]", 15, "single value");
    assert_refused(HERE, "client-certificate-data: [s3cr3t]", 15, "single value");
    assert_refused(HERE, "client-certificate-data: czNjcjN0", 15, "certificate");
    assert_refused(HERE, "client-key-data: [s3cr3t]", 15, "single value");
}

static void what_is_no_kubeconfig(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *word;
    } cases[] = {
        {"", ""},
        {"[]", "not a kubeconfig"},
        {"kind: Policy\n", "Config"},
        {"current-context: a\ncontexts: {}\n", "list"},
        {"current-context: a\n", "no context"},
        {"current-context: a\ncontexts: [{name: a}]\n", "map"},
        {"current-context: a\ncontexts: [x, [y], {name: a, context: {}}]\n", "cluster"},
        {"current-context: a\ncontexts: [{name: a, context: {cluster: b}}, {name: a, context: {}}]\n", "two"},
        {"current-context: [a\n", ""},
        {"kind: [Config]\n", "single value"},
        {"current-context: [a]\n", "single value"},
        {"{}\n", "no current-context"},
        {"current-context: a\ncontexts: [{name: [a]}]\n", "single value"},
        {"current-context: a\ncontexts: [{name: a, context: {cluster: [b]}}]\n", "single value"},
        {"current-context: a\ncontexts: [{name: a, context: {cluster: b, user: [c]}}]\n", "single value"},
        {"current-context: a\ncontexts: [{name: a, context: {cluster: b, namespace: [c]}}]\n",
         "single value"},
        {"current-context: a\ncontexts: [{name: a, context: {cluster: b}}]\nclusters: [{name: b, cluster: "
         "c}]\n",
         "map"},
        {"current-context: a\ncontexts: [{name: b}, {name: b}, {}, {name: [c]}]\n", "single value"},
        {"current-context: a\ncontexts: [{name: a, context: {cluster: b, user: c}}]\n"
         "clusters: [{name: b, cluster: {server: 'https://x'}}]\nusers: [{name: d, user: {}}, {}]\n",
         "there is no user \"c\"; there are d"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct error error = {0};
        struct kube_config config;
        assert_int_equal(read_text(&config, cases[i].text, NULL, &error), -1);
        if (!*error.message || !strstr(error.message, cases[i].word))
            fail_msg("%s: %s", cases[i].text, error.message);
    }
}

/* Names of others do not reach the terminal as they are. */
static void a_hostile_kubeconfig_is_reported_printably(void **state)
{
    (void)state;
    struct error error = {0};
    struct kube_config config;
    assert_int_equal(
        read_text(
            &config, "current-context: \"\\e[2J\"\ncontexts: [{name: \"\\x07\", context: {}}]\n", NULL,
            &error),
        -1);
    for (const char *at = error.message; *at; at++)
        assert_true((unsigned char)*at >= ' ');
}

/*
 * The files of a pod
 */

static void a_pod(void **state)
{
    struct error error = {0};
    struct kube_config config;
    const char *folder = *state;
    setenv("KUBERNETES_SERVICE_HOST", "fd00::1", 1);
    setenv("KUBERNETES_SERVICE_PORT", "443", 1);
    write_text("token", "s3cr3t\n");
    assert_int_equal(kube_config_in_cluster(&config, folder, &error), 0);
    assert_string_equal(config.server, "https://[fd00::1]:443");
    assert_null(config.namespace);
    kube_config_release(&config);
    write_text("namespace", "guard");
    setenv("KUBERNETES_SERVICE_HOST", "[fd00::1]", 1);
    assert_int_equal(kube_config_in_cluster(&config, folder, &error), 0);
    assert_string_equal(config.server, "https://[fd00::1]:443");
    kube_config_release(&config);
    setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1", 1);
    assert_int_equal(kube_config_in_cluster(&config, folder, &error), 0);
    assert_string_equal(config.server, "https://10.96.0.1:443");
    assert_string_equal(config.namespace, "guard");
    assert_memory_equal(config.token.path, folder, strlen(folder));
    assert_memory_equal(config.ca.path, folder, strlen(folder));
    kube_config_release(&config);
}

/* Which of the two is missing decides what a person must do. */
static void what_is_no_pod(void **state)
{
    struct error error = {0};
    struct kube_config config;
    const char *folder = *state;
    setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1", 1);
    setenv("KUBERNETES_SERVICE_PORT", "443", 1);
    assert_int_equal(kube_config_in_cluster(&config, folder, &error), -1);
    assert_non_null(strstr(error.message, "automountServiceAccountToken"));
    write_text("token", "\n");
    assert_int_equal(kube_config_in_cluster(&config, folder, &error), -1);
    assert_non_null(strstr(error.message, "no token"));
    write_text("token", "s3cr3t\x7f\n");
    assert_int_equal(kube_config_in_cluster(&config, folder, &error), -1);
    assert_non_null(strstr(error.message, "no token"));
    setenv("KUBERNETES_SERVICE_PORT", "", 1);
    assert_int_equal(kube_config_in_cluster(&config, folder, &error), -1);
    assert_non_null(strstr(error.message, "KUBERNETES_SERVICE_PORT"));
    unsetenv("KUBERNETES_SERVICE_PORT");
    assert_int_equal(kube_config_in_cluster(&config, folder, &error), -1);
    assert_non_null(strstr(error.message, "KUBERNETES_SERVICE_PORT"));
    setenv("KUBERNETES_SERVICE_HOST", "", 1);
    assert_int_equal(kube_config_in_cluster(&config, folder, &error), -1);
    unsetenv("KUBERNETES_SERVICE_HOST");
    assert_int_equal(kube_config_in_cluster(&config, folder, &error), -1);
    assert_non_null(strstr(error.message, "KUBERNETES_SERVICE_HOST"));
    assert_null(config.server);
}

/*
 * Base64
 */

static void base64_is_read_strictly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *content; /* NULL: refused */
    } cases[] = {
        {"YQ==", "a"},
        {"YWI=", "ab"},
        {"YWJj", "abc"},
        {"YW\nJj\n", "abc"},
        {"", NULL},
        {"YWJ", NULL},
        {"Y===", NULL},
        {"YQ==YQ==", NULL},
        {"YQ-=", NULL},
        {"YWJj-", NULL},
        {"YW Jj ZA==", "abcd"},
        {"====", NULL},
        {"YWJj\xff\xff\xff\xff", NULL},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct secret content;
        bool done = secret_base64_decode(slice_of(cases[i].text), &content);
        assert_int_equal(done, cases[i].content != NULL);
        if (done)
            assert_content(&content, cases[i].content);
        secret_free(&content);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_kubeconfig_with_data, setup),
        cmocka_unit_test(a_kubeconfig_with_files),
        cmocka_unit_test(a_kubeconfig_with_another_scheme),
        cmocka_unit_test(a_kubeconfig_with_a_token),
        cmocka_unit_test(a_context_is_chosen),
        cmocka_unit_test(a_bare_kubeconfig),
        cmocka_unit_test_setup_teardown(files_of_kubeconfigs, enter_directory, leave_directory),
        cmocka_unit_test(what_is_wrong_is_reported),
        cmocka_unit_test(what_is_no_kubeconfig),
        cmocka_unit_test(a_hostile_kubeconfig_is_reported_printably),
        cmocka_unit_test_setup_teardown(a_pod, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(what_is_no_pod, enter_directory, leave_directory),
        cmocka_unit_test(base64_is_read_strictly),
    };
    return cmocka_run_group_tests_name("kube config", tests, NULL, NULL);
}
