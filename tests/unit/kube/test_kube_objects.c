/*
 * A kind and an object are found by what people type, as kubectl finds them, whatever an API server serves or
 * answers: also an old one, one whose extensions are down, and one that is none.
 */
#include "base/count.h"
#include "kube/objects.h"
#include "tests/unit/kube/kube_fixture.h"

/* The aggregated form: what an API server of today says it serves. */
#define KIND(plural, kind, scope, shorts)                                                                    \
    "{\"resource\":\"" plural "\",\"singularResource\":\"\",\"scope\":\"" scope "\",\"shortNames\":[" shorts \
    "],\"responseKind\":{\"kind\":\"" kind "\"}}"
#define VERSION(version, kinds) "{\"version\":\"" version "\",\"resources\":[" kinds "]}"
#define GROUP(name, versions) "{\"metadata\":{\"name\":\"" name "\"},\"versions\":[" versions "]}"
#define GROUPS(groups) "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[" groups "]}"

#define PODS KIND("pods", "Pod", "Namespaced", "\"po\"")
#define NODES KIND("nodes", "Node", "Cluster", "")
#define CORE GROUPS(GROUP("", VERSION("v1", PODS "," NODES)))
#define DEPLOYMENTS KIND("deployments", "Deployment", "Namespaced", "\"deploy\"")
#define APPS GROUP("apps", VERSION("v1", DEPLOYMENTS) "," VERSION("v1beta1", DEPLOYMENTS))
#define OTHER_PODS KIND("pods", "Pod", "Cluster", "")
#define POS KIND("pos", "Po", "Cluster", "\"nodes\"")
#define OTHERS GROUPS(APPS "," GROUP("example.com", VERSION("v1", POS "," OTHER_PODS)))

/* The API server at /of/FILE says what the file has. */
static void write_served(const char *file, const char *core, const char *others, const char *more)
{
    char path[64], text[8192];
    snprintf(path, sizeof(path), "%s.json", file);
    snprintf(text, sizeof(text), "{\"/api\":%s,\"/apis\":%s%s}", core, others, more);
    write_text(path, text);
}

static struct kube_client *client_of(const struct kube_fixture *fixture, const char *file)
{
    struct error error = {0};
    struct kube_config config = kube_fixture_config(fixture);
    char *server = NULL;
    assert_true(asprintf(&server, "%s/of/%s", config.server, file) > 0);
    free(config.server);
    config.server = server;
    struct kube_client *client = kube_client_create(&config, &error);
    kube_config_release(&config);
    if (!client)
        fail_msg("%s", error.message);
    return client;
}

static void describe_kind(const struct kube_kind *kind, char *text, size_t capacity)
{
    snprintf(
        text, capacity, "%.*s/%.*s %.*s %.*s%s", (int)kind->group.length, kind->group.bytes,
        (int)kind->version.length, kind->version.bytes, (int)kind->plural.length, kind->plural.bytes,
        (int)kind->kind.length, kind->kind.bytes, kind->is_namespaced ? "" : " of the cluster");
}

/* What is found by a name: the kind, or the error. */
static void find(struct kube_client *client, const char *name, char *text, size_t capacity)
{
    struct error error = {0};
    struct kube_kind kind = {0};
    struct arena *arena = arena_create();
    if (kube_find_kind(client, slice_of(name), arena, &kind, &error) == 0)
        describe_kind(&kind, text, capacity);
    else
        snprintf(text, capacity, "%s", error.message);
    arena_destroy(arena);
}

static void expect_found(struct kube_client *client, const char *name, const char *expected)
{
    char text[512];
    find(client, name, text, sizeof(text));
    if (strcmp(text, expected) != 0)
        fail_msg("%s: %s", name, text);
}

static const struct {
    const char *name;
    const char *found;
} typed[] = {
    {"pods", "/v1 pods Pod"},
    {"Pod", "/v1 pods Pod"},
    {"PODS", "/v1 pods Pod"},
    {"pods.v1", "/v1 pods Pod"},
    {"pods.v1.", "/v1 pods Pod"},
    {"pods.example.com", "example.com/v1 pods Pod of the cluster"},
    /* A name goes before the short name of another, the core group before others. */
    {"po", "example.com/v1 pos Po of the cluster"},
    {"po.v1", "/v1 pods Pod"},
    {"nodes", "/v1 nodes Node of the cluster"},
    {"nodes.example.com", "example.com/v1 pos Po of the cluster"},
    {"deploy", "apps/v1 deployments Deployment"},
    {"deployment", "apps/v1 deployments Deployment"},
    {"deployments.apps", "apps/v1 deployments Deployment"},
    {"deployments.v1beta1.apps", "apps/v1beta1 deployments Deployment"},
    {"deployments.v1", "the API server has no kind \"deployments.v1\""},
    {"deployments.v1x.apps", "the API server has no kind \"deployments.v1x.apps\""},
    {"deployments.batch", "the API server has no kind \"deployments.batch\""},
    {"deployments/scale", "the API server has no kind \"deployments/scale\""},
    {".apps", "the API server has no kind \".apps\""},
    {"\x1b[2J", "the API server has no kind \"\\x1b[2J\""},
};

static void kinds_are_found_as_kubectl_finds_them(void **state)
{
    write_served("kinds", CORE, OTHERS, "");
    struct kube_client *client = client_of(*state, "kinds");
    for (size_t i = 0; i < COUNT(typed); i++)
        expect_found(client, typed[i].name, typed[i].found);
    kube_client_free(client);
}

/* The older form, of API servers before 1.26, and of what stands before one. */
#define LISTED(plural, kind, namespaced, shorts)                                                             \
    "{\"name\":\"" plural "\",\"singularName\":\"\",\"namespaced\":" namespaced ",\"kind\":\"" kind          \
    "\",\"shortNames\":[" shorts "]}"
#define OLDER_CORE "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}"
#define OLDER_GROUP(name, versions) "{\"name\":\"" name "\",\"versions\":[" versions "]}"
#define OLDER_DOWN OLDER_GROUP("down.example.com", "{\"version\":\"v1\"}")
#define OLDER_APPS OLDER_GROUP("apps", "{\"version\":\"v1\"},{\"version\":\"v1beta1\"}")
#define OLDER_EXAMPLE OLDER_GROUP("example.com", "{\"version\":\"v1\"},{},7")
#define OLDER_OTHERS                                                                                         \
    "{\"kind\":\"APIGroupList\",\"groups\":[" OLDER_DOWN "," OLDER_APPS "," OLDER_EXAMPLE "]}"
#define LIST(path, kinds) ",\"" path "\":{\"resources\":[" kinds "]}"
#define LISTED_PODS LISTED("pods", "Pod", "true", "\"po\"") "," LISTED("pods/log", "Pod", "true", "\"po\"")
#define LISTED_NODES LISTED("nodes", "Node", "false", "")
#define LISTED_DEPLOYMENTS                                                                                   \
    LISTED("deployments", "Deployment", "true", "\"deploy\"")                                                \
    "," LISTED("deployments/scale", "Scale", "true", "")
#define LISTED_POS LISTED("pos", "Po", "false", "\"nodes\"") "," LISTED("pods", "Pod", "false", "")
#define OLDER_LISTS                                                                                          \
    LIST("/api/v1", LISTED_PODS "," LISTED_NODES)                                                            \
    LIST("/apis/apps/v1", LISTED_DEPLOYMENTS)                                                                \
    LIST("/apis/apps/v1beta1", LISTED_DEPLOYMENTS) LIST("/apis/example.com/v1", LISTED_POS)

/* Also while the server of an extension is down: its kinds alone are not there, which is told. */
static void kinds_of_an_older_server_are_found_as_well(void **state)
{
    write_served("older", OLDER_CORE, OLDER_OTHERS, OLDER_LISTS);
    struct kube_client *client = client_of(*state, "older");
    for (size_t i = 0; i < COUNT(typed); i++) {
        bool may_be_there = strstr(typed[i].found, "no kind") && !strchr(typed[i].name, '.');
        char expected[512];
        snprintf(
            expected, sizeof(expected), "%s%s", typed[i].found,
            may_be_there ? "; some of its groups do not answer now" : "");
        expect_found(client, typed[i].name, expected);
    }
    kube_client_free(client);
}

/* The aggregated form lists no kinds of an extension whose server is down. */
static void kinds_that_are_not_listed_now_are_told(void **state)
{
    write_served(
        "stale", CORE,
        GROUPS(APPS "," GROUP("down.example.com", "{\"version\":\"v1\",\"freshness\":\"Stale\"}")), "");
    struct kube_client *client = client_of(*state, "stale");
    expect_found(client, "deploy", "apps/v1 deployments Deployment");
    expect_found(client, "po.apps", "the API server has no kind \"po.apps\"");
    expect_found(
        client, "meters", "the API server has no kind \"meters\"; some of its groups do not answer now");
    kube_client_free(client);
}

/* Who cannot ask is told why, and not that there is no such kind. */
static void why_kinds_cannot_be_asked_is_told(void **state)
{
    static const struct {
        const char *core, *others;
        const char *told;
    } cases[] = {
        {"403", "403", "403 Forbidden"},
        {CORE, "403", "403 Forbidden"},
        {"\"<html>a proxy</html>\"", OTHERS, "the API server's list of kinds (/api) is no JSON"},
        {CORE, "\"\"", "the API server's list of kinds (/apis) is no JSON"},
        {OLDER_CORE, OTHERS, "404 Not Found"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        write_served("unasked", cases[i].core, cases[i].others, "");
        struct kube_client *client = client_of(*state, "unasked");
        expect_found(client, "deploy", cases[i].told);
        kube_client_free(client);
    }
}

/* A cluster with many extensions has long lists: whoever lacks the memory for them is told that. */
static void memory_that_runs_out_is_told(void **state)
{
    struct error error = {0};
    struct kube_kind kind;
    size_t limit = 0;
    FILE *file = fopen("large.json", "w");
    assert_non_null(file);
    assert_true(fprintf(file, "{\"/api\":" CORE ",\"/apis\":{\"more\":\"%0200000d\",", 0) > 0);
    assert_true(fputs("\"items\":[" APPS "]}}", file) > 0);
    assert_int_equal(fclose(file), 0);
    struct kube_client *client = client_of(*state, "large");
    for (int result = -1; result != 0; limit += 100000) {
        struct arena *arena = arena_create();
        arena_limit(arena, limit);
        result = kube_find_kind(client, SLICE("deployments"), arena, &kind, &error);
        if (result != 0)
            assert_string_equal(error.message, "out of memory");
        arena_destroy(arena);
    }
    assert_true(limit > 300000);
    kube_client_free(client);
}

/* Lists of something else, or with nothing in them, have no kinds. */
static void what_is_no_list_has_no_kinds(void **state)
{
    static const char *const answers[] = {
        "null",
        "[]",
        "{}",
        "{\"items\":{},\"groups\":{},\"versions\":{}}",
        "{\"items\":[]}",
        "{\"items\":[null,7,{},{\"versions\":{}},{\"versions\":[null,7,{}]}]}",
        "{\"groups\":[null,7,{},{\"versions\":{}},{\"versions\":[null,7,{}]}],\"versions\":[null,7,{},\"\"]}",
        GROUPS(GROUP("", VERSION("", KIND("deploy", "Deploy", "Namespaced", "")))),
        GROUPS(GROUP("", VERSION("v1", KIND("", "Deploy", "Namespaced", "")))),
        GROUPS(GROUP("", VERSION("v1", KIND("deploy", "", "Namespaced", "")))),
        GROUPS(GROUP("", VERSION("v1", "null,7,{},{\"resource\":[],\"responseKind\":7,\"shortNames\":{}}"))),
    };
    for (size_t i = 0; i < COUNT(answers); i++) {
        write_served("nothing", answers[i], answers[i], "");
        struct kube_client *client = client_of(*state, "nothing");
        expect_found(client, "deploy", "the API server has no kind \"deploy\"");
        kube_client_free(client);
    }
}

static const struct kube_kind deployments = {
    SLICE_LITERAL("apps"), SLICE_LITERAL("v1"), SLICE_LITERAL("deployments"), SLICE_LITERAL("Deployment"),
    true};
static const struct kube_kind nodes = {
    SLICE_LITERAL(""), SLICE_LITERAL("v1"), SLICE_LITERAL("nodes"), SLICE_LITERAL("Node"), false};

static void expect_read(
    struct kube_client *client, const struct kube_kind *kind, const char *namespace, const char *name,
    const char *expected)
{
    struct error error = {0};
    struct kube_response response;
    int result = kube_read_object(client, kind, namespace, slice_of(name), &response, &error);
    struct slice body = result == 0 ? secret_slice(&response.body) : slice_of(error.message);
    if (!slice_equal(body, slice_of(expected)))
        fail_msg("%s/%s: %.*s", namespace, name, (int)body.length, body.bytes);
    kube_response_release(&response);
}

/* A name leads to its own object and to no other path; what the API server refuses is told. */
static void objects_are_read(void **state)
{
    static const char none[] = "this is no name of an object";
    write_served(
        "objects", CORE, OTHERS,
        ",\"/apis/apps/v1/namespaces/n/deployments/web\":{},\"/api/v1/nodes/a\":[],"
        "\"/apis/apps/v1/namespaces/n/deployments/a%2F..%2Fb%3Fc\":7.5,"
        "\"/apis/apps/v1/namespaces/n/deployments/hidden\":403,"
        "\"/apis/apps/v1/namespaces/n/deployments/empty\":\"\"");
    struct kube_client *client = client_of(*state, "objects");
    expect_read(client, &deployments, "n", "web", "{}");
    expect_read(client, &deployments, "n", "a/../b?c", "7.5");
    expect_read(client, &deployments, "n", "hidden", "403 Forbidden");
    expect_read(client, &deployments, "n", "empty", "the API server's answer is empty");
    expect_read(client, &deployments, "other", "web", "404 Not Found");
    expect_read(client, &deployments, "n", "", none);
    expect_read(client, &deployments, "n", ".", none);
    expect_read(client, &deployments, "n", "..", none);
    expect_read(client, &deployments, "..", "web", none);
    expect_read(client, &deployments, "", "web", none);
    expect_read(client, &nodes, "", "a", "[]");
    kube_client_free(client);
}

int main(void)
{
    struct error error = {0};
    if (kube_library_init(&error) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_found_as_kubectl_finds_them),
        cmocka_unit_test(kinds_of_an_older_server_are_found_as_well),
        cmocka_unit_test(kinds_that_are_not_listed_now_are_told),
        cmocka_unit_test(why_kinds_cannot_be_asked_is_told),
        cmocka_unit_test(memory_that_runs_out_is_told),
        cmocka_unit_test(what_is_no_list_has_no_kinds),
        cmocka_unit_test(objects_are_read),
    };
    return cmocka_run_group_tests_name("kube objects", tests, kube_fixture_setup, kube_fixture_teardown);
}
