/*
 * The fields that a request declares: the applier's own entry under server-side apply, the annotation it
 * wrote under client-side apply, and otherwise nothing that one could know.
 */
#include "base/array_size.h"
#include "policy/review/applied.h"
#include "tests/unit/review_builder.h"

#define ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "} "

static struct story server_side(const char *fields)
{
    return (struct story){
        .manager = "kubectl", .new = {.body = "'spec':{}", .entries = {APPLIES("kubectl", fields)}}};
}

static struct story client_side(const char *annotation)
{
    return (struct story){
        .manager = "kubectl-client-side-apply",
        .new =
            {.body = "'spec':{}",
             .last_applied = annotation,
             .entries = {UPDATES("kubectl-client-side-apply", ANNOTATION ".spec.a")}},
    };
}

static void expect_kind(void **state, const struct story *story, enum applied_kind kind)
{
    assert_int_equal(applied_kind(decode_story(*state, story)), kind);
}

static void expect_declared(void **state, const struct story *story, const char *path, enum declared expected)
{
    enum declared declared = applied_declares(decode_story(*state, story), slice_of(path));
    if (declared != expected)
        fail_msg("%s is %d, not %d", path, (int)declared, (int)expected);
}

struct declared_case {
    const char *path;
    enum declared declared;
};

#define YES DECLARED_YES
#define NO DECLARED_NO
#define UNKNOWN DECLARED_UNKNOWN

static void check_cases(
    void **state, const struct story *story, const struct declared_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_declared(state, story, cases[i].path, cases[i].declared);
}

#define CHECK(state, story, cases) check_cases(state, story, cases, ARRAY_SIZE(cases))

/* A server-side apply declares what its entry owns, below an atomic value too. */
static void server_side_apply_declares_its_fields(void **state)
{
    static const struct declared_case cases[] = {
        {".spec", YES},
        {".spec.replicas", YES},
        {".spec.replicasX", NO},
        {".spec.replica", NO},
        {".spec.paused", NO},
        {".spec.strategy.type", NO},
        {".spec.selector.matchLabels", YES},
        {".metadata.labels", YES},
        {".metadata.labels.app.kubernetes.io/name", YES},
        {".metadata.labels.app.kubernetes.io", NO},
        {".metadata.annotations", NO},
    };
    const struct story story =
        server_side(".spec.replicas .spec.selector .metadata.labels.{app.kubernetes.io/name}");
    expect_kind(state, &story, APPLIED_SERVER_SIDE);
    CHECK(state, &story, cases);
}

/* A client-side apply declares what its annotation holds; null clears and declares nothing. */
static void client_side_apply_declares_its_annotation(void **state)
{
    static const struct declared_case cases[] = {
        {".spec", YES},
        {".spec.replicas", YES},
        {".spec.paused", NO},
        {".spec.cleared", NO},
        {".spec.strategy", YES},
        {".spec.strategy.type", NO},
        {".spec.replicas.x", NO},
        {".spec.replicas.x[*].y", NO},
        {".metadata.labels.app.kubernetes.io/name", YES},
        {".metadata.labels.app", NO},
        /* The entry owns .spec.a, a default; the manifest does not have it. */
        {".spec.a", NO},
    };
    const struct story story = client_side("{'spec':{'replicas':1,'cleared':null,'strategy':{}},"
                                           "'metadata':{'labels':{'app.kubernetes.io/name':'x'}}}");
    expect_kind(state, &story, APPLIED_CLIENT_SIDE);
    CHECK(state, &story, cases);
}

/* [*] asks each item that is declared; without a list, no item lacks anything. */
static void star_asks_each_declared_item(void **state)
{
    static const struct declared_case cases[] = {
        {".spec.containers[*].image", YES}, {".spec.containers[*].resources", NO},
        {".spec.containers[*]", YES},       {".spec.initContainers[*].image", YES},
        {".other[*].image", YES},
    };
    struct story story = client_side(
        "{'spec':{'containers':[{'name':'a','image':'1','resources':{}},{'name':'b','image':'2'}]}}");
    CHECK(state, &story, cases);
    story = server_side(
        ".spec.containers[name=a]. .spec.containers[name=a].image .spec.containers[name=a].resources "
        ".spec.containers[name=b]. .spec.containers[name=b].image");
    CHECK(state, &story, cases);
    story = client_side("{'spec':{'containers':[]}}");
    expect_declared(state, &story, ".spec.containers[*].image", YES);
    /* A set, and an atomic list: their items have no fields that could be missing. */
    story = server_side(".metadata.finalizers[=x] .spec.args");
    expect_declared(state, &story, ".metadata.finalizers[*]", YES);
    expect_declared(state, &story, ".spec.args[*].x", YES);
}

/* kubectl edit, create and set-last-applied declare nothing, nor does a controller's write. */
static void other_writes_declare_nothing(void **state)
{
    static const char *const writers[] = {
        "kubectl-edit", "kubectl-create", "kubectl", "kube-controller-manager", "k9s", "kubectl-replace"};
    for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
        struct story story = {
            .manager = writers[i],
            .new = {.body = "'spec':{}", .entries = {UPDATES(writers[i], ".spec.replicas")}},
        };
        expect_kind(state, &story, APPLIED_NOTHING);
        expect_declared(state, &story, ".spec.replicas", UNKNOWN);
        expect_declared(state, &story, ".spec.paused", UNKNOWN);
    }
    struct story story = client_side("{}");
    story.manager = story.new.entries[0].manager = "kubectl-edit";
    expect_kind(state, &story, APPLIED_NOTHING);
}

/* An applier that writes no annotation, or does not own it, did not declare by it. */
static void client_side_needs_a_written_annotation(void **state)
{
    struct story story = client_side("{'spec':{}}");
    story.old = story.new;
    expect_kind(state, &story, APPLIED_NOTHING);
    story = client_side("{'spec':{}}");
    story.new.entries[0].fields = ".spec.a";
    expect_kind(state, &story, APPLIED_NOTHING);
    story = client_side(NULL);
    expect_kind(state, &story, APPLIED_NOTHING);
}

/* An unknown writer declared nothing that is known. */
static void unknown_writer_declares_nothing(void **state)
{
    struct story story = server_side(".spec.a");
    story.manager = NULL;
    story.old = story.new;
    expect_kind(state, &story, APPLIED_NOTHING);
    expect_declared(state, &story, ".spec.a", UNKNOWN);
}

/* kubectl's own books are no configuration. */
static void bookkeeping_declares_nothing(void **state)
{
    struct story story = server_side(ANNOTATION);
    story.manager = story.new.entries[0].manager = "kubectl-last-applied";
    expect_kind(state, &story, APPLIED_NOTHING);
}

/* An annotation that is no JSON object leaves open what was declared. */
static void unreadable_annotation_is_unknown(void **state)
{
    static const char *const unreadable[] = {"", "[]", "null", "x", "{"};
    for (size_t i = 0; i < ARRAY_SIZE(unreadable); i++) {
        struct story story = client_side(unreadable[i]);
        expect_declared(state, &story, ".spec.replicas", UNKNOWN);
    }
}

/* A later server-side apply may leave a field to another applier: then it is not missing. */
static void field_of_another_owner_is_unknown(void **state)
{
    struct story story = server_side(".spec.replicas");
    story.old.body = "'spec':{}";
    static const struct entry owners[] = {
        APPLIES("flux", ".spec.strategy.type"),
        UPDATES("operator", ".spec.strategy.type"),
        UPDATES("kubectl-edit", ".spec.strategy.type"),
        UPDATES("before-first-apply", ".spec.strategy.type"),
    };
    for (size_t i = 0; i < ARRAY_SIZE(owners); i++) {
        story.new.entries[1] = owners[i];
        expect_declared(state, &story, ".spec.strategy.type", UNKNOWN);
        expect_declared(state, &story, ".spec.paused", NO);
        assert_int_equal(
            applied_declares_itself(decode_story(*state, &story), SLICE(".spec.strategy.type")), NO);
    }
}

/* A client-side applier owns defaults too; its annotation shows whether it declared them. */
static void defaults_of_a_client_side_applier_are_not_declared(void **state)
{
    struct story story = server_side(".spec.replicas");
    story.old.body = "'spec':{}";
    story.new.entries[1] =
        (struct entry)UPDATES("kubectl-client-side-apply", ANNOTATION ".spec.strategy.type");
    story.new.last_applied = story.old.last_applied = "{'spec':{'replicas':1}}";
    expect_declared(state, &story, ".spec.strategy.type", NO);
    story.new.last_applied = story.old.last_applied = "{'spec':{'strategy':{'type':'Recreate'}}}";
    expect_declared(state, &story, ".spec.strategy.type", UNKNOWN);
}

/* On creation, no other manager can have declared anything. */
static void creation_asks_the_applier_alone(void **state)
{
    struct story story = server_side(".spec.replicas");
    story.new.entries[1] = (struct entry)APPLIES("flux", ".spec.strategy.type");
    expect_declared(state, &story, ".spec.strategy.type", NO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(server_side_apply_declares_its_fields),
        IN_COURT(client_side_apply_declares_its_annotation),
        IN_COURT(star_asks_each_declared_item),
        IN_COURT(other_writes_declare_nothing),
        IN_COURT(client_side_needs_a_written_annotation),
        IN_COURT(unknown_writer_declares_nothing),
        IN_COURT(bookkeeping_declares_nothing),
        IN_COURT(unreadable_annotation_is_unknown),
        IN_COURT(field_of_another_owner_is_unknown),
        IN_COURT(defaults_of_a_client_side_applier_are_not_declared),
        IN_COURT(creation_asks_the_applier_alone),
    };
    return cmocka_run_group_tests_name("applied", tests, NULL, NULL);
}
