/* The words of messages: short, printable, and right in number. */
#include "tests/unit/parse.h"

#include "policy/verdict/message.h"
#include "policy/verdict/message_command.h"
#include "policy/verdict/message_field.h"
#include "policy/verdict/message_fit.h"

#include <string.h>

/* A text of `count` times the same character. */
static struct slice repeated(struct arena *arena, const char *character, size_t count)
{
    struct text text = text_start(arena, 0);
    for (size_t i = 0; i < count; i++)
        text_append_string(&text, character);
    return text_slice(&text);
}

static struct slice named(struct arena *arena, struct slice name)
{
    struct text text = text_start(arena, 0);
    message_append_name(&text, name);
    return text_slice(&text);
}

/*
 * Names are whole up to the bound, which counts bytes as they are printed; beyond, both ends with an ellipsis
 * between, cut at characters.
 */
static void names_are_cut_and_printable(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    assert_text(named(arena, SLICE("web")), "web");
    assert_text(named(arena, SLICE("")), "");
    assert_text(named(arena, SLICE("a\nb\x1b[2J\xe2\x80\xae")), "a\\nb\\x1b[2J\\u202e");
    assert_text(named(arena, (struct slice){"a\0b", 3}), "a\\x00b");
    struct slice fits = repeated(arena, "n", MESSAGE_NAME_BYTES);
    assert_true(slice_equal(named(arena, fits), fits));
    assert_text(
        named(arena, SLICE("the-first-part-tells-the-team-and-the-last-tells-which")),
        "the-first-part-tells-the-team-…ast-tells-which");
    for (size_t count = 1; count < 200; count++) {
        assert_true(named(arena, repeated(arena, "n", count)).length <= MESSAGE_NAME_BYTES);
        assert_true(named(arena, repeated(arena, "世", count)).length <= MESSAGE_NAME_BYTES);
        assert_true(named(arena, repeated(arena, "\x01", count)).length <= MESSAGE_NAME_BYTES);
    }
    assert_text(named(arena, repeated(arena, "世", 100)), "世世世世世世世世世世…世世世世世");
    arena_destroy(arena);
}

static const struct manager writers[] = {
    {SLICE_LITERAL("argocd"), MANAGER_APPLY, SLICE_LITERAL("")},
    {SLICE_LITERAL("helm"), MANAGER_UPDATE, SLICE_LITERAL("")},
    {SLICE_LITERAL("a"), MANAGER_UPDATE, SLICE_LITERAL("")},
    {SLICE_LITERAL("b"), MANAGER_UPDATE, SLICE_LITERAL("")},
};

/* The text without its marks, and without a name shortened. */
static struct slice plain(const struct text *text)
{
    struct message_parts parts = {.sentence = text_slice(text)};
    return message_fit(&parts, 1000, text->arena);
}

/* A report is no warning, so nothing in it is shortened. */
static void reports_have_whole_names(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text object = text_start(arena, 0), sentence = text_start(arena, 0);
    static const char name[] =
        "kube-prometheus-stack-grafana-dashboards-of-the-platform-team-for-all-clusters";
    message_append_marked(&object, slice_of(name));
    text_append_string(&sentence, "it is so; do this");
    struct message_parts parts = {
        .object = text_slice(&object), .sentence = text_slice(&sentence), .command = SLICE("kubectl get x")};
    assert_true(message_fit(&parts, 90, arena).length <= 90);
    parts.is_whole = true;
    struct slice whole = message_fit(&parts, 90, arena);
    char expected[256];
    (void)snprintf(expected, sizeof(expected), "%s: it is so; do this: kubectl get x", name);
    assert_true(slice_equal(whole, slice_of(expected)));
    arena_destroy(arena);
}

static struct slice named_manager(struct arena *arena, const struct manager *manager)
{
    struct text text = text_start(arena, 0);
    text_append_all(&text, message_manager(manager));
    struct text words = text_start(arena, 0);
    manager_append(&words, manager);
    assert_true(slice_equal(plain(&text), text_slice(&words)));
    return plain(&text);
}

/* People know commands and autoscalers, not the names under which these write; other names stand as they are.
 */
static void managers_are_named_as_people_know_them(void **state)
{
    (void)state;
    static const struct {
        struct manager manager;
        const char *expected;
    } cases[] = {
        {{SLICE_LITERAL("argocd"), MANAGER_APPLY, SLICE_LITERAL("")}, "argocd"},
        {{SLICE_LITERAL("helm"), MANAGER_UPDATE, SLICE_LITERAL("")}, "Helm"},
        {{SLICE_LITERAL("kubectl"), MANAGER_APPLY, SLICE_LITERAL("")}, "kubectl apply --server-side"},
        {{SLICE_LITERAL("kubectl"), MANAGER_UPDATE, SLICE_LITERAL("")}, "kubectl"},
        {{SLICE_LITERAL("kubectl"), MANAGER_UPDATE, SLICE_LITERAL("scale")}, "kubectl scale"},
        {{SLICE_LITERAL("kubectl"), MANAGER_APPLY, SLICE_LITERAL("status")},
         "kubectl apply --server-side (status)"},
        {{SLICE_LITERAL("kubectl-client-side-apply"), MANAGER_UPDATE, SLICE_LITERAL("")}, "kubectl apply"},
        {{SLICE_LITERAL("kubectl-client-side-apply"), MANAGER_APPLY, SLICE_LITERAL("")},
         "kubectl-client-side-apply"},
        {{SLICE_LITERAL("kubectl-edit"), MANAGER_UPDATE, SLICE_LITERAL("")}, "kubectl edit"},
        {{SLICE_LITERAL("kubectl-rollout"), MANAGER_UPDATE, SLICE_LITERAL("")}, "kubectl rollout"},
        {{SLICE_LITERAL("kubectl-robot"), MANAGER_UPDATE, SLICE_LITERAL("")}, "kubectl-robot"},
        {{SLICE_LITERAL("kube-controller-manager"), MANAGER_UPDATE, SLICE_LITERAL("scale")}, "an autoscaler"},
        {{SLICE_LITERAL("kube-controller-manager"), MANAGER_UPDATE, SLICE_LITERAL("")},
         "kube-controller-manager"},
        {{SLICE_LITERAL("keda"), MANAGER_UPDATE, SLICE_LITERAL("scale")}, "KEDA (scale)"},
        {{SLICE_LITERAL(""), MANAGER_APPLY, SLICE_LITERAL("scale")}, "this request"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        assert_text(named_manager(arena, &cases[i].manager), cases[i].expected);
    arena_destroy(arena);
}

/* Two are named; of more, two and how many others, those not listed included. */
static void many_managers_are_counted(void **state)
{
    (void)state;
    static const struct {
        size_t count, total;
        const char *expected;
    } cases[] = {
        {0, 0, ""},
        {1, 1, "argocd"},
        {2, 2, "argocd and Helm"},
        {3, 3, "argocd, Helm and 1 more"},
        {4, 4, "argocd, Helm and 2 more"},
        {2, 5, "argocd, Helm and 3 more"},
        {4, 1000, "argocd, Helm and 998 more"},
        {1, 2, "argocd and 1 more"},
        {1, 7, "argocd and 6 more"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct text text = text_start(arena, 0);
        text_append_all(&text, message_managers(writers, cases[i].count, cases[i].total));
        assert_text(plain(&text), cases[i].expected);
    }
    arena_destroy(arena);
}

/* A field is named as people speak of it if that is certain, else by the API server's path. */
static void fields_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *printed, *expected;
    } cases[] = {
        {".spec.replicas", "replicas"},
        {".spec", ".spec"},
        {".spec.strategy.type", ".spec.strategy.type"},
        {".specs.replicas", ".specs.replicas"},
        {".data.a", ".data.a"},
        {".spec.template.spec.containers[name=\"nginx\"].image", "nginx's image"},
        {".spec.containers[name=\"nginx\"].resources.limits.cpu", "nginx's resources.limits.cpu"},
        {".spec.containers[name=\"nginx\"].resources.limits.nvidia.com/gpu",
         "nginx's resources.limits.nvidia.com/gpu"},
        {".spec.template.spec.containers[name=\"nginx\"]", "container nginx"},
        {".spec.template.spec.initContainers[name=\"wait\"]", "init container wait"},
        {".spec.template.spec.containers[name=\"nginx\"].env[name=\"FOO\"].value",
         "nginx's env[name=\"FOO\"].value"},
        {".spec.template.spec.containers[name=\"nginx\"].ports[containerPort=80,protocol=\"TCP\"]",
         "nginx's ports[containerPort=80,protocol=\"TCP\"]"},
        {".spec.containers[name=\"az-AZ_0.9\"].image", "az-AZ_0.9's image"},
        {".spec.containers[name=\"a/b\"].image", ".spec.containers[name=\"a/b\"].image"},
        {".spec.template.spec.containers[name=\"80\"].image",
         ".spec.template.spec.containers[name=\"80\"].image"},
        {".spec.containers[name=\"a]b\"].image", ".spec.containers[name=\"a]b\"].image"},
        {".spec.containers[name=\"nginx\",x=1].image", ".spec.containers[name=\"nginx\",x=1].image"},
        {".spec.containers[*].image", ".spec.containers[*].image"},
        {".spec.ports[port=53,protocol=\"UDP\"]", ".spec.ports[port=53,protocol=\"UDP\"]"},
        {".spec.template.spec.volumes[name=\"data\"].emptyDir",
         ".spec.template.spec.volumes[name=\"data\"].emptyDir"},
        {".metadata.labels.team", "label team"},
        {".metadata.labels.app.kubernetes.io/name", "label app.kubernetes.io/name"},
        {".metadata.annotations.note", "annotation note"},
        {".spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt", "restartedAt"},
        {".data.nginx.conf", ".data.nginx.conf"},
        {".spec.data.a.b", ".spec.data.a.b"},
        {".spec.selector.app.kubernetes.io/name", ".spec.selector.app.kubernetes.io/name"},
        {".spec.selector.matchLabels.app", ".spec.selector.matchLabels.app"},
        {".spec.selector.matchLabels.example.com/a", ".spec.selector.matchLabels.example.com/a"},
        {".spec.hard.requests.cpu", ".spec.hard.requests.cpu"},
        {".metadata.finalizers[=\"example.com/a\"]", "finalizer example.com/a"},
        {".metadata.finalizers[=\"a b\"]", ".metadata.finalizers[=\"a b\"]"},
        {".metadata.ownerReferences[uid=\"0e3f1a52-6b1c-4f0e-9d52-0a9c6b3f7e11\"].controller",
         ".metadata.ownerReferences[…].controller"},
        {".metadata.ownerReferences[uid=\"0e3f1a52-6b1c-4f0e-9d52-0a9c6b3f7e11\"]",
         ".metadata.ownerReferences[…1c-4f0e-9d52-0a9c6b3f7e11\"]"},
        {".spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
         ".spec…requiredDuringSchedulingIgnoredDuringExecution"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct text text = text_start(arena, 0);
        message_append_field(&text, slice_of(cases[i].printed));
        assert_text(plain(&text), cases[i].expected);
    }
    arena_destroy(arena);
}

/* The first field is named, shortened where it is long, and the others are counted in good English. */
static void fields_are_counted(void **state)
{
    (void)state;
    static const struct slice short_field[] = {SLICE_LITERAL(".spec.replicas")};
    static const struct slice long_field[] = {
        SLICE_LITERAL(".spec.template.spec.containers[name=\"nginx\"].resources.limits.cpu")};
    static const struct {
        const struct slice *fields;
        size_t total;
        const char *expected;
    } cases[] = {
        {short_field, 1, "replicas"},
        {short_field, 2, "replicas and 1 more field"},
        {short_field, 3, "replicas and 2 more fields"},
        {short_field, 5000, "replicas and 4999 more fields"},
        {long_field, 1, "nginx's resources.limits.cpu"},
        {long_field, 2, "nginx's resources.limits.cpu and 1 more field"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct text text = text_start(arena, 0);
        text_append_all(&text, message_fields(cases[i].fields, cases[i].total));
        assert_text(plain(&text), cases[i].expected);
    }
    arena_destroy(arena);
}

/* An object is named as far as it has a name, and none of its names can break the line. */
static void objects_are_named(void **state)
{
    (void)state;
    static const struct {
        struct slice kind, namespace, name;
        const char *expected;
    } cases[] = {
        {SLICE_LITERAL("Deployment"), SLICE_LITERAL("default"), SLICE_LITERAL("web"),
         "Deployment default/web"},
        {SLICE_LITERAL("Namespace"), SLICE_LITERAL("web"), SLICE_LITERAL("web"), "Namespace web"},
        {SLICE_LITERAL("Node"), SLICE_LITERAL(""), SLICE_LITERAL("web"), "Node web"},
        {SLICE_LITERAL("Pod"), SLICE_LITERAL("default"), SLICE_LITERAL(""), "Pod default/…"},
        {SLICE_LITERAL("Pod"), SLICE_LITERAL(""), SLICE_LITERAL(""), "Pod"},
        {SLICE_LITERAL(""), SLICE_LITERAL(""), SLICE_LITERAL(""), ""},
        {SLICE_LITERAL(""), SLICE_LITERAL("default"), SLICE_LITERAL("web"), "default/web"},
        {SLICE_LITERAL("P\nod"), SLICE_LITERAL("d\x1b"), SLICE_LITERAL("w\xe2\x80\xae"),
         "P\\nod d\\x1b/w\\u202e"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct review review = {
            .kind = cases[i].kind,
            .group_kind = cases[i].kind,
            .namespace = cases[i].namespace,
            .name = cases[i].name,
            .arena = arena};
        struct text text = text_start(arena, 0);
        message_append_object(&text, &review);
        assert_text(plain(&text), cases[i].expected);
    }
    arena_destroy(arena);
}

/* A Job whose name the API server is to make up is known by the beginning of it. */
static void nameless_objects_are_known_by_their_prefix(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct review review = {
        .kind = SLICE("Job"),
        .group_kind = SLICE("Job.batch"),
        .namespace = SLICE("default"),
        .arena = arena};
    review.parts.metadata.value = parse_json(arena, SLICE("{\"generateName\":\"pi-\"}"));
    assert_text(
        message_compose(&review, RULE_unjudged, SLICE("it is late"), SLICE("")),
        "Job default/pi-…: it is late");
    review.namespace = SLICE("");
    assert_text(
        message_compose(&review, RULE_unjudged, SLICE("it is late"), SLICE("")), "Job pi-…: it is late");
    review.parts.metadata.value = NULL;
    assert_text(message_compose(&review, RULE_unjudged, SLICE("it is late"), SLICE("")), "Job: it is late");
    review.kind = SLICE("");
    assert_text(message_compose(&review, RULE_unjudged, SLICE("it is late"), SLICE("")), "it is late");
    arena_destroy(arena);
}

static bool ends_with(struct slice text, struct slice end)
{
    return text.length >= end.length && slice_equal(slice_from(text, text.length - end.length), end);
}

/* However long the names and the sentence, a message keeps to its bound, its beginning and whole characters,
 * and shows where it was cut. */
static void messages_keep_to_their_bound(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (size_t count = 0; count < 200; count++) {
        struct slice name = repeated(arena, count % 2 ? "n" : "世", count);
        struct review review = {.kind = name, .namespace = name, .name = name, .arena = arena};
        for (size_t length = 0; length < 90; length += 7) {
            struct slice sentence = repeated(arena, "世", length),
                         text = message_compose(&review, RULE_unjudged, sentence, SLICE(""));
            assert_true(text.length <= message_room(RULE_unjudged));
            assert_true(ends_with(text, sentence) || ends_with(text, SLICE("…")));
            struct text again = text_start(arena, 0);
            text_append_printable(&again, text);
            assert_true(slice_equal(text_slice(&again), text));
            if (length && count)
                assert_non_null(memmem(text.bytes, text.length, ": 世", strlen(": 世")));
        }
    }
    arena_destroy(arena);
}

static struct review object_named(
    struct arena *arena, const char *group_kind, const char *namespace, const char *name)
{
    return (struct review){
        .kind = SLICE("Deployment"),
        .group_kind = slice_of(group_kind),
        .namespace = slice_of(namespace),
        .name = slice_of(name),
        .arena = arena};
}

/* A command is copied into a shell: it names the object fully, or is left out. */
static void commands_are_whole_and_plain(void **state)
{
    (void)state;
    static const struct {
        const char *group_kind, *namespace, *name, *expected;
    } cases[] = {
        {"Deployment.apps", "default", "web", "applyguard blame deployment.apps/web -n default"},
        {"ClusterRole.rbac.authorization.k8s.io", "", "system:view",
         "applyguard blame clusterrole.rbac.authorization.k8s.io/system:view"},
        {"Namespace", "web", "web", "applyguard blame namespace/web"},
        {"Deployment.apps", "default", "", ""},
        {"Deployment.apps", "default", "web;reboot", ""},
        {"Deployment.apps", "$(reboot)", "web", ""},
        {"Deployment.apps", "default", "web\nx", ""},
        {"Deployment.apps", "default", "w\xe2\x80\xae", ""},
        {"", "default", "web", ""},
        {"-x", "default", "web", ""},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct review review = object_named(arena, cases[i].group_kind, cases[i].namespace, cases[i].name);
        assert_text(message_command_blame(&review), cases[i].expected);
    }
    arena_destroy(arena);
}

/* Fields that were written through a subresource stay there during a migration. */
static void migrations_name_managers(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct review review = object_named(arena, "Deployment.apps", "default", "web");
    const struct manager flux = {.name = SLICE("flux"), .operation = MANAGER_APPLY};
    const struct manager hostile = {.name = SLICE("a b"), .operation = MANAGER_APPLY};
    struct manager from[] = {
        {.name = SLICE("kubectl-client-side-apply"), .operation = MANAGER_UPDATE},
        {.name = SLICE("helm"), .operation = MANAGER_UPDATE},
    };
    assert_text(
        message_command_migrate(&review, from, 1, &flux),
        "applyguard migrate deployment.apps/web -n default --to flux -o command");
    assert_text(
        message_command_migrate(&review, from, 2, &flux),
        "applyguard migrate deployment.apps/web -n default --from kubectl-client-side-apply --from helm --to "
        "flux -o command");
    assert_text(message_command_migrate(&review, from, 1, &hostile), "");
    from[0].subresource = SLICE("status");
    assert_text(message_command_migrate(&review, from, 1, &flux), "");
    arena_destroy(arena);
}

static void undo_commands_name_what_they_remove(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct review review = object_named(arena, "Deployment.apps", "default", "web");
    const struct slice none = {NULL, 0};
    assert_text(
        message_command_undo(&review, "kubectl annotate ", none, SLICE("example.com/x.y")),
        "kubectl annotate deployment.apps/web -n default example.com/x.y-");
    assert_text(
        message_command_undo(&review, "kubectl set env ", SLICE("nginx"), SLICE("LOG")),
        "kubectl set env deployment.apps/web -n default -c nginx LOG-");
    assert_text(
        message_command_undo(&review, "kubectl rollout resume ", none, none),
        "kubectl rollout resume deployment.apps/web -n default");
    assert_text(message_command_undo(&review, "kubectl label ", none, SLICE("a b")), "");
    arena_destroy(arena);
}

/* The longest kind, namespace and name that the API server takes. */
#define KIND_BYTES 63
#define NAMESPACE_BYTES 63
#define NAME_BYTES 253

/* Field managers have at most 128 bytes. */
#define MANAGER_BYTES 128

static struct slice letters(struct arena *arena, char letter, size_t count)
{
    struct text text = text_start(arena, count);
    memset(text_extend(&text, count), letter, count);
    return text_slice(&text);
}

static void expect_whole(struct slice line, struct slice command)
{
    static const char start[] = "applyguard blame ";
    if (memmem(line.bytes, line.length, start, strlen(start)))
        assert_true(ends_with(line, command));
}

/*
 * A warning with names of any length that the API server takes fits into a line, with its object, the writer
 * and the change, and its command is whole or only named.
 */
static void lines_with_long_names_fit(void **state)
{
    (void)state;
    for (size_t percent = 0; percent <= 100; percent += 5) {
        struct arena *arena = arena_create();
        struct review review = {
            .kind = letters(arena, 'K', 1 + (KIND_BYTES - 1) * percent / 100),
            .group_kind = letters(arena, 'g', 1 + (KIND_BYTES - 1) * percent / 100),
            .namespace = letters(arena, 'n', 1 + (NAMESPACE_BYTES - 1) * percent / 100),
            .name = letters(arena, 'o', 1 + (NAME_BYTES - 1) * percent / 100),
            .arena = arena,
        };
        struct manager manager = {.name = letters(arena, 'm', 1 + (MANAGER_BYTES - 1) * percent / 100)};
        struct text field = text_start(arena, 0);
        text_append_string(&field, ".spec.containers[name=\"");
        text_append(&field, review.kind);
        text_append_string(&field, "\"].env[name=\"");
        text_append(&field, review.name);
        text_append_string(&field, "\"].value");
        struct slice path = text_slice(&field), command = message_command_blame(&review);
        struct text text = text_start(arena, 0);
        text_append_all(&text, message_manager(&manager));
        text_append_string(&text, " changes ");
        text_append_all(&text, message_fields(&path, 12345));
        text_append_string(&text, ", which ");
        text_append_all(&text, message_managers((const struct manager[]){manager, manager, manager}, 3, 3));
        text_append_string(&text, " own; delete what is not needed");
        for (int rule = 0; rule < RULE_COUNT; rule++) {
            struct slice line = message_compose(&review, (enum rule_id)rule, text_slice(&text), command);
            assert_true(line.length <= message_room((enum rule_id)rule));
            assert_non_null(memmem(line.bytes, line.length, " changes ", strlen(" changes ")));
            assert_non_null(memmem(line.bytes, line.length, " own", strlen(" own")));
            expect_whole(line, command);
        }
        arena_destroy(arena);
    }
}

/* Half a command would be another one. */
static void commands_that_do_not_fit_are_named(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct review review = object_named(arena, "Deployment.apps", "default", "web");
    struct slice command = message_command_blame(&review);
    assert_text(
        message_compose(&review, RULE_unjudged, SLICE("it is late"), command),
        "Deployment default/web: it is late: applyguard blame deployment.apps/web -n default");
    size_t has_command = 0, has_verb = 0;
    for (size_t length = 0; length < message_room(RULE_unjudged); length++) {
        struct slice text = message_compose(&review, RULE_unjudged, repeated(arena, "x", length), command);
        assert_true(text.length <= message_room(RULE_unjudged));
        expect_whole(text, command);
        has_command += ends_with(text, command);
        has_verb += ends_with(text, SLICE(" (applyguard blame)"));
    }
    assert_true(has_command && has_verb);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_cut_and_printable),
        cmocka_unit_test(reports_have_whole_names),
        cmocka_unit_test(managers_are_named_as_people_know_them),
        cmocka_unit_test(many_managers_are_counted),
        cmocka_unit_test(fields_are_named),
        cmocka_unit_test(fields_are_counted),
        cmocka_unit_test(objects_are_named),
        cmocka_unit_test(nameless_objects_are_known_by_their_prefix),
        cmocka_unit_test(messages_keep_to_their_bound),
        cmocka_unit_test(commands_are_whole_and_plain),
        cmocka_unit_test(migrations_name_managers),
        cmocka_unit_test(undo_commands_name_what_they_remove),
        cmocka_unit_test(lines_with_long_names_fit),
        cmocka_unit_test(commands_that_do_not_fit_are_named),
    };
    return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
