/* An exec plugin is run where that is allowed, as often as its credentials need it, and what it prints is
 * believed only as far as it makes sense. */
#include "base/count.h"
#include "kube/clock.h"
#include "kube/exec.h"
#include "tests/unit/kube/kube_fixture.h"

#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <yyjson.h>

#define VERSION "client.authentication.k8s.io/v1"
#define CREDENTIAL(status)                                                                                   \
    "{\"kind\":\"ExecCredential\",\"apiVersion\":\"" VERSION "\",\"status\":{" status "}}"

/* Leaves a trace of each run, tells what it was told, and prints what the test has put there. */
static const char plugin[] = "#!/bin/sh\n"
                             "echo run >> runs\n"
                             "echo \"$KUBERNETES_EXEC_INFO\" > info\n"
                             "echo \"$1/$2/$PROFILE/$(readlink /proc/self/fd/0)\" > told\n"
                             "cat credential.json\n";

static void write_plugin(const char *script)
{
    write_text("plugin", script);
    assert_int_equal(chmod("plugin", 0700), 0);
    remove("runs");
}

static size_t runs(void)
{
    char text[256] = "";
    FILE *file = fopen("runs", "r");
    size_t length = file ? fread(text, 1, sizeof(text), file) : 0;
    if (file)
        fclose(file);
    return length / strlen("run\n");
}

static void read_text(const char *path, char *text, size_t capacity)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, capacity - 1, file)] = '\0';
    fclose(file);
}

/* A kubeconfig as clouds write it. */
static struct kube_config config_with_plugin(const struct kube_fixture *fixture, const char *command)
{
    struct error error = {0};
    struct kube_config config;
    char text[1024], path[128];
    snprintf(path, sizeof(path), "%s/config", fixture->folder);
    snprintf(
        text, sizeof(text),
        "current-context: a\n"
        "contexts: [{name: a, context: {cluster: a, user: a}}]\n"
        "clusters: [{name: a, cluster: {server: 'https://127.0.0.1:%s', certificate-authority: ca.crt}}]\n"
        "users: [{name: a, user: {exec: {apiVersion: " VERSION ", command: %s, args: [get, 'a b'],\n"
        "  env: [{name: PROFILE, value: first}, {name: KUBERNETES_EXEC_INFO, value: of another},\n"
        "    {name: PROFILE, value: mine}], interactiveMode: Never, provideClusterInfo: true,\n"
        "  installHint: install the plugin}}}]\n",
        fixture->port, command);
    if (kube_config_read(&config, slice_of(text), path, NULL, &error) != 0)
        fail_msg("%u: %s", error.line, error.message);
    config.exec.is_allowed = true;
    return config;
}

static struct kube_client *client_with(const struct kube_fixture *fixture, const char *command)
{
    struct error error = {0};
    struct kube_config config = config_with_plugin(fixture, command);
    struct kube_client *client = kube_client_create(&config, &error);
    kube_config_release(&config);
    assert_non_null(client);
    return client;
}

/* The status, or -1 with the error. */
static long get(struct kube_client *client, const char *path, struct error *error)
{
    struct kube_response response;
    struct kube_request request = {.method = "GET", .path = path, .timeout_ms = 10000};
    int result = kube_call(client, &request, &response, error);
    long status = result == 0 ? response.status : -1;
    kube_response_release(&response);
    return status;
}

/* A server never runs what a file tells it to. */
static void it_is_not_run_unasked(void **state)
{
    struct error error = {0};
    struct kube_config config = config_with_plugin(*state, "./plugin");
    write_plugin(plugin);
    config.exec.is_allowed = false;
    assert_null(kube_client_create(&config, &error));
    assert_non_null(strstr(error.message, "plugin"));
    assert_int_equal(runs(), 0);
    kube_config_release(&config);
}

static void its_token_is_used_until_it_expires(void **state)
{
    struct error error = {0};
    struct kube_client *client = client_with(*state, "./plugin");
    write_plugin(plugin);
    write_text(
        "credential.json",
        CREDENTIAL("\"token\":\"s3cr3t\",\"expirationTimestamp\":\"2999-01-01T00:00:00Z\""));
    assert_int_equal(runs(), 0);
    assert_int_equal(get(client, "/only/s3cr3t", &error), 200);
    assert_int_equal(get(client, "/only/s3cr3t", &error), 200);
    assert_int_equal(runs(), 1);
    kube_client_free(client);
    client = client_with(*state, "./plugin");
    write_text(
        "credential.json",
        CREDENTIAL("\"token\":\"s3cr3t\",\"expirationTimestamp\":\"2020-01-01T01:00:00.5+01:00\""));
    assert_int_equal(get(client, "/only/s3cr3t", &error), 200);
    assert_int_equal(get(client, "/only/s3cr3t", &error), 200);
    assert_int_equal(runs(), 3);
    kube_client_free(client);
}

/* The protocol: the cluster is told in the environment, and the kubeconfig's arguments and variables come. */
static void it_gets_the_cluster(void **state)
{
    const struct kube_fixture *fixture = *state;
    struct error error = {0};
    char text[8192], server[64];
    struct kube_client *client = client_with(fixture, "./plugin");
    write_plugin(plugin);
    write_text("credential.json", CREDENTIAL("\"token\":\"s3cr3t\""));
    assert_int_equal(get(client, "/only/s3cr3t", &error), 200);
    read_text("told", text, sizeof(text));
    assert_string_equal(text, "get/a b/mine//dev/null\n");
    read_text("info", text, sizeof(text));
    snprintf(server, sizeof(server), "\"server\":\"https://127.0.0.1:%s\"", fixture->port);
    assert_non_null(strstr(text, server));
    assert_non_null(strstr(text, "\"apiVersion\":\"" VERSION "\""));
    assert_non_null(strstr(text, "\"interactive\":false"));
    assert_non_null(strstr(text, "\"certificate-authority-data\":\"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t"));
    kube_client_free(client);
}

static void assert_told(yyjson_doc *info, const char *pointer, const char *expected)
{
    const char *text = yyjson_get_str(yyjson_doc_ptr_get(info, pointer));
    assert_non_null(text);
    assert_string_equal(text, expected);
}

/* All that client-go tells, and nothing of what there is not. */
static void it_gets_all_of_the_cluster(void **state)
{
    (void)state;
    struct kube_config config = {
        .server = (char[]){"https://k8s.example"},
        .exec = {.api_version = (char[]){VERSION}, .provides_cluster = true}};
    const struct secret none = {0}, authority = {.bytes = (char[]){"pem"}, .length = 3};
    char *json = kube_exec_info(&config, &none, true);
    assert_string_equal(
        json,
        "{\"kind\":\"ExecCredential\",\"apiVersion\":\"" VERSION "\",\"spec\":{\"interactive\":true,"
        "\"cluster\":{\"server\":\"https://k8s.example\"}}}");
    free(json);
    config.tls_server_name = (char[]){"kubernetes"};
    config.proxy_url = (char[]){"http://\"quoted\""};
    config.insecure_skip_tls_verify = true;
    config.exec.cluster_config = (char[]){"{\"audience\":[\"a\"]}"};
    json = kube_exec_info(&config, &authority, false);
    assert_non_null(json);
    yyjson_doc *info = yyjson_read(json, strlen(json), 0);
    assert_told(info, "/spec/cluster/tls-server-name", "kubernetes");
    assert_told(info, "/spec/cluster/proxy-url", "http://\"quoted\"");
    assert_told(info, "/spec/cluster/certificate-authority-data", "cGVt");
    assert_told(info, "/spec/cluster/config/audience/0", "a");
    assert_true(yyjson_get_bool(yyjson_doc_ptr_get(info, "/spec/cluster/insecure-skip-tls-verify")));
    yyjson_doc_free(info);
    free(json);
    config.exec.provides_cluster = false;
    json = kube_exec_info(&config, &authority, false);
    assert_null(strstr(json, "cluster"));
    free(json);
}

/* What the kubeconfig and the protocol set is not there twice, with whatever the caller had: the last one is
 * there, as for client-go. */
static void its_variables_stand_for_ours(void **state)
{
    struct error error = {0};
    char text[64];
    struct kube_client *client = client_with(*state, "./plugin");
    write_plugin("#!/bin/sh\n"
                 "tr '\\0' '\\n' < /proc/$$/environ > variables\n"
                 "grep -c '^PROFILE=\\|^KUBERNETES_EXEC_INFO=' variables > told\n"
                 "grep '^PROFILE' variables | sort >> told\n"
                 "cat credential.json\n");
    write_text("credential.json", CREDENTIAL("\"token\":\"s3cr3t\""));
    setenv("PROFILE", "the caller's", 1);
    setenv("PROFILES", "other", 1);
    setenv("KUBERNETES_EXEC_INFO", "of another", 1);
    long status = get(client, "/only/s3cr3t", &error);
    unsetenv("PROFILE");
    unsetenv("PROFILES");
    unsetenv("KUBERNETES_EXEC_INFO");
    assert_int_equal(status, 200);
    read_text("told", text, sizeof(text));
    assert_string_equal(text, "2\nPROFILE=mine\nPROFILES=other\n");
    kube_client_free(client);
}

/* What it leaves running must not hold the connections to the API server, which it never had. */
static void it_inherits_no_connections(void **state)
{
    struct error error = {0};
    char text[1024];
    struct kube_client *client = client_with(*state, "./plugin");
    write_plugin("#!/bin/sh\n"
                 "echo run >> runs\n"
                 "readlink /proc/$$/fd/* | grep socket > told\n"
                 "cat credential.json\n");
    write_text("credential.json", CREDENTIAL("\"token\":\"s3cr3t\""));
    assert_int_equal(get(client, "/only/other", &error), 401);
    assert_int_equal(runs(), 2);
    read_text("told", text, sizeof(text));
    assert_string_equal(text, "");
    kube_client_free(client);
}

/* A program whose output nobody reads any more ends, as it is used to. */
static void it_does_not_ignore_what_we_ignore(void **state)
{
    struct error error = {0};
    char text[64];
    struct kube_client *client = client_with(*state, "./plugin");
    write_plugin("#!/bin/sh\n"
                 "sed -n 's/^SigIgn:.//p' /proc/$$/status > told\n"
                 "cat credential.json\n");
    write_text("credential.json", CREDENTIAL("\"token\":\"s3cr3t\""));
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    long status = get(client, "/only/s3cr3t", &error);
    signal(SIGPIPE, before);
    assert_int_equal(status, 200);
    read_text("told", text, sizeof(text));
    assert_int_equal(strtoull(text, NULL, 16) >> (SIGPIPE - 1) & 1, 0);
    kube_client_free(client);
}

/* Runs the plugin with that file as our standard input, and says whether it was told that it may ask. */
static bool asks(const struct kube_fixture *fixture, int input, enum kube_interaction interaction)
{
    struct error error = {0};
    char text[8192];
    struct kube_config config = config_with_plugin(fixture, "./plugin");
    config.exec.interaction = interaction;
    struct kube_client *client = kube_client_create(&config, &error);
    kube_config_release(&config);
    int ours = dup(STDIN_FILENO);
    assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
    long status = get(client, "/only/s3cr3t", &error);
    dup2(ours, STDIN_FILENO);
    close(ours);
    kube_client_free(client);
    if (status != 200)
        fail_msg("%s", error.message);
    read_text("info", text, sizeof(text));
    return strstr(text, "\"interactive\":true") != NULL;
}

/* A person is asked where there is one, and the kubeconfig lets the plugin ask. */
static void it_may_ask_at_a_terminal(void **state)
{
    char text[256];
    int terminal = posix_openpt(O_RDWR | O_NOCTTY), nobody = open("/dev/null", O_RDONLY);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    int person = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(person >= 0);
    write_plugin(plugin);
    write_text("credential.json", CREDENTIAL("\"token\":\"s3cr3t\""));
    assert_false(asks(*state, person, KUBE_INTERACTIVE_NEVER));
    assert_false(asks(*state, nobody, KUBE_INTERACTIVE_IF_AVAILABLE));
    assert_true(asks(*state, person, KUBE_INTERACTIVE_IF_AVAILABLE));
    assert_true(asks(*state, person, KUBE_INTERACTIVE_ALWAYS));
    read_text("told", text, sizeof(text));
    assert_non_null(strstr(text, "/mine//dev/pts/"));
    close(person);
    close(nobody);
    close(terminal);
}

/* One that cannot do without is not run to fail. */
static void it_is_not_run_where_nobody_can_be_asked(void **state)
{
    struct error error = {0};
    struct kube_config config = config_with_plugin(*state, "./plugin");
    config.exec.interaction = KUBE_INTERACTIVE_ALWAYS;
    struct kube_client *client = kube_client_create(&config, &error);
    kube_config_release(&config);
    int nobody = open("/dev/null", O_RDONLY), ours = dup(STDIN_FILENO);
    dup2(nobody, STDIN_FILENO);
    write_plugin(plugin);
    long status = get(client, "/echo", &error);
    dup2(ours, STDIN_FILENO);
    close(ours);
    close(nobody);
    assert_int_equal(status, -1);
    assert_non_null(strstr(error.message, "there is no terminal"));
    assert_int_equal(runs(), 0);
    kube_client_free(client);
}

/* A token may be withdrawn before it expires; one that stays refused is not asked for again and again. */
static void it_is_run_again_when_refused(void **state)
{
    struct error error = {0};
    struct kube_client *client = client_with(*state, "./plugin");
    write_plugin(plugin);
    write_text("credential.json", CREDENTIAL("\"token\":\"old\""));
    assert_int_equal(get(client, "/only/old", &error), 200);
    write_text("credential.json", CREDENTIAL("\"token\":\"new\""));
    assert_int_equal(get(client, "/only/new", &error), 200);
    assert_int_equal(runs(), 2);
    assert_int_equal(get(client, "/only/other", &error), 401);
    assert_int_equal(runs(), 3);
    kube_client_free(client);
}

static void it_may_give_a_certificate(void **state)
{
    struct error error = {0};
    struct kube_client *client = client_with(*state, "./plugin");
    write_plugin("#!/bin/sh\n"
                 "json() { sed 's/$/\\\\n/' $1 | tr -d '\\n'; }\n"
                 "printf '{\"kind\":\"ExecCredential\",\"apiVersion\":\"" VERSION "\",'\n"
                 "printf '\"status\":{\"clientCertificateData\":\"%s\",' \"$(json client.crt)\"\n"
                 "printf '\"clientKeyData\":\"%s\"}}' \"$(json client.key)\"\n");
    struct kube_response response;
    struct kube_request request = {.method = "GET", .path = "/echo", .timeout_ms = 10000};
    if (kube_call(client, &request, &response, &error) != 0)
        fail_msg("%s", error.message);
    assert_non_null(memmem(response.body.bytes, response.body.length, "\"somebody\"", 10));
    kube_response_release(&response);
    kube_client_free(client);
}

/* One that has said all, and closed its output, is waited for. */
static void it_ends_after_its_output(void **state)
{
    struct error error = {0};
    struct kube_client *client = client_with(*state, "./plugin");
    write_plugin("#!/bin/sh\ncat credential.json; exec >&-; sleep 0.2; echo run >> runs\n");
    write_text("credential.json", CREDENTIAL("\"token\":\"s3cr3t\""));
    assert_int_equal(get(client, "/only/s3cr3t", &error), 200);
    assert_int_equal(runs(), 1);
    kube_client_free(client);
}

static void assert_fails(const struct kube_fixture *fixture, const char *command, const char *word)
{
    struct error error = {0};
    struct kube_client *client = client_with(fixture, command);
    assert_int_equal(get(client, "/echo", &error), -1);
    if (!strstr(error.message, word) || !strstr(error.message, "exec plugin") ||
        strstr(error.message, "s3cr3t"))
        fail_msg("%s: %s", word, error.message);
    kube_client_free(client);
}

static void what_goes_wrong_is_reported(void **state)
{
    assert_fails(*state, "no-such-plugin", "; install the plugin");
    write_plugin("#!/bin/sh\nno-such-program\n");
    assert_fails(*state, "./plugin", "exit status 127, as if a program were missing; install the plugin");
    write_text("no-program", "");
    assert_fails(*state, "./no-program", "cannot run it");
    write_plugin("#!/bin/sh\necho s3cr3t; exit 3\n");
    assert_fails(*state, "./plugin", "exit status 3");
    write_plugin("#!/bin/sh\nkill -9 $$\n");
    assert_fails(*state, "./plugin", "signal");
    write_plugin("#!/bin/sh\necho s3cr3t\n");
    assert_fails(*state, "./plugin", "no JSON");
    write_plugin("#!/bin/sh\nhead -c 2000000 /dev/zero\n");
    assert_fails(*state, "./plugin", "more than");
    write_plugin(plugin);
    write_text("credential.json", CREDENTIAL("\"token\":\"s3cr3t\\n2\""));
    assert_fails(*state, "./plugin", "token");
}

/* A request without it would be anonymous, and what the API server answers then is about nobody's rights. */
static void nothing_is_sent_without_the_token_it_gives(void **state)
{
    struct error error = {0};
    struct kube_client *client = client_with(*state, "./plugin");
    write_plugin(plugin);
    write_text("credential.json", CREDENTIAL("\"token\":\"s3cr3t\\n2\""));
    assert_int_equal(get(client, "/echo", &error), -1);
    assert_int_equal(get(client, "/echo", &error), -1);
    assert_int_equal(runs(), 2);
    kube_client_free(client);
}

static void what_it_prints_is_checked(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        const char *word;
    } cases[] = {
        {"", "no JSON"},
        {"[]", "ExecCredential"},
        {"{\"kind\":\"Secret\"}", "ExecCredential"},
        {"{\"kind\":\"ExecCredential\",\"apiVersion\":\"v1\",\"status\":{\"token\":\"s3cr3t\"}}",
         "apiVersion"},
        {"{\"kind\":\"ExecCredential\",\"apiVersion\":\"" VERSION "\"}", "neither"},
        {CREDENTIAL("\"token\":7"), "neither"},
        {CREDENTIAL("\"token\":\"\""), "neither"},
        {CREDENTIAL("\"token\":\"s3cr3t\",\"clientKeyData\":\"s3cr3t\""), "without its certificate"},
        {CREDENTIAL("\"token\":\"s3cr3t\",\"expirationTimestamp\":\"tomorrow\""), "expirationTimestamp"},
        {CREDENTIAL("\"token\":\"s3cr3t\",\"expirationTimestamp\":\"2026-01-01T00:00:00\""),
         "expirationTimestamp"},
        {CREDENTIAL("\"token\":\"s3cr3t\",\"expirationTimestamp\":\"2026-01-01T00:00:00+01:00Z\""),
         "expirationTimestamp"},
        {CREDENTIAL("\"token\":\"s3cr3t\",\"expirationTimestamp\":\"2026-01-01T00:00:00+1\""),
         "expirationTimestamp"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct error error = {0};
        struct kube_exec_credential credential;
        assert_int_equal(
            kube_exec_credential_parse(slice_of(cases[i].json), VERSION, &credential, &error), -1);
        if (!strstr(error.message, cases[i].word) || strstr(error.message, "s3cr3t"))
            fail_msg("%s: %s", cases[i].json, error.message);
        assert_null(credential.token.bytes);
    }
}

static void expiry_counts_its_zone(void **state)
{
    (void)state;
    static const char *const times[] = {
        "2026-11-21T14:00:00Z", "2026-11-21T16:30:00+02:30", "2026-11-21T06:00:00.123456-08:00"};
    for (size_t i = 0; i < COUNT(times); i++) {
        char json[256];
        struct kube_exec_credential credential;
        snprintf(
            json, sizeof(json), CREDENTIAL("\"token\":\"s3cr3t\",\"expirationTimestamp\":\"%s\""), times[i]);
        assert_int_equal(kube_exec_credential_parse(slice_of(json), VERSION, &credential, NULL), 0);
        assert_int_equal(credential.expires_at, 1795269600);
        kube_exec_credential_release(&credential);
    }
}

/* Once the plugin has said its process id, which takes long on a machine that has much else to do. */
static void *stop_when_running(void *client)
{
    struct timespec pause = {.tv_nsec = 10000000};
    struct stat file;
    for (int i = 0; i < 3000 && (stat("pid", &file) != 0 || file.st_size == 0); i++)
        nanosleep(&pause, NULL);
    kube_client_stop(client);
    return NULL;
}

/* Nobody waits for a plugin that hangs: it is ended with the call. */
static void a_stop_ends_it(void **state)
{
    struct error error = {0};
    struct kube_client *client = client_with(*state, "./plugin");
    pthread_t thread;
    write_plugin("#!/bin/sh\necho $$ > pid; exec sleep 60\n");
    uint64_t before = kube_milliseconds();
    assert_int_equal(pthread_create(&thread, NULL, stop_when_running, client), 0);
    assert_int_equal(get(client, "/echo", &error), -1);
    assert_true(kube_milliseconds() - before < 40000);
    assert_int_equal(pthread_join(thread, NULL), 0);
    char pid[32];
    read_text("pid", pid, sizeof(pid));
    assert_int_equal(kill((pid_t)strtol(pid, NULL, 10), 0), -1);
    kube_client_free(client);
}

int main(void)
{
    struct error error = {0};
    if (kube_library_init(&error) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_not_run_unasked),
        cmocka_unit_test(its_token_is_used_until_it_expires),
        cmocka_unit_test(it_gets_the_cluster),
        cmocka_unit_test(it_gets_all_of_the_cluster),
        cmocka_unit_test(its_variables_stand_for_ours),
        cmocka_unit_test(it_inherits_no_connections),
        cmocka_unit_test(it_does_not_ignore_what_we_ignore),
        cmocka_unit_test(it_may_ask_at_a_terminal),
        cmocka_unit_test(it_is_not_run_where_nobody_can_be_asked),
        cmocka_unit_test(it_ends_after_its_output),
        cmocka_unit_test(it_is_run_again_when_refused),
        cmocka_unit_test(it_may_give_a_certificate),
        cmocka_unit_test(what_goes_wrong_is_reported),
        cmocka_unit_test(nothing_is_sent_without_the_token_it_gives),
        cmocka_unit_test(what_it_prints_is_checked),
        cmocka_unit_test(expiry_counts_its_zone),
        cmocka_unit_test(a_stop_ends_it),
    };
    return cmocka_run_group_tests_name("kube exec", tests, kube_fixture_setup, kube_fixture_teardown);
}
