/* The review of a first apply: what kubectl would send, and what the API server would record. */
#include "apply/first_apply.h"

#include "apply/entries.h"
#include "base/array_size.h"
#include "base/json.h"
#include "policy/managers.h"
#include "policy/review/last_applied_text.h"
#include "policy/review/ownership.h"

#include "tests/unit/parse.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define REVIEWS "tests/reviews/"
#define REVIEW_BYTES_MAX ((size_t)2 * 1024 * 1024)

struct made {
    struct arena *arena;
    struct manifest_reader *reader;
    struct manifest_object object;
    struct first_apply apply;
};

static void make(struct made *made, const char *text, struct applier applier)
{
    struct slice rest = slice_of(text);
    struct error error = {0};
    made->arena = arena_create();
    made->reader = manifest_open(manifest_read_slice, &rest, NULL);
    assert_int_equal(manifest_next(made->reader, &made->object, &error), MANIFEST_OBJECT);
    applier.time = owners_time(applier.now, made->arena);
    assert_true(first_apply_identify(&made->object, &applier, made->arena, &made->apply));
    assert_int_equal(first_apply_make(&made->object, &applier, made->arena, &made->apply, &error), 0);
}

static void release(struct made *made)
{
    manifest_close(made->reader);
    arena_destroy(made->arena);
}

static void expect_json(const struct made *made, yyjson_val *value, const char *expected)
{
    assert_true(json_equal(value, parse_json(made->arena, slice_of(expected)), made->arena));
}

static yyjson_val *fields_of(const struct made *made)
{
    const struct managed_fields *owners = &made->apply.review->ownership.after;
    assert_int_equal(owners->count, 1);
    return entry_fields(&owners->entries[0]);
}

static void the_annotation_has_what_was_applied(void **state)
{
    (void)state;
    struct made made;
    make(
        &made,
        "kind: ConfigMap\napiVersion: v1\nmetadata: {name: c, annotations: {b: '<', " LAST_APPLIED_ANNOTATION
        ": old}}\n"
        "data: {k: v}\n",
        (struct applier){.namespace = SLICE("shop")});
    static const char expected[] = "{\"apiVersion\":\"v1\",\"data\":{\"k\":\"v\"},\"kind\":\"ConfigMap\","
                                   "\"metadata\":{\"annotations\":{\"b\":"
                                   "\"\\u003c\"},\"name\":\"c\",\"namespace\":\"shop\"}}\n";
    assert_int_equal(made.apply.last_applied.length, sizeof(expected) - 1);
    assert_memory_equal(made.apply.last_applied.bytes, expected, sizeof(expected) - 1);
    yyjson_val *annotations = json_metadata(made.apply.review->object, SLICE("annotations"));
    assert_true(slice_equal(
        json_text(json_member(annotations, SLICE(LAST_APPLIED_ANNOTATION))), made.apply.last_applied));
    release(&made);
}

/* To kubectl, which writes it so, as to the API server. */
static void a_null_annotation_is_an_empty_one(void **state)
{
    (void)state;
    struct made made;
    make(
        &made, "{kind: Namespace, apiVersion: v1, metadata: {name: x, annotations: {a: null, b: c}}}",
        (struct applier){0});
    static const char expected[] =
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"annotations\":"
        "{\"a\":\"\",\"b\":\"c\"},\"name\":\"x\"}}\n";
    assert_true(slice_equal(made.apply.last_applied, slice_of(expected)));
    yyjson_val *annotations = json_metadata(made.apply.review->object, SLICE("annotations"));
    assert_true(yyjson_is_str(json_member(annotations, SLICE("a"))));
    assert_int_equal(json_text(json_member(annotations, SLICE("a"))).length, 0);
    release(&made);
}

static void annotations_are_there_without_any(void **state)
{
    (void)state;
    struct made made;
    make(&made, "{kind: Namespace, apiVersion: v1, metadata: {name: x}}", (struct applier){0});
    static const char expected[] =
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"annotations\":{},\"name\":\"x\"}}\n";
    assert_int_equal(made.apply.last_applied.length, sizeof(expected) - 1);
    assert_memory_equal(made.apply.last_applied.bytes, expected, sizeof(expected) - 1);
    release(&made);
}

/* The rules get the configuration without parsing the annotation, and it is the same. */
static void the_configuration_is_the_value_of_the_annotation(void **state)
{
    (void)state;
    static const char *const manifests[] = {
        "{kind: Namespace, apiVersion: v1, metadata: {name: x}}",
        "{kind: ConfigMap, apiVersion: v1, metadata: {name: c, annotations: {b: null, z: '<\xc3\xa9'}}, "
        "data: {k: v}}",
        "{kind: X, apiVersion: x.org/v1, metadata: {name: c}, spec: {a: 1.50, b: 1e21, c: -0.0, d: [{}, "
        "null, -3]}}",
        "{kind: X, apiVersion: x.org/v1, metadata: {name: c}, spec: !!binary /w==, a: 18446744073709551615}",
        "{kind: ConfigMap, apiVersion: v1, metadata: {name: c, managedFields: [{manager: x}]}, data: {k: v}}",
    };
    for (size_t i = 0; i < ARRAY_SIZE(manifests); i++) {
        struct made made;
        make(&made, manifests[i], (struct applier){.namespace = SLICE("shop")});
        yyjson_val *known = last_applied_configuration(&made.apply.review->last_applied);
        yyjson_val *parsed = last_applied_parse(made.apply.last_applied, made.arena);
        assert_non_null(parsed);
        assert_true(json_equal(known, parsed, made.arena));
        release(&made);
    }
}

static void a_server_side_apply_writes_none(void **state)
{
    (void)state;
    struct made made;
    make(
        &made, "{kind: ConfigMap, apiVersion: v1, metadata: {name: c}, data: {k: v}}",
        (struct applier){.mode = APPLY_SERVER_SIDE});
    assert_int_equal(made.apply.last_applied.length, 0);
    expect_json(&made, fields_of(&made), "{\"f:data\":{\"f:k\":{}}}");
    release(&made);
}

/* Few rules need the managedFields, so they are made once, when one does. */
static void owners_are_made_when_they_are_needed(void **state)
{
    (void)state;
    struct made made;
    make(
        &made, "{kind: ConfigMap, apiVersion: v1, metadata: {name: c, managedFields: []}, data: {k: v}}",
        (struct applier){.now = 0});
    const struct review *review = made.apply.review;
    const struct managed_fields *owners = &review->ownership.after;
    assert_null(json_metadata(review->object, SLICE("managedFields")));
    assert_true(owners->present && entry_owns_last_applied(&owners->entries[0]));
    yyjson_val *stored = managed_fields_object(owners, review->object);
    expect_json(
        &made, json_metadata(stored, SLICE("managedFields")),
        "[{\"manager\":\"kubectl-client-side-apply\",\"operation\":\"Update\",\"apiVersion\":\"v1\","
        "\"time\":\"1970-01-01T00:00:00Z\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:data\":{"
        "\"f:k\":{}},\"f:metadata\":{\"f:annotations\":{"
        "\"f:kubectl.kubernetes.io/last-applied-configuration\":{}}}}}]");
    assert_ptr_equal(managed_fields_object(owners, review->object), stored);
    assert_ptr_equal(
        fields_of(&made),
        json_member(yyjson_arr_get_first(json_metadata(stored, SLICE("managedFields"))), SLICE("fieldsV1")));
    release(&made);
}

/* As the API server identifies list items, with the default of the one key that has one. */
static void lists_of_kubernetes_have_keys(void **state)
{
    (void)state;
    struct made made;
    make(
        &made,
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, finalizers: [a]}\nspec:\n  selector: "
        "{matchLabels: {a: b}}\n"
        "  template: {spec: {containers: [{name: main, args: [x], ports: [{containerPort: 80}]}]}}\n",
        (struct applier){.mode = APPLY_SERVER_SIDE});
    expect_json(
        &made, fields_of(&made),
        "{\"f:metadata\":{\"f:finalizers\":{\"v:\\\"a\\\"\":{}}},\"f:spec\":{\"f:selector\":{},\"f:"
        "template\":{\"f:spec\":{"
        "\"f:containers\":{\"k:{\\\"name\\\":\\\"main\\\"}\":{\".\":{},\"f:name\":{},\"f:args\":{},\"f:"
        "ports\":{"
        "\"k:{\\\"containerPort\\\":80,\\\"protocol\\\":\\\"TCP\\\"}\":{\".\":{},\"f:containerPort\":{}}}}}}}"
        "}}");
    release(&made);
}

/* Maps have one owner if their type says so, under any name. */
static void maps_are_atomic_by_their_type(void **state)
{
    (void)state;
    struct made made;
    make(
        &made,
        "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: p, labels: {a: b}}, spec: "
        "{dataSource: "
        "{kind: VolumeSnapshot, name: s}, resources: {requests: {storage: 1Gi}}}}",
        (struct applier){.mode = APPLY_SERVER_SIDE});
    expect_json(
        &made, fields_of(&made),
        "{\"f:metadata\":{\"f:labels\":{\"f:a\":{}}},\"f:spec\":{\"f:dataSource\":{},"
        "\"f:resources\":{\"f:requests\":{\"f:storage\":{}}}}}");
    release(&made);
    make(
        &made, "{apiVersion: example.com/v1, kind: W, metadata: {name: w}, spec: {selector: {a: b}}}",
        (struct applier){.mode = APPLY_SERVER_SIDE});
    expect_json(&made, fields_of(&made), "{\"f:spec\":{\"f:selector\":{\"f:a\":{}}}}");
    release(&made);
}

static void lists_of_others_are_atomic(void **state)
{
    (void)state;
    struct made made;
    make(
        &made,
        "{apiVersion: example.com/v1, kind: W, metadata: {name: w}, spec: {containers: [{name: main}]}}",
        (struct applier){.mode = APPLY_SERVER_SIDE});
    expect_json(&made, fields_of(&made), "{\"f:spec\":{\"f:containers\":{}}}");
    assert_int_equal(made.apply.namespace.length, 0);
    release(&made);
}

static void namespaces_go_by_the_kind(void **state)
{
    (void)state;
    static const struct {
        const char *text, *namespace, *told;
    } cases[] = {
        {"{apiVersion: v1, kind: Pod, metadata: {name: x}}", "default", NULL},
        {"{apiVersion: v1, kind: Pod, metadata: {name: x, namespace: own}}", "own", NULL},
        {"{apiVersion: v1, kind: Node, metadata: {name: x, namespace: own}}", "", NULL},
        {"{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: x}}", "", NULL},
        {"{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: x}}", "default", NULL},
        {"{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: x}}", "", NULL},
        {"{apiVersion: example.com/v1, kind: Node, metadata: {name: x, namespace: own}}", "own", NULL},
        {"{apiVersion: v1, kind: Pod, metadata: {name: x}}", "prod", "prod"},
        {"{apiVersion: v1, kind: Node, metadata: {name: x}}", "", "prod"},
        {"{apiVersion: example.com/v1, kind: Node, metadata: {name: x}}", "prod", "prod"},
        {"{apiVersion: example.com/v1, kind: Node, metadata: {name: x, namespace: own}}", "own", "prod"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct made made;
        const char *told = cases[i].told ? cases[i].told : "";
        make(&made, cases[i].text, (struct applier){.namespace = slice_of(told)});
        assert_true(slice_equal(made.apply.namespace, slice_of(cases[i].namespace)));
        yyjson_val *sent = json_metadata(made.apply.review->object, SLICE("namespace"));
        assert_true(slice_equal(json_text(sent), slice_of(cases[i].namespace)));
        release(&made);
    }
}

/* An annotation of kubectl, applied again as a manifest, gives the same annotation: byte for byte. */
static void annotations_of_kubectl_come_again(void **state)
{
    (void)state;
    struct dirent **names;
    size_t checked = 0;
    int count = scandir(REVIEWS, &names, NULL, alphasort);
    char *body = malloc(REVIEW_BYTES_MAX);
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof(path), REVIEWS "%s/review.json", names[i]->d_name);
        free(names[i]);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        struct arena *arena = arena_create();
        size_t length = fread(body, 1, REVIEW_BYTES_MAX, file);
        fclose(file);
        yyjson_val *request = json_member(parse_json(arena, (struct slice){body, length}), SLICE("request"));
        yyjson_val *object = json_member(request, SLICE("object"));
        struct slice manager =
            json_text(json_member(json_member(request, SLICE("options")), SLICE("fieldManager")));
        yyjson_val *annotation =
            json_member(json_metadata(object, SLICE("annotations")), SLICE(LAST_APPLIED_ANNOTATION));
        struct slice text = json_text(annotation);
        if (slice_equal(manager, SLICE("kubectl-client-side-apply")) && text.length &&
            text.bytes[text.length - 1] == '\n') {
            struct made made;
            make(&made, text.bytes, (struct applier){0});
            if (slice_equal(made.object.name, json_text(json_metadata(object, SLICE("name"))))) {
                assert_true(slice_equal(made.apply.last_applied, text));
                checked++;
            }
            release(&made);
        }
        arena_destroy(arena);
    }
    free(body);
    free(names);
    assert_true(checked >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_annotation_has_what_was_applied),
        cmocka_unit_test(a_null_annotation_is_an_empty_one),
        cmocka_unit_test(annotations_are_there_without_any),
        cmocka_unit_test(the_configuration_is_the_value_of_the_annotation),
        cmocka_unit_test(a_server_side_apply_writes_none),
        cmocka_unit_test(owners_are_made_when_they_are_needed),
        cmocka_unit_test(lists_of_kubernetes_have_keys),
        cmocka_unit_test(maps_are_atomic_by_their_type),
        cmocka_unit_test(lists_of_others_are_atomic),
        cmocka_unit_test(namespaces_go_by_the_kind),
        cmocka_unit_test(annotations_of_kubectl_come_again),
    };
    return cmocka_run_group_tests_name("first apply", tests, NULL, NULL);
}
