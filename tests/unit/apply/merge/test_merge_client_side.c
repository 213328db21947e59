/* The object after a client-side kubectl apply: the tables of Kubernetes' documentation, case by case.
 */
#include "tests/torture/each_allocation.h"
#include "tests/unit/parse.h"

#include "apply/merge/client_side.h"
#include "base/json.h"
#include "base/text.h"

struct apply_case {
    const char *what;
    const char *kind; /* apiVersion and kind; NULL: a custom one */
    const char *last_applied;
    const char *manifest;
    const char *live;
    const char *merged; /* NULL: it is refused */
};

#define DEPLOYMENT "apps/v1 Deployment"
#define POD "v1 Pod"

static const struct value *read_value(struct arena *arena, const char *text)
{
    yyjson_doc *document = json_read(slice_of(text), YYJSON_READ_NOFLAG, arena, NULL);
    return document ? value_read(yyjson_doc_get_root(document), arena, NULL) : NULL;
}

static struct schema_ref type_of(const char *kind)
{
    struct schema_ref type = {0};
    struct slice whole = slice_of(kind);
    size_t space = slice_find(whole, ' ');
    assert_true(schema_find_builtin(slice_until(whole, space), slice_from(whole, space + 1), &type));
    return type;
}

/* -2: there was no memory for the values themselves. */
static int run(
    const struct apply_case *row, struct arena *arena, struct client_side_result *result, struct error *error)
{
    struct client_side_apply apply = {.is_custom = !row->kind};
    if (row->kind)
        apply.type = type_of(row->kind);
    apply.last_applied = row->last_applied ? read_value(arena, row->last_applied) : NULL;
    apply.manifest = read_value(arena, row->manifest);
    apply.live = read_value(arena, row->live);
    if (!apply.manifest || !apply.live || (row->last_applied && !apply.last_applied))
        return -2;
    return client_side_apply(&apply, arena, result, error);
}

static struct slice json_of(const struct value *value, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    value_append_json(&text, value);
    return text_slice(&text);
}

static void check_case(const struct apply_case *row)
{
    struct arena *arena = arena_create();
    struct client_side_result result;
    struct error error = {0};
    int status = run(row, arena, &result, &error);
    if ((status == 0) != (row->merged != NULL))
        fail_msg("%s: %s", row->what, status ? error.message : "it is not refused");
    if (row->merged) {
        struct slice got = json_of(result.merged, arena);
        struct slice expected = json_of(read_value(arena, row->merged), arena);
        if (!slice_equal(got, expected))
            fail_msg("%s: %.*s", row->what, (int)got.length, got.bytes);
        bool is_same = value_equal(result.merged, read_value(arena, row->live));
        if (result.patch->count == 0 && !is_same)
            fail_msg("%s: nothing is sent, and something changes", row->what);
    }
    arena_destroy(arena);
}

#define SPEC(pod) "{\"spec\":" pod "}"
#define CONTAINERS(items) SPEC("{\"containers\":[" items "]}")

static const struct apply_case cases[] = {
    /* "How apply calculates differences and merges changes": fields to delete, to add, to change. */
    {"a field that is new is set", DEPLOYMENT, SPEC("{}"), SPEC("{\"replicas\":2}"), SPEC("{}"),
     SPEC("{\"replicas\":2}")},
    {"a field that differs is changed, whoever changed it", DEPLOYMENT, SPEC("{\"replicas\":2}"),
     SPEC("{\"replicas\":2}"), SPEC("{\"replicas\":5}"), SPEC("{\"replicas\":2}")},
    {"a field gone from the manifest is removed", DEPLOYMENT, SPEC("{\"minReadySeconds\":5}"), SPEC("{}"),
     SPEC("{\"minReadySeconds\":5}"), SPEC("{}")},
    {"a default or somebody else's field stays", DEPLOYMENT, SPEC("{}"), SPEC("{}"),
     SPEC("{\"replicas\":3,\"minReadySeconds\":5}"), SPEC("{\"replicas\":3,\"minReadySeconds\":5}")},
    {"without the annotation nothing is removed", DEPLOYMENT, NULL, SPEC("{}"),
     SPEC("{\"minReadySeconds\":5}"), SPEC("{\"minReadySeconds\":5}")},
    {"a field that is null in the manifest is removed", DEPLOYMENT, SPEC("{}"),
     SPEC("{\"minReadySeconds\":null}"), SPEC("{\"minReadySeconds\":5}"), SPEC("{}")},
    {"a field that both had removed stays away", DEPLOYMENT, SPEC("{\"minReadySeconds\":5}"), SPEC("{}"),
     SPEC("{}"), SPEC("{}")},
    /* "How different types of fields are merged": maps, by member. */
    {"labels merge by name", DEPLOYMENT, "{\"metadata\":{\"labels\":{\"a\":\"1\",\"b\":\"1\"}}}",
     "{\"metadata\":{\"labels\":{\"b\":\"2\",\"c\":\"1\"}}}",
     "{\"metadata\":{\"labels\":{\"a\":\"1\",\"b\":\"1\",\"x\":\"1\"}}}",
     "{\"metadata\":{\"labels\":{\"b\":\"2\",\"c\":\"1\",\"x\":\"1\"}}}"},
    {"a selector that is replaced as a whole", "policy/v1 PodDisruptionBudget", SPEC("{}"),
     SPEC("{\"selector\":{\"matchLabels\":{\"a\":\"1\"}}}"),
     SPEC("{\"selector\":{\"matchLabels\":{\"b\":\"1\"}}}"),
     SPEC("{\"selector\":{\"matchLabels\":{\"a\":\"1\"}}}")},
    /* Lists of primitives: replaced, except for lists that merge. */
    {"a list of primitives is replaced", POD, CONTAINERS("{\"name\":\"a\",\"args\":[\"a\",\"b\"]}"),
     CONTAINERS("{\"name\":\"a\",\"args\":[\"a\",\"c\"]}"),
     CONTAINERS("{\"name\":\"a\",\"args\":[\"a\",\"b\",\"d\"]}"),
     CONTAINERS("{\"name\":\"a\",\"args\":[\"a\",\"c\"]}")},
    {"items that merge are of one kind", DEPLOYMENT, NULL, "{\"metadata\":{\"finalizers\":[\"a\",true]}}",
     "{\"metadata\":{\"finalizers\":[\"x\"]}}", NULL},
    {"whole numbers are of another kind than others", DEPLOYMENT, NULL,
     "{\"metadata\":{\"finalizers\":[1,1.5]}}", "{\"metadata\":{\"finalizers\":[2]}}", NULL},
    {"whole numbers are of one kind", DEPLOYMENT, NULL, "{\"metadata\":{\"finalizers\":[1,3]}}",
     "{\"metadata\":{\"finalizers\":[2]}}", "{\"metadata\":{\"finalizers\":[1,3,2]}}"},
    {"finalizers merge", DEPLOYMENT, "{\"metadata\":{\"finalizers\":[\"a\",\"b\"]}}",
     "{\"metadata\":{\"finalizers\":[\"b\",\"c\"]}}", "{\"metadata\":{\"finalizers\":[\"a\",\"b\",\"x\"]}}",
     "{\"metadata\":{\"finalizers\":[\"b\",\"c\",\"x\"]}}"},
    /* Lists of maps: by their key. */
    {"containers merge by name", POD,
     CONTAINERS("{\"name\":\"a\",\"image\":\"a:1\"},{\"name\":\"b\",\"image\":\"b:1\"}"),
     CONTAINERS("{\"name\":\"a\",\"image\":\"a:2\"},{\"name\":\"c\",\"image\":\"c:1\"}"),
     CONTAINERS("{\"name\":\"a\",\"image\":\"a:1\",\"tty\":true},{\"name\":\"b\",\"image\":\"b:1\"},"
                "{\"name\":\"x\",\"image\":\"x:1\"}"),
     CONTAINERS("{\"name\":\"a\",\"image\":\"a:2\",\"tty\":true},{\"name\":\"x\",\"image\":\"x:1\"},"
                "{\"name\":\"c\",\"image\":\"c:1\"}")},
    {"the manifest says in which order containers are", POD, CONTAINERS("{\"name\":\"a\"},{\"name\":\"b\"}"),
     CONTAINERS("{\"name\":\"b\"},{\"name\":\"a\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"x\"}"),
     CONTAINERS("{\"name\":\"b\"},{\"name\":\"a\"},{\"name\":\"x\"}")},
    {"a variable is removed, others stay", POD,
     CONTAINERS(
         "{\"name\":\"a\",\"env\":[{\"name\":\"A\",\"value\":\"1\"},{\"name\":\"B\",\"value\":\"1\"}]}"),
     CONTAINERS("{\"name\":\"a\",\"env\":[{\"name\":\"B\",\"value\":\"1\"}]}"),
     CONTAINERS("{\"name\":\"a\",\"env\":[{\"name\":\"A\",\"value\":\"1\"},{\"name\":\"B\",\"value\":\"1\"},"
                "{\"name\":\"X\",\"value\":\"1\"}]}"),
     CONTAINERS(
         "{\"name\":\"a\",\"env\":[{\"name\":\"B\",\"value\":\"1\"},{\"name\":\"X\",\"value\":\"1\"}]}")},
    {"the whole list is removed, and others' items stay", POD,
     CONTAINERS("{\"name\":\"a\",\"env\":[{\"name\":\"A\",\"value\":\"1\"}]}"),
     CONTAINERS("{\"name\":\"a\"}"),
     CONTAINERS("{\"name\":\"a\",\"env\":[{\"name\":\"A\",\"value\":\"1\"}]}"),
     CONTAINERS("{\"name\":\"a\"}")},
    {"a list of maps without a key is replaced", "rbac.authorization.k8s.io/v1 ClusterRole",
     "{\"rules\":[{\"verbs\":[\"get\"]}]}", "{\"rules\":[{\"verbs\":[\"list\"]}]}",
     "{\"rules\":[{\"verbs\":[\"get\"]},{\"verbs\":[\"watch\"]}]}", "{\"rules\":[{\"verbs\":[\"list\"]}]}"},
    /* retainKeys: among fields that exclude each other, the ones outside the manifest are removed. */
    {"Recreate drops the default of another strategy", DEPLOYMENT, SPEC("{}"),
     SPEC("{\"strategy\":{\"type\":\"Recreate\"}}"),
     SPEC("{\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":1}}}"),
     SPEC("{\"strategy\":{\"type\":\"Recreate\"}}")},
    {"a volume gets another source", POD, SPEC("{\"volumes\":[{\"name\":\"a\",\"emptyDir\":{}}]}"),
     SPEC("{\"volumes\":[{\"name\":\"a\",\"configMap\":{\"name\":\"c\"}}]}"),
     SPEC("{\"volumes\":[{\"name\":\"a\",\"emptyDir\":{}}]}"),
     SPEC("{\"volumes\":[{\"name\":\"a\",\"configMap\":{\"name\":\"c\"}}]}")},
    /* Directives in manifests: kubectl drops directives of items. */
    {"an item with $patch: delete stays", POD, CONTAINERS("{\"name\":\"a\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"x\",\"$patch\":\"delete\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"x\"}"), CONTAINERS("{\"name\":\"a\"},{\"name\":\"x\"}")},
    {"an item with $patch: delete stays where another one goes", POD,
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"b\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"x\",\"$patch\":\"delete\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"x\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"x\"}")},
    {"$patch: replace of an item drops nobody's", POD, CONTAINERS("{\"name\":\"a\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"$patch\":\"replace\",\"name\":\"b\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"x\"}"), CONTAINERS("{\"name\":\"a\"},{\"name\":\"x\"}")},
    {"$patch: merge of an item is refused where something is deleted", POD,
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"b\"}"), CONTAINERS("{\"name\":\"a\",\"$patch\":\"merge\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"b\"}"), NULL},
    {"$deleteFromPrimitiveList deletes what somebody else has", DEPLOYMENT, "{}",
     "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"x\"]}}",
     "{\"metadata\":{\"finalizers\":[\"x\",\"y\"]}}", "{\"metadata\":{\"finalizers\":[\"y\"]}}"},
    {"$retainKeys drops the other fields", DEPLOYMENT, "{}",
     SPEC("{\"strategy\":{\"$retainKeys\":[\"type\"],\"type\":\"Recreate\"}}"),
     SPEC("{\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{}}}"),
     SPEC("{\"strategy\":{\"type\":\"Recreate\"}}")},
    /* Manifests that kubectl refuses. */
    {"an item without its key", POD, NULL, CONTAINERS("{\"image\":\"a\"}"), CONTAINERS("{\"name\":\"a\"}"),
     NULL},
    {"an item whose key is a map", POD, NULL, CONTAINERS("{\"name\":{}}"), CONTAINERS("{\"name\":\"a\"}"),
     NULL},
    {"an item that is null", POD, NULL, CONTAINERS("null"), CONTAINERS("{\"name\":\"a\"}"), NULL},
    {"a field that the type has not", POD, NULL, SPEC("{\"other\":{\"a\":1}}"), SPEC("{\"other\":{\"a\":2}}"),
     NULL},
    {"no map", POD, NULL, "[]", "{}", NULL},
    /* Directives in the manifest itself; what Kubernetes' code makes of each. */
    {"what to retain is no list", POD, NULL, SPEC("{\"$retainKeys\":\"a\",\"nodeName\":\"a\"}"),
     SPEC("{\"nodeName\":\"b\"}"), NULL},
    {"kubectl itself says what to retain", DEPLOYMENT, NULL,
     SPEC("{\"strategy\":{\"$retainKeys\":[\"x\"],\"type\":\"A\"}}"),
     SPEC("{\"strategy\":{\"type\":\"A\",\"rollingUpdate\":{\"maxSurge\":1}}}"),
     SPEC("{\"strategy\":{\"type\":\"A\"}}")},
    {"a deletion from a list that is not there", POD, NULL,
     "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"a\"]}}", "{\"metadata\":{\"name\":\"a\"}}",
     "{\"metadata\":{\"name\":\"a\"}}"},
    {"a deletion from what is no list", POD, NULL,
     "{\"metadata\":{\"$deleteFromPrimitiveList/name\":[\"a\"]}}", "{\"metadata\":{\"name\":\"a\"}}",
     "{\"metadata\":{\"name\":\"a\"}}"},
    {"a deletion that names no list", POD, NULL, "{\"metadata\":{\"$deleteFromPrimitiveList\":[\"a\"]}}",
     "{\"metadata\":{\"finalizers\":[\"a\"]}}", NULL},
    {"an order of what is no list", POD, NULL, SPEC("{\"$setElementOrder/nodeName\":[\"a\"]}"),
     SPEC("{\"nodeName\":\"a\"}"), NULL},
    {"an order that is no list", POD, NULL, SPEC("{\"$setElementOrder/containers\":\"a\"}"), SPEC("{}"),
     NULL},
    {"an order of a field that the type has not", POD, NULL,
     SPEC("{\"$setElementOrder/other\":[\"a\"],\"other\":[\"a\"]}"), SPEC("{\"other\":[\"b\"]}"), NULL},
    {"a $patch that kubectl does not know", POD, NULL, CONTAINERS("{\"name\":\"a\",\"$patch\":\"other\"}"),
     CONTAINERS("{\"name\":\"a\"}"), CONTAINERS("{\"name\":\"a\"}")},
    {"an item that the live list has is not deleted", POD, NULL,
     CONTAINERS("{\"name\":\"a\",\"$patch\":\"delete\"},{\"name\":\"b\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"c\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"c\"}")},
    {"a replacement replaces nothing", POD, NULL,
     CONTAINERS("{\"name\":\"b\",\"$patch\":\"replace\"},{\"name\":\"b\"}"),
     CONTAINERS("{\"name\":\"a\"},{\"name\":\"c\"}"),
     CONTAINERS("{\"name\":\"b\"},{\"name\":\"a\"},{\"name\":\"c\"}")},
    {"nothing is left of a list of deletions", POD, NULL,
     CONTAINERS("{\"name\":\"a\",\"$patch\":\"delete\"},{\"name\":\"b\",\"$patch\":\"delete\"}"), SPEC("{}"),
     CONTAINERS("")},
    {"an item to delete without its key", POD, NULL, CONTAINERS("{\"image\":\"b\",\"$patch\":\"delete\"}"),
     CONTAINERS("{\"name\":\"a\"}"), NULL},
    /* Custom kinds: a JSON merge patch. */
    {"fields of a custom kind", NULL, SPEC("{\"a\":1,\"b\":{\"c\":1}}"), SPEC("{\"b\":{\"d\":2},\"e\":3}"),
     SPEC("{\"a\":1,\"b\":{\"c\":1,\"x\":1},\"y\":1}"), SPEC("{\"b\":{\"d\":2,\"x\":1},\"e\":3,\"y\":1}")},
    {"lists of a custom kind are replaced", NULL, SPEC("{\"l\":[{\"name\":\"a\"}]}"),
     SPEC("{\"l\":[{\"name\":\"b\"}]}"), SPEC("{\"l\":[{\"name\":\"a\"},{\"name\":\"x\"}]}"),
     SPEC("{\"l\":[{\"name\":\"b\"}]}")},
    {"null deletes in a custom kind", NULL, "{}", SPEC("{\"a\":null}"), SPEC("{\"a\":1,\"b\":null}"),
     SPEC("{\"b\":null}")},
    {"what others have of a custom kind stays without the annotation", NULL, NULL, SPEC("{\"a\":1}"),
     SPEC("{\"b\":1}"), SPEC("{\"a\":1,\"b\":1}")},
    {"an empty map of a custom kind is a value", NULL, "{}", SPEC("{\"a\":{}}"), SPEC("{}"),
     SPEC("{\"a\":{}}")},
};

static void each_row_of_the_documentation(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        check_case(&cases[i]);
}

static void the_reason_names_the_key_and_no_value(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct client_side_result result;
    struct error error = {0};
    const struct apply_case row = {
        "", POD, NULL, CONTAINERS("{\"image\":\"secret\"}"), CONTAINERS("{\"name\":\"a\"}"), NULL};
    assert_int_equal(run(&row, arena, &result, &error), -1);
    assert_string_equal(error.message, "an item of a list that merges by name has no name");
    arena_destroy(arena);
}

/* Helm does not read the live custom resource, and sends nulls as they are. */
static void two_ways_leave_the_live_object_out_of_account(void **state)
{
    (void)state;
    static const struct {
        const char *before, *manifest, *live, *merged;
    } rows[] = {
        {SPEC("{\"a\":1}"), SPEC("{\"a\":1}"), SPEC("{\"a\":2}"), SPEC("{\"a\":2}")},
        {SPEC("{\"a\":1}"), SPEC("{\"a\":3}"), SPEC("{\"a\":2,\"b\":1}"), SPEC("{\"a\":3,\"b\":1}")},
        {SPEC("{\"a\":1,\"b\":{\"c\":1}}"), SPEC("{\"b\":{}}"), SPEC("{\"a\":2,\"b\":{\"c\":2,\"d\":1}}"),
         SPEC("{\"b\":{\"d\":1}}")},
        {SPEC("{\"l\":[1,2]}"), SPEC("{\"l\":[2]}"), SPEC("{\"l\":[3]}"), SPEC("{\"l\":[2]}")},
        {SPEC("{}"), SPEC("{\"a\":null,\"m\":{\"n\":null}}"), SPEC("{\"a\":1}"), SPEC("{\"m\":{}}")},
        {SPEC("{\"a\":{\"b\":1}}"), SPEC("{\"a\":[]}"), SPEC("{\"a\":{\"b\":1}}"), SPEC("{\"a\":[]}")},
        {"{}", "{}", SPEC("{\"a\":1}"), SPEC("{\"a\":1}")},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct arena *arena = arena_create();
        struct client_side_result result;
        struct error error = {0};
        const struct client_side_apply apply = {
            .is_custom = true,
            .is_two_way = true,
            .last_applied = read_value(arena, rows[i].before),
            .manifest = read_value(arena, rows[i].manifest),
            .live = read_value(arena, rows[i].live),
        };
        assert_int_equal(client_side_apply(&apply, arena, &result, &error), 0);
        if (!value_equal(result.merged, read_value(arena, rows[i].merged)))
            fail_msg("%s to %s", rows[i].before, rows[i].manifest);
        arena_destroy(arena);
    }
}

/* kubectl says "unchanged" of it, and so must its caller. */
static void nothing_is_sent_when_nothing_differs(void **state)
{
    (void)state;
    static const char object[] =
        CONTAINERS("{\"name\":\"a\",\"env\":[{\"name\":\"A\",\"value\":\"1\"}]},{\"name\":\"b\"}");
    static const char *const kinds[] = {POD, NULL};
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        struct arena *arena = arena_create();
        struct client_side_result result;
        struct error error = {0};
        const struct apply_case row = {"", kinds[i], object, object, object, NULL};
        assert_int_equal(run(&row, arena, &result, &error), 0);
        assert_int_equal(result.patch->count, 0);
        arena_destroy(arena);
    }
}

#define MANY_MEMBERS 30000
#define MANY_ITEMS 100

/* Many containers of one name. kubectl merges the last one first, which has many members. */
static const char *same_containers(struct arena *arena)
{
    struct text text = text_start(arena, (size_t)1024 * 1024);
    text_append_string(&text, "{\"spec\":{\"containers\":[");
    for (int i = 0; i < MANY_ITEMS; i++)
        text_append_string(&text, "{\"name\":\"a\",\"m\":1},");
    text_append_string(&text, "{\"name\":\"a\"");
    for (int i = 0; i < MANY_MEMBERS; i++) {
        text_append_string(&text, ",\"m");
        text_append_number(&text, (uint64_t)i);
        text_append_string(&text, "\":1");
    }
    text_append(&text, (struct slice){"}]}}", 5});
    return text_slice(&text).bytes;
}

/* Each is merged into what came of those before it. kubectl would do that, so it is not reported as refused.
 * */
static void many_items_of_one_key_end_the_merge(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct client_side_result result;
    struct error error = {0};
    const struct apply_case row = {"",  POD, NULL, same_containers(arena), CONTAINERS("{\"name\":\"a\"}"),
                                   NULL};
    assert_int_equal(run(&row, arena, &result, &error), -1);
    assert_true(result.has_given_up);
    assert_string_equal(error.message, "too many items of a list that merges have the same key");
    arena_destroy(arena);
}

static bool run_again(void *data, size_t number)
{
    const struct apply_case *row = data;
    struct arena *arena = arena_create();
    struct client_side_result result;
    struct error error = {0};
    int status = arena ? run(row, arena, &result, &error) : -1;
    bool is_whole = status == 0 || (arena && !arena_has_failed(arena));
    stop_failing();
    assert_true(status != 0 || row->merged);
    if (status == 0) {
        struct slice got = json_of(result.merged, arena);
        struct slice expected = json_of(read_value(arena, row->merged), arena);
        if (!slice_equal(got, expected))
            fail_msg("allocation %zu fails: %.*s", number, (int)got.length, got.bytes);
    }
    arena_destroy(arena);
    return is_whole;
}

static void it_is_whole_or_says_that_there_is_no_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        size_t before = fault_points;
        fail_each_allocation(run_again, (void *)(uintptr_t)&cases[i], SIZE_MAX);
        assert_true(fault_points - before >= 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_of_the_documentation),
        cmocka_unit_test(the_reason_names_the_key_and_no_value),
        cmocka_unit_test(two_ways_leave_the_live_object_out_of_account),
        cmocka_unit_test(nothing_is_sent_when_nothing_differs),
        cmocka_unit_test(many_items_of_one_key_end_the_merge),
        cmocka_unit_test(it_is_whole_or_says_that_there_is_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
