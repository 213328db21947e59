/*
 * kube_fixture.h: a small API server of a test's own, on loopback over TLS, and a client's way to it.
 */
#ifndef APPLYGUARD_TESTS_KUBE_FIXTURE_H
#define APPLYGUARD_TESTS_KUBE_FIXTURE_H

#include "kube/client.h"
#include "tests/unit/certs/certs_fixture.h"
#include "tests/unit/files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

struct kube_fixture {
    char folder[64]; /* the current one: ca.crt, client.crt, client.key, token */
    char port[16];
    pid_t process;
    int input; /* closing it ends the server */
};

static inline void write_key(const char *path, EVP_PKEY *key)
{
    struct error error = {0};
    struct secret pem;
    assert_int_equal(key_print(key, &pem, &error), 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(pem.bytes, 1, pem.length, file), pem.length);
    assert_int_equal(fclose(file), 0);
    secret_free(&pem);
}

/* A leaf for 127.0.0.1 and kubernetes.default.svc, in NAME.crt and NAME.key. */
static inline void write_pair(const struct authority *authority, const char *name)
{
    struct error error = {0};
    char path[64];
    EVP_PKEY *key = key_generate(KEY_EC_P256, &error);
    GENERAL_NAMES *names = names_create(&error);
    assert_int_equal(names_add_ip(names, "127.0.0.1", &error), 0);
    assert_int_equal(names_add_service(names, "kubernetes", "default", &error), 0);
    X509 *leaf = leaf_issue(authority, key, names, time(NULL), DAY, &error);
    assert_non_null(leaf);
    snprintf(path, sizeof(path), "%s.crt", name);
    write_certificate(path, leaf);
    snprintf(path, sizeof(path), "%s.key", name);
    write_key(path, key);
    GENERAL_NAMES_free(names);
    EVP_PKEY_free(key);
    X509_free(leaf);
}

/* A client is known by its common name: openssl(1) makes it, because we make no client certificates. */
static inline void write_client(const struct authority *authority)
{
    char output[1024];
    write_key("ca.key", authority->key);
    assert_int_equal(
        run_command(
            "{ openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout client.key "
            "-out client.csr -subj /CN=somebody && openssl x509 -req -in client.csr -CA ca.crt -CAkey ca.key "
            "-CAcreateserial -days 1 -out client.crt; } 2>&1",
            output, sizeof(output)),
        0);
}

static inline void run_server(const char *script, int input, int output)
{
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    execlp("python3", "python3", script, "server.crt", "server.key", "ca.crt", (char *)NULL);
    _exit(127);
}

static inline void start_server(struct kube_fixture *fixture, const char *script)
{
    int input[2], output[2];
    assert_int_equal(pipe2(input, O_CLOEXEC), 0);
    assert_int_equal(pipe2(output, O_CLOEXEC), 0);
    fixture->process = fork();
    if (fixture->process == 0)
        run_server(script, input[0], output[1]);
    close(input[0]);
    close(output[1]);
    fixture->input = input[1];
    FILE *port = fdopen(output[0], "r");
    assert_non_null(port);
    assert_non_null(fgets(fixture->port, sizeof(fixture->port), port));
    fixture->port[strcspn(fixture->port, "\n")] = '\0';
    fclose(port);
}

/* One for all tests of a program: starting Python takes a while. */
static inline int kube_fixture_setup(void **state)
{
    struct kube_fixture *fixture = calloc(1, sizeof(*fixture));
    char script[512];
    assert_non_null(getcwd(script, sizeof(script) - 64));
    strcat(script, "/tests/unit/kube/kube_server.py");
    snprintf(fixture->folder, sizeof(fixture->folder), "/tmp/applyguard-kube-XXXXXX");
    assert_non_null(mkdtemp(fixture->folder));
    assert_int_equal(chdir(fixture->folder), 0);
    struct authority authority = make_authority(KEY_EC_P256, time(NULL), DAY);
    write_certificate("ca.crt", authority.certificate);
    write_pair(&authority, "server");
    write_client(&authority);
    write_text("token", "first\n");
    write_text("namespace", "guard\n");
    authority_release(&authority);
    start_server(fixture, script);
    *state = fixture;
    return 0;
}

static inline int kube_fixture_teardown(void **state)
{
    struct kube_fixture *fixture = *state;
    char command[128];
    int status;
    close(fixture->input);
    waitpid(fixture->process, &status, 0);
    snprintf(command, sizeof(command), "rm -r %s", fixture->folder);
    int result = chdir("/") || system(command);
    free(fixture);
    return result;
}

/* A client of the fixture's server, with what a pod has. */
static inline struct kube_config kube_fixture_config(const struct kube_fixture *fixture)
{
    struct error error = {0};
    struct kube_config config;
    setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1", 1);
    setenv("KUBERNETES_SERVICE_PORT", fixture->port, 1);
    if (kube_config_in_cluster(&config, fixture->folder, &error) != 0)
        fail_msg("%s", error.message);
    return config;
}

static inline struct kube_client *kube_fixture_client(const struct kube_fixture *fixture)
{
    struct error error = {0};
    struct kube_config config = kube_fixture_config(fixture);
    struct kube_client *client = kube_client_create(&config, &error);
    kube_config_release(&config);
    if (!client)
        fail_msg("%s", error.message);
    return client;
}

#endif
