/* How items of a list are distinguished: as the object's own FieldsV1 shows, else as the built-in types have
 * it.
 */
#include "tests/unit/parse.h"

#include "base/json.h"
#include "policy/review/list_types.h"

#include <string.h>

#define ENTRIES_MAX 3

struct type_case {
    const char *group;
    const char *before[ENTRIES_MAX]; /* FieldsV1 of the old object's entries */
    const char *after[ENTRIES_MAX];
    const char *path[PARSE_PATH_MAX];
    enum list_kind kind;
    const char *keys[3];
};

static struct managed_fields side_of(struct arena *arena, const char *const *fields)
{
    struct managed_fields side = {.present = true};
    side.entries = arena_allocate_array(arena, ENTRIES_MAX, sizeof(*side.entries));
    for (; side.count < ENTRIES_MAX && fields[side.count]; side.count++)
        side.entries[side.count].known_fields = parse_json(arena, slice_of(fields[side.count]));
    return side;
}

static struct list_type type_of(struct arena *arena, const struct type_case *row, struct lookup *lookup)
{
    struct review review = {.arena = arena, .group = slice_of(row->group), .lookup = lookup};
    review.ownership.before = side_of(arena, row->before);
    review.ownership.after = side_of(arena, row->after);
    return list_type_at(&review, parse_path(arena, row->path));
}

static void check_types(const struct type_case *cases, size_t count)
{
    struct arena *arena = arena_create();
    for (size_t i = 0; i < count; i++) {
        struct list_type type = type_of(arena, &cases[i], lookup_create(arena));
        if (type.kind != cases[i].kind)
            fail_msg("case %zu: kind %d", i, type.kind);
        size_t expected = 0;
        for (; expected < ARRAY_SIZE(cases[i].keys) && cases[i].keys[expected]; expected++) {
            if (expected >= type.keys.count)
                fail_msg("case %zu: no key %s", i, cases[i].keys[expected]);
            assert_text(type.keys.items[expected], cases[i].keys[expected]);
        }
        assert_int_equal(type.keys.count, expected);
    }
    arena_destroy(arena);
}

#define KEYED "{\"f:l\":{\"k:{\\\"n\\\":\\\"a\\\"}\":{\"f:m\":{\"k:{\\\"p\\\":1,\\\"q\\\":2}\":{}}}}}"
#define ANOTHER "{\"f:l\":{\".\":{},\"k:{\\\"n\\\":\\\"b\\\"}\":{\"f:m\":{\"v:\\\"x\\\"\":{}}}}}"

/* For a custom type, all knowledge comes from the owned fields of both sides. */
static void owned_fields_show_the_type(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"example.com", {KEYED}, {NULL}, {"f:l"}, LIST_KEYED, {"n"}},
        {"example.com", {NULL}, {KEYED}, {"f:l"}, LIST_KEYED, {"n"}},
        {"example.com", {KEYED}, {NULL}, {"f:l", "k:{\"n\":\"a\"}", "f:m"}, LIST_KEYED, {"p", "q"}},
        {"example.com", {"{\"f:l\":{\"v:\\\"x\\\"\":{}}}"}, {NULL}, {"f:l"}, LIST_SET, {NULL}},
        {"example.com", {"{\"f:l\":{\".\":{},\"v:1\":{}}}"}, {NULL}, {"f:l"}, LIST_SET, {NULL}},
        {"example.com", {"{\"f:l\":{}}"}, {NULL}, {"f:l"}, LIST_ATOMIC, {NULL}},
        {"example.com", {"{\"f:x\":{}}"}, {NULL}, {"f:l"}, LIST_UNKNOWN, {NULL}},
        {"example.com", {NULL}, {NULL}, {"f:l"}, LIST_UNKNOWN, {NULL}},
        {"example.com", {"{\"f:l\":{\".\":{}}}"}, {NULL}, {"f:l"}, LIST_UNKNOWN, {NULL}},
        {"example.com", {"{\"f:l\":{\"f:a\":{}}}"}, {NULL}, {"f:l"}, LIST_UNKNOWN, {NULL}},
        {"example.com", {"{\"f:l\":{\"x:a\":{}}}"}, {NULL}, {"f:l"}, LIST_UNKNOWN, {NULL}},
    };
    check_types(cases, ARRAY_SIZE(cases));
}

/* All items of a list are of one type: the owned fields below one of them show it for the others. */
static void any_item_tells_of_all(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"example.com", {KEYED}, {NULL}, {"f:l", "k:{\"n\":\"other\"}", "f:m"}, LIST_KEYED, {"p", "q"}},
        {"example.com", {ANOTHER}, {KEYED}, {"f:l", "k:{\"n\":\"a\"}", "f:m"}, LIST_SET, {NULL}},
        {"example.com",
         {"{\"f:l\":{\"k:{\\\"n\\\":1}\":{},\"k:{\\\"n\\\":2}\":{\"f:m\":{\"v:1\":{}}}}}"},
         {NULL},
         {"f:l", "k:{\"n\":1}", "f:m"},
         LIST_SET,
         {NULL}},
    };
    check_types(cases, ARRAY_SIZE(cases));
}

/* An entry that owns a list whole says less than one that owns items of it. */
static void items_outweigh_a_leaf(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"example.com", {"{\"f:l\":{}}", KEYED}, {NULL}, {"f:l"}, LIST_KEYED, {"n"}},
        {"example.com", {"{\"f:l\":{}}"}, {KEYED}, {"f:l"}, LIST_KEYED, {"n"}},
        {"example.com", {KEYED}, {"{\"f:l\":{}}"}, {"f:l"}, LIST_KEYED, {"n"}},
        {"example.com", {"{}", "{\"f:l\":{}}", "{\"f:l\":{\"v:1\":{}}}"}, {NULL}, {"f:l"}, LIST_SET, {NULL}},
    };
    check_types(cases, ARRAY_SIZE(cases));
}

#define POD "f:spec", "f:template", "f:spec"

/* listType and listMapKey of kubernetes/api (core/v1, apps/v1, rbac/v1), where no field is owned that shows
 * them. */
static void built_in_lists_are_known(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"apps", {NULL}, {NULL}, {POD, "f:containers"}, LIST_KEYED, {"name"}},
        {"apps", {NULL}, {NULL}, {POD, "f:initContainers"}, LIST_KEYED, {"name"}},
        {"apps", {NULL}, {NULL}, {POD, "f:volumes"}, LIST_KEYED, {"name"}},
        {"apps", {NULL}, {NULL}, {POD, "f:imagePullSecrets"}, LIST_KEYED, {"name"}},
        {"apps", {NULL}, {NULL}, {POD, "f:hostAliases"}, LIST_KEYED, {"ip"}},
        {"apps",
         {NULL},
         {NULL},
         {POD, "f:topologySpreadConstraints"},
         LIST_KEYED,
         {"topologyKey", "whenUnsatisfiable"}},
        {"apps", {NULL}, {NULL}, {POD, "f:schedulingGates"}, LIST_KEYED, {"name"}},
        {"", {NULL}, {NULL}, {"f:spec", "f:resources", "f:claims"}, LIST_KEYED, {"name"}},
        {"apps", {NULL}, {NULL}, {POD, "f:tolerations"}, LIST_ATOMIC, {NULL}},
        {"", {NULL}, {NULL}, {"f:spec", "f:containers", "k:{\"name\":\"a\"}", "f:env"}, LIST_KEYED, {"name"}},
        {"",
         {NULL},
         {NULL},
         {"f:spec", "f:containers", "k:{\"name\":\"a\"}", "f:volumeMounts"},
         LIST_KEYED,
         {"mountPath"}},
        {"",
         {NULL},
         {NULL},
         {"f:spec", "f:containers", "k:{\"name\":\"a\"}", "f:ports"},
         LIST_KEYED,
         {"containerPort", "protocol"}},
        {"",
         {NULL},
         {NULL},
         {"f:spec", "f:initContainers", "k:{\"name\":\"a\"}", "f:ports"},
         LIST_KEYED,
         {"containerPort", "protocol"}},
        {"", {NULL}, {NULL}, {"f:spec", "f:containers", "k:{\"name\":\"a\"}", "f:args"}, LIST_ATOMIC, {NULL}},
        {"",
         {NULL},
         {NULL},
         {"f:spec", "f:containers", "k:{\"name\":\"a\"}", "f:volumeDevices"},
         LIST_KEYED,
         {"devicePath"}},
        {"", {NULL}, {NULL}, {"f:spec", "f:ports"}, LIST_KEYED, {"port", "protocol"}},
        {"", {NULL}, {NULL}, {"f:secrets"}, LIST_KEYED, {"name"}},
        {"admissionregistration.k8s.io", {NULL}, {NULL}, {"f:webhooks"}, LIST_KEYED, {"name"}},
        {"", {NULL}, {NULL}, {"f:metadata", "f:ownerReferences"}, LIST_KEYED, {"uid"}},
        {"", {NULL}, {NULL}, {"f:metadata", "f:finalizers"}, LIST_SET, {NULL}},
        {"rbac.authorization.k8s.io", {NULL}, {NULL}, {"f:rules"}, LIST_ATOMIC, {NULL}},
        {"rbac.authorization.k8s.io", {NULL}, {NULL}, {"f:subjects"}, LIST_ATOMIC, {NULL}},
    };
    check_types(cases, ARRAY_SIZE(cases));
}

/* A list of another name or in another place is not guessed at, nor any list of a custom type. */
static void other_lists_are_not_guessed(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"apps", {NULL}, {NULL}, {"f:spec", "f:other"}, LIST_UNKNOWN, {NULL}},
        {"", {NULL}, {NULL}, {"f:spec", "f:claims"}, LIST_UNKNOWN, {NULL}},
        {"apps", {NULL}, {NULL}, {"f:ports"}, LIST_UNKNOWN, {NULL}},
        {"apps", {NULL}, {NULL}, {"f:status", "f:ports"}, LIST_UNKNOWN, {NULL}},
        {"apps", {NULL}, {NULL}, {"f:spec", "f:containersx"}, LIST_UNKNOWN, {NULL}},
        {"apps", {NULL}, {NULL}, {"f:spec", "f:container"}, LIST_UNKNOWN, {NULL}},
        {"example.com", {NULL}, {NULL}, {POD, "f:containers"}, LIST_UNKNOWN, {NULL}},
        {"k8s.io.example.com", {NULL}, {NULL}, {POD, "f:containers"}, LIST_UNKNOWN, {NULL}},
        {"evilk8s.io", {NULL}, {NULL}, {POD, "f:containers"}, LIST_UNKNOWN, {NULL}},
        {".k8s.io", {NULL}, {NULL}, {POD, "f:containers"}, LIST_UNKNOWN, {NULL}},
        {"gateway.networking.k8s.io", {NULL}, {NULL}, {"f:spec", "f:rules"}, LIST_UNKNOWN, {NULL}},
        {"snapshot.storage.k8s.io", {NULL}, {NULL}, {"f:secrets"}, LIST_UNKNOWN, {NULL}},
        {"apps", {NULL}, {NULL}, {POD, "f:containers", "k:{\"name\":\"a\"}"}, LIST_UNKNOWN, {NULL}},
    };
    check_types(cases, ARRAY_SIZE(cases));
}

/* The object's own fields come before the table; a bare leaf may be an empty list of any type, so there the
 * table knows. */
static void owned_fields_come_before_the_table(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"apps",
         {"{\"f:spec\":{\"f:env\":{\"k:{\\\"id\\\":1}\":{}}}}"},
         {NULL},
         {"f:spec", "f:env"},
         LIST_KEYED,
         {"id"}},
        {"apps", {"{\"f:spec\":{\"f:args\":{\"v:1\":{}}}}"}, {NULL}, {"f:spec", "f:args"}, LIST_SET, {NULL}},
        {"apps", {"{\"f:spec\":{\"f:env\":{}}}"}, {NULL}, {"f:spec", "f:env"}, LIST_KEYED, {"name"}},
        {"apps", {"{\"f:spec\":{\"f:own\":{}}}"}, {NULL}, {"f:spec", "f:own"}, LIST_ATOMIC, {NULL}},
        {"example.com", {"{\"f:spec\":{\"f:env\":{}}}"}, {NULL}, {"f:spec", "f:env"}, LIST_ATOMIC, {NULL}},
    };
    check_types(cases, ARRAY_SIZE(cases));
}

/* Lists of the same name are not of one type everywhere: a service account's pull secrets and a namespace's
 * own finalizers are atomic, so an applier that has not heard of an item puts the list back without it. */
static void atomic_namesakes_stay_atomic(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"", {"{\"f:imagePullSecrets\":{}}"}, {NULL}, {"f:imagePullSecrets"}, LIST_ATOMIC, {NULL}},
        {"", {"{\"f:spec\":{\"f:finalizers\":{}}}"}, {NULL}, {"f:spec", "f:finalizers"}, LIST_ATOMIC, {NULL}},
    };
    check_types(cases, ARRAY_SIZE(cases));
}

/* Broken sets show nothing, and do no harm to others. */
static void broken_fields_tell_nothing(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"example.com", {"{\"f:l\":{\"k:{\":{}}}"}, {NULL}, {"f:l"}, LIST_UNKNOWN, {NULL}},
        {"example.com", {"{\"f:l\":{\"k:nginx\":{}}}", KEYED}, {NULL}, {"f:l"}, LIST_KEYED, {"n"}},
        {"example.com", {"{\"f:l\":\"k:\"}"}, {NULL}, {"f:l"}, LIST_UNKNOWN, {NULL}},
        {"example.com", {"{\"f:l\":\"k:\"}", KEYED}, {NULL}, {"f:l"}, LIST_KEYED, {"n"}},
        {"example.com", {"[]", "7", "null"}, {NULL}, {"f:l"}, LIST_UNKNOWN, {NULL}},
    };
    check_types(cases, ARRAY_SIZE(cases));
}

/* An entry whose fields could not be read is passed over. */
static void unreadable_entries_are_passed_over(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    static const struct type_case row = {"example.com", {KEYED}, {NULL}, {"f:l"}, LIST_KEYED, {"n"}};
    struct managed_fields_entry entries[2] = {
        {.known_fields = NULL}, {.known_fields = parse_json(arena, SLICE(KEYED))}};
    struct review review = {.arena = arena, .group = SLICE("example.com"), .lookup = lookup_create(arena)};
    review.ownership.before = (struct managed_fields){.entries = entries, .count = 2, .present = true};
    assert_int_equal(list_type_at(&review, parse_path(arena, row.path)).kind, LIST_KEYED);
    arena_destroy(arena);
}

/* Once the review's bound is passed, no more of the owned fields is looked at and nothing is known, although
 * a part of them would speak for an atomic list; what the table of built-in types knows still stands. */
static void beyond_the_bound_nothing_is_known(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    static const struct type_case row = {"example.com", {"{\"f:l\":{}}", KEYED}, {NULL}, {"f:l"}, LIST_KEYED,
                                         {"n"}};
    static const struct type_case builtin = {"apps", {KEYED}, {NULL}, {"f:volumes"}, LIST_KEYED, {"name"}};
    struct lookup *lookup = lookup_create(arena);
    size_t answered = 0;
    enum list_kind kind;
    while ((kind = type_of(arena, &row, lookup).kind) == LIST_KEYED)
        answered++;
    assert_in_range(answered, 1000, 100000);
    assert_int_equal(kind, LIST_UNKNOWN);
    assert_int_equal(type_of(arena, &row, lookup).kind, LIST_UNKNOWN);
    assert_int_equal(type_of(arena, &builtin, lookup).kind, LIST_KEYED);
    assert_true(lookup_effort(lookup)->exceeded[EFFORT_LISTS]);
    arena_destroy(arena);
}

/* Paths are followed as deep as sets of fields are read, and none deeper. */
static void depth_is_bounded(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct review review = {.arena = arena, .group = SLICE("apps"), .lookup = lookup_create(arena)};
    const struct path *path = NULL;
    for (unsigned depth = 1; depth < JSON_DEPTH_MAX; depth++)
        path = parse_element(arena, path, SLICE("f:a"));
    path = parse_element(arena, path, SLICE("f:volumes"));
    assert_int_equal(list_type_at(&review, path).kind, LIST_KEYED);
    path = parse_element(arena, parse_element(arena, path, SLICE("f:a")), SLICE("f:volumes"));
    assert_int_equal(list_type_at(&review, path).kind, LIST_UNKNOWN);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owned_fields_show_the_type),
        cmocka_unit_test(any_item_tells_of_all),
        cmocka_unit_test(items_outweigh_a_leaf),
        cmocka_unit_test(built_in_lists_are_known),
        cmocka_unit_test(other_lists_are_not_guessed),
        cmocka_unit_test(owned_fields_come_before_the_table),
        cmocka_unit_test(atomic_namesakes_stay_atomic),
        cmocka_unit_test(broken_fields_tell_nothing),
        cmocka_unit_test(unreadable_entries_are_passed_over),
        cmocka_unit_test(beyond_the_bound_nothing_is_known),
        cmocka_unit_test(depth_is_bounded),
    };
    return cmocka_run_group_tests_name("list_types", tests, NULL, NULL);
}
