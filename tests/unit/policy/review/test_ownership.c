/*
 * The writer and its class: every finding about a request depends on it. Uncertain facts must stay unknown.
 */
#include "base/array_size.h"
#include "policy/review/ownership.h"
#include "tests/unit/parse.h"
#include "tests/unit/review_builder.h"

/* A last-applied configuration that names the object of these stories, and the same within a string. */
#define OF_THIS_OBJECT "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web'}}"
#define QUOTED_OF_THIS_OBJECT "{\\'kind\\':\\'Deployment\\',\\'metadata\\':{\\'name\\':\\'web\\'}}"

static const struct ownership *read(struct court *court, const struct story *story)
{
    return &decode_story(court, story)->ownership;
}

static void expect_writer(
    const struct ownership *ownership, const char *name, enum manager_operation operation,
    enum manager_class class)
{
    assert_true(ownership->writer.known);
    expect_manager(&ownership->writer.manager, name, operation, "");
    assert_int_equal(ownership->writer.class, class);
}

static void expect_unknown(const struct ownership *ownership)
{
    assert_false(ownership->writer.known);
    assert_int_equal(ownership->writer.manager.name.length, 0);
    assert_null(ownership->writer.before);
    assert_null(ownership->writer.after);
    bool is_service = review_is_of_service(ownership->review);
    assert_int_equal(ownership->writer.class, is_service ? CLASS_CONTROLLER : CLASS_AD_HOC);
}

/* A changed Apply entry distinguishes a server-side apply from an update under the same name. */
static void named_manager_whose_apply_entry_changed_is_an_applier(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "tool",
            .old = {.body = "", .entries = {APPLIES("tool", ".spec.a"), UPDATES("tool", ".spec.b")}},
            .new = {.body = "", .entries = {APPLIES("tool", ".spec.a .spec.c"), UPDATES("tool", ".spec.b")}},
        });
    expect_writer(ownership, "tool", MANAGER_APPLY, CLASS_APPLIER);
    assert_ptr_equal(ownership->writer.after, &ownership->after.entries[0]);
    assert_ptr_equal(ownership->writer.before, &ownership->before.entries[0]);
}

/* The other way round: the Update entry is the one that the request wrote. */
static void named_manager_whose_update_entry_changed_is_an_updater(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "tool",
            .old = {.body = "", .entries = {APPLIES("tool", ".spec.a"), UPDATES("tool", ".spec.b")}},
            .new = {.body = "", .entries = {APPLIES("tool", ".spec.a"), UPDATES("tool", ".spec.b .spec.c")}},
        });
    expect_writer(ownership, "tool", MANAGER_UPDATE, CLASS_AD_HOC);
}

/* An update takes fields of its own name's Apply entry, as Helm's rollback to a release of before does. */
static void update_that_takes_from_its_own_apply_is_an_updater(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "helm",
            .old = {.body = "", .entries = {APPLIES("helm", ".spec.a .spec.b"), UPDATES("helm", ".spec.c")}},
            .new =
                {.body = "",
                 .entries = {APPLIES("helm", ".spec.a"), UPDATES("helm", ".spec.b .spec.c", .time = NOW)}},
        });
    expect_writer(ownership, "helm", MANAGER_UPDATE, CLASS_APPLIER);
}

/* Where both own the field, as after a release of Helm 3 is applied server-side, the update gains nothing. */
static void update_of_what_its_own_apply_shares_is_an_updater(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "helm",
            .old = {.body = "", .entries = {APPLIES("helm", ".spec.a .spec.b"), UPDATES("helm", ".spec.b")}},
            .new =
                {.body = "",
                 .entries = {APPLIES("helm", ".spec.a"), UPDATES("helm", ".spec.b", .time = NOW)}},
        });
    expect_writer(ownership, "helm", MANAGER_UPDATE, CLASS_APPLIER);
}

/* An apply that takes from its own Update entry. */
static void apply_that_takes_from_its_own_update_is_an_applier(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "helm",
            .old =
                {.body = "",
                 .entries = {APPLIES("helm", ".spec.a .spec.d"), UPDATES("helm", ".spec.b .spec.c")}},
            .new = {.body = "", .entries = {APPLIES("helm", ".spec.a .spec.b"), UPDATES("helm", ".spec.c")}},
        });
    expect_writer(ownership, "helm", MANAGER_APPLY, CLASS_APPLIER);
}

/* Entries that stay keep their partners, wherever a new one comes between them or an old one goes. */
static void entries_that_stay_are_paired(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "new",
            .old =
                {.body = "",
                 .entries = {UPDATES("a", ".spec.a"), UPDATES("gone", ".spec.x"), UPDATES("b", ".spec.b")}},
            .new =
                {.body = "",
                 .entries = {UPDATES("a", ".spec.a"), UPDATES("new", ".spec.c"), UPDATES("b", ".spec.b")}},
        });
    const struct managed_fields_entry *before = ownership->before.entries, *after = ownership->after.entries;
    for (size_t i = 0; i < 3; i++) {
        assert_ptr_equal(before[i].counterpart, i == 1 ? NULL : &after[i]);
        assert_ptr_equal(after[i].counterpart, i == 1 ? NULL : &before[i]);
        assert_int_equal(after[i].same_fields, i != 1);
    }
}

/* An apply that changes values but no fields moves the entry's time alone. */
static void newer_time_is_a_change_too(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "tool",
            .old = {.body = "", .entries = {APPLIES("tool", ".spec.a"), UPDATES("tool", ".spec.b")}},
            .new =
                {.body = "",
                 .entries = {APPLIES("tool", ".spec.a", .time = NOW), UPDATES("tool", ".spec.b")}},
        });
    expect_writer(ownership, "tool", MANAGER_APPLY, CLASS_APPLIER);
}

/*
 * Two applies within a second leave the same entry. The second one shows by a value that it sets, which a
 * manager that shared the field loses: an update would take the field from the Apply entry, too.
 */
static void apply_within_the_second_of_the_last_is_an_applier(void **state)
{
    struct story story = {
        .manager = "tool",
        .old =
            {.body = "'spec':{'a':1,'b':1}",
             .entries = {APPLIES("tool", ".spec.a"), APPLIES("rival", ".spec.a .spec.b")}},
        .new =
            {.body = "'spec':{'a':2,'b':1}",
             .entries = {APPLIES("tool", ".spec.a"), APPLIES("rival", ".spec.b")}},
    };
    expect_writer(read(*state, &story), "tool", MANAGER_APPLY, CLASS_APPLIER);
    story.new.body = "'spec':{'a':1,'b':1}";
    expect_writer(read(*state, &story), "tool", MANAGER_UPDATE, CLASS_AD_HOC);
    story.new = (struct object_story){
        .body = "'spec':{'a':1,'b':2}", .entries = {APPLIES("tool", ".spec.a"), APPLIES("rival", ".spec.a")}};
    expect_writer(read(*state, &story), "tool", MANAGER_UPDATE, CLASS_AD_HOC);
}

/* A request that changes nothing still has its author. */
static void named_manager_without_a_change_is_still_the_writer(void **state)
{
    const struct object_story same = {.body = "", .entries = {APPLIES("tool", ".spec.a")}};
    const struct ownership *ownership =
        read(*state, &(struct story){.manager = "tool", .old = same, .new = same});
    expect_writer(ownership, "tool", MANAGER_APPLY, CLASS_APPLIER);
}

/* Its last fields gone, a manager leaves managedFields; it still wrote. */
static void named_manager_that_left_managed_fields_is_the_writer(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "kubectl-label",
            .old =
                {.body = "",
                 .entries = {UPDATES("kubectl-label", ".metadata.labels.a"), UPDATES("x", ".spec.b")}},
            .new = {.body = "", .entries = {UPDATES("x", ".spec.b")}},
        });
    expect_writer(ownership, "kubectl-label", MANAGER_UPDATE, CLASS_AD_HOC);
    assert_ptr_equal(ownership->writer.before, &ownership->before.entries[0]);
    assert_null(ownership->writer.after);
}

/* Nobody wrote under that name anywhere: managedFields were dropped, as for objects that are too large. */
static void named_manager_is_known_without_managed_fields(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "kubectl-edit",
            .old = {.body = "", .entries = {UPDATES("helm", ".spec.a")}},
            .new = {.body = ""},
        });
    expect_writer(ownership, "kubectl-edit", MANAGER_UPDATE, CLASS_AD_HOC);
    assert_false(ownership->after.present);
    assert_true(ownership->before.present);
}

/* An apply of a bare ServiceAccount owns nothing. It shows by the owner that the API server makes up. */
static void apply_of_nothing_that_begins_the_tracking_is_an_applier(void **state)
{
    struct story story = {
        .manager = "tool",
        .old = {.body = "'secrets':[1]"},
        .new = {.body = "'secrets':[1]", .entries = {UPDATES("before-first-apply", ".secrets")}},
    };
    expect_writer(read(*state, &story), "tool", MANAGER_APPLY, CLASS_APPLIER);
    story.new.entries[0].manager = "other";
    expect_writer(read(*state, &story), "tool", MANAGER_UPDATE, CLASS_AD_HOC);
    story.new.entries[0].manager = "before-first-apply";
    story.old.entries[0] = (struct entry)UPDATES("before-first-apply", ".secrets");
    expect_writer(read(*state, &story), "tool", MANAGER_UPDATE, CLASS_AD_HOC);
}

/* kubectl scale is another door to the object: its entry is not what kubectl apply writes. */
static void entry_of_a_subresource_is_never_the_writer(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "kubectl",
            .old = {.body = "", .entries = {UPDATES("kubectl", ".spec.replicas", .subresource = "scale")}},
            .new =
                {.body = "",
                 .entries =
                     {APPLIES("kubectl", ".spec.image"),
                      UPDATES("kubectl", ".spec.replicas", .subresource = "scale", .time = NOW)}},
        });
    expect_writer(ownership, "kubectl", MANAGER_APPLY, CLASS_APPLIER);
    assert_null(ownership->writer.before);
}

/* Two versions of an API give one manager two Update entries: the changed one was written. */
static void of_two_versions_the_changed_entry_is_the_writer(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "tool",
            .old =
                {.body = "",
                 .entries =
                     {UPDATES("tool", ".spec.a", .api_version = "apps/v1beta1"), UPDATES("tool", ".spec.b")}},
            .new =
                {.body = "",
                 .entries =
                     {UPDATES("tool", ".spec.a .spec.c", .api_version = "apps/v1beta1", .time = NOW),
                      UPDATES("tool", ".spec.b")}},
        });
    assert_ptr_equal(ownership->writer.after, &ownership->after.entries[0]);
    assert_ptr_equal(ownership->writer.before, &ownership->before.entries[0]);
}

/* An Apply entry has no apiVersion in its identity: under a new version it is still the same one. */
static void apply_entries_pair_across_versions(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "tool",
            .old = {.body = "", .entries = {APPLIES("tool", ".spec.a", .api_version = "apps/v1beta1")}},
            .new = {.body = "", .entries = {APPLIES("tool", ".spec.a", .time = NOW)}},
        });
    assert_ptr_equal(ownership->writer.before, &ownership->before.entries[0]);
}

/* One way for a request without fieldManager to show its author. */
struct unnamed_case {
    const char *what;
    struct entry before;
    struct entry after;
};

/* kubectl scale and PUTs name no manager; the API server's made-up name is where something was gained. */
static void unnamed_manager_is_found_by_what_it_gained(void **state)
{
    static const struct unnamed_case cases[] = {
        {"a new entry", {.manager = NULL}, UPDATES("k9s", ".spec.a")},
        {"more fields in the same second", UPDATES("k9s", ".spec.a"), UPDATES("k9s", ".spec.a .spec.c")},
        {"a newer time", UPDATES("k9s", ".spec.a"), UPDATES("k9s", ".spec.a", .time = NOW)},
        {"a newer time, with fields lost", UPDATES("k9s", ".spec.a .spec.c"),
         UPDATES("k9s", ".spec.a", .time = NOW)},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = {
            .old = {.body = "", .entries = {UPDATES("helm", ".spec.b .spec.d"), cases[i].before}},
            .new = {.body = "", .entries = {UPDATES("helm", ".spec.b"), cases[i].after}},
        };
        const struct ownership *ownership = read(*state, &story);
        if (!ownership->writer.known || !slice_equal(ownership->writer.manager.name, SLICE("k9s")))
            fail_msg("%s does not show the taker", cases[i].what);
        assert_int_equal(ownership->writer.class, CLASS_AD_HOC);
    }
}

/* Several entries changed hands in one request; the newest was written by it. */
static void of_unnamed_candidates_the_newest_is_the_writer(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .old = {.body = "", .entries = {UPDATES("b", ".spec.b")}},
            .new =
                {.body = "",
                 .entries =
                     {UPDATES("a", ".spec.a", .time = NOW), UPDATES("b", ".spec.b .spec.c"),
                      UPDATES("k9s", ".spec.d", .time = "2026-01-01T00:00:10Z")}},
        });
    expect_writer(ownership, "k9s", MANAGER_UPDATE, CLASS_AD_HOC);
}

/* Two entries that could be it are no answer: the order of a list accuses no manager. */
static void tie_leaves_the_writer_unknown(void **state)
{
    expect_unknown(read(
        *state,
        &(struct story){
            .old = {.body = "", .entries = {UPDATES("z", ".spec.z")}},
            .new =
                {.body = "",
                 .entries =
                     {UPDATES("z", ".spec.z"), UPDATES("a", ".spec.a", .time = NOW),
                      UPDATES("b", ".spec.b", .time = NOW)}},
        }));
}

/* JSON members have no order: what is not a path element may stand before or behind a gained field. */
static void order_of_members_does_not_decide_who_wrote(void **state)
{
    static const char *const fields[] = {
        "{'nonsense':{},'f:spec':{'f:a':{}}}", "{'f:spec':{'f:a':{}},'nonsense':{}}",
        "{'f:spec':{'nonsense':{},'f:a':{}}}", "{'f:spec':{'f:a':{},'nonsense':{}}}"};
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
        struct story story = {
            .old = {.body = "", .entries = {UPDATES("helm", ".spec.b")}},
            .new = {.body = "", .entries = {UPDATES("helm", fields[i]), UPDATES("k9s", ".spec.c")}},
        };
        expect_unknown(read(*state, &story));
    }
}

/* A third candidate that is older does not break the tie of the two newest. */
static void older_candidate_does_not_break_a_tie(void **state)
{
    for (int first = 0; first < 3; first++) {
        struct entry older = UPDATES("older", ".spec.o");
        struct story story = {.old = {.body = "", .entries = {UPDATES("z", ".spec.z")}}, .new.body = ""};
        size_t at = 0;
        for (int i = 0; i < 3; i++)
            story.new.entries[at++] = i == first
                ? older
                : (struct entry)UPDATES(i == (first + 1) % 3 ? "a" : "b", ".spec.a", .time = NOW);
        expect_unknown(read(*state, &story));
    }
}

/* A writer that only removes gains nothing, and its own entry stays as it was: the review does not show it.
 * */
static void pure_removal_leaves_the_writer_unknown(void **state)
{
    expect_unknown(read(
        *state,
        &(struct story){
            .old = {.body = "", .entries = {UPDATES("helm", ".spec.a .spec.b"), APPLIES("z", ".spec.z")}},
            .new = {.body = "", .entries = {UPDATES("helm", ".spec.a"), APPLIES("z", ".spec.z")}},
        }));
}

/* The status entry moves with every write of a controller, and says nothing of who wrote the object. */
static void unnamed_writer_is_not_a_status_entry(void **state)
{
    expect_unknown(read(
        *state,
        &(struct story){
            .old = {.body = "", .entries = {UPDATES("kcm", ".status.a", .subresource = "status")}},
            .new =
                {.body = "",
                 .entries = {UPDATES("kcm", ".status.a .status.b", .subresource = "status", .time = NOW)}},
        }));
}

/* An apply that creates comes as CREATE with one Apply entry. */
static void create_has_its_one_entry_for_writer(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "kubectl", .new = {.body = "", .entries = {APPLIES("kubectl", ".spec.a")}}});
    expect_writer(ownership, "kubectl", MANAGER_APPLY, CLASS_APPLIER);
    assert_null(ownership->writer.before);
}

/* Every apply names its manager: what an unnamed request adds to an Apply entry was written in by hand. */
static void unnamed_writer_is_no_apply_entry(void **state)
{
    struct story story = {
        .old = {.body = "", .entries = {APPLIES("flux", ".spec.a"), UPDATES("manager", ".spec.b")}},
        .new = {.body = "", .entries = {APPLIES("flux", ".spec.a .spec.b", .time = NOW)}},
    };
    expect_unknown(read(*state, &story));
    story.new.entries[1] = (struct entry)UPDATES("operator", ".spec.c", .time = NOW);
    expect_writer(read(*state, &story), "operator", MANAGER_UPDATE, CLASS_AD_HOC);
}

/* A service restores an object with the entries of others, whose own requests would have named them. */
static void what_a_service_sends_back_is_not_of_its_manager(void **state)
{
    static const char *const names[] = {"kubectl-edit", "helm", "before-first-apply", "ancient-changes"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        struct story story = {
            .user = "system:serviceaccount:a:b",
            .old = {.body = "", .entries = {APPLIES("flux", ".spec.a")}},
            .new = {.body = "", .entries = {UPDATES(names[i], ".spec.a")}},
        };
        expect_writer(read(*state, &story), names[i], MANAGER_UPDATE, CLASS_CONTROLLER);
        story.user = "alice";
        assert_int_not_equal(read(*state, &story)->writer.class, CLASS_CONTROLLER);
    }
    struct story scaled = {
        .user = "system:serviceaccount:a:b",
        .old = {.body = "", .entries = {APPLIES("flux", ".spec.a")}},
        .new = {.body = "", .entries = {UPDATES("kubectl", ".spec.a")}},
    };
    expect_writer(read(*state, &scaled), "kubectl", MANAGER_UPDATE, CLASS_AD_HOC);
}

/* kubectl's update of the annotation for an earlier apply does not count as a writer. */
static void bookkeeping_is_a_class_of_its_own(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "kubectl-last-applied",
            .new =
                {.body = "",
                 .entries = {APPLIES(
                     "kubectl-last-applied", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}")}},
        });
    expect_writer(ownership, "kubectl-last-applied", MANAGER_APPLY, CLASS_BOOKKEEPING);
}

/* A client-side applier under a name of its own is known by the annotation that it owns. */
static void evidence_of_client_side_apply_makes_an_applier(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "my-deployer",
            .new =
                {.body = "",
                 .last_applied = OF_THIS_OBJECT,
                 .entries = {UPDATES(
                     "my-deployer", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "} .spec.a")}},
        });
    expect_writer(ownership, "my-deployer", MANAGER_UPDATE, CLASS_APPLIER);
    assert_true(managed_fields_client_side_applied(ownership, &ownership->after));
    assert_false(managed_fields_server_side_applied(ownership, &ownership->after));
}

/* Controllers copy annotations from what they make objects for: that declares nothing of the copy. */
static void copied_annotation_is_no_evidence(void **state)
{
    static const char *const copies[] = {
        "{'kind':'Deployment','metadata':{'name':'other'}}",
        "{'kind':'ScaledObject','metadata':{'name':'web'}}",
        "{'metadata':{'name':'web'}}",
        "{'kind':'Deployment'}",
        "[]",
        "not JSON"};
    for (size_t i = 0; i < ARRAY_SIZE(copies); i++) {
        const struct ownership *ownership = read(
            *state,
            &(struct story){
                .manager = "keda",
                .new =
                    {.body = "",
                     .last_applied = copies[i],
                     .entries = {UPDATES(
                         "keda", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "} .spec.a")}},
            });
        expect_writer(ownership, "keda", MANAGER_UPDATE, CLASS_CONTROLLER);
        assert_int_equal(ownership_class(ownership, ownership->writer.after), CLASS_CONTROLLER);
    }
}

/* A manager that wrote the annotation once is not an applier in a request that leaves it alone; but what it
 * owns, it declares. */
static void evidence_for_a_writer_is_what_it_writes_now(void **state)
{
    struct entry entry =
        UPDATES("my-deployer", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "} .spec.a");
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "my-deployer",
            .old = {.body = "", .last_applied = OF_THIS_OBJECT, .entries = {entry}},
            .new = {.body = "'x':1", .last_applied = OF_THIS_OBJECT, .entries = {entry}},
        });
    expect_writer(ownership, "my-deployer", MANAGER_UPDATE, CLASS_AD_HOC);
    assert_int_equal(ownership_class(ownership, ownership->writer.after), CLASS_APPLIER);
    assert_int_equal(ownership_class(ownership, &ownership->before.entries[0]), CLASS_APPLIER);
}

/* Each tool has an annotation of its own; Rancher's is compressed, and a copy of it has a controller. */
static void annotations_of_other_tools_are_evidence(void **state)
{
    static const struct {
        const char *key, *value, *metadata;
        enum manager_class class;
    } cases[] = {
        {"kapp.k14s.io/original", QUOTED_OF_THIS_OBJECT, "", CLASS_APPLIER},
        {"app.oam.dev/last-applied-configuration", QUOTED_OF_THIS_OBJECT, "", CLASS_APPLIER},
        {"app.oam.dev/last-applied-configuration", "-", "", CLASS_AD_HOC},
        {"objectset.rio.cattle.io/applied", "H4sIAAAA", "", CLASS_APPLIER},
        {"objectset.rio.cattle.io/applied", "H4sIAAAA", "'ownerReferences':[{'controller':true}]",
         CLASS_AD_HOC},
        {"example.com/last-applied", QUOTED_OF_THIS_OBJECT, "", CLASS_AD_HOC},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char annotations[256], fields[128];
        snprintf(annotations, sizeof(annotations), "'%s':'%s'", cases[i].key, cases[i].value);
        snprintf(fields, sizeof(fields), ".metadata.annotations.{%s} .spec.a", cases[i].key);
        const struct ownership *ownership = read(
            *state,
            &(struct story){
                .manager = "tool",
                .new =
                    {.body = "",
                     .annotations = annotations,
                     .metadata = cases[i].metadata[0] ? cases[i].metadata : NULL,
                     .entries = {UPDATES("tool", fields)}},
            });
        expect_writer(ownership, "tool", MANAGER_UPDATE, cases[i].class);
    }
}

/* kubectl edit owns the annotation after rewriting it, and is still a person's edit. */
static void edit_that_owns_the_annotation_stays_ad_hoc(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "kubectl-edit",
            .new =
                {.body = "",
                 .entries = {UPDATES("kubectl-edit", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}")}},
        });
    expect_writer(ownership, "kubectl-edit", MANAGER_UPDATE, CLASS_AD_HOC);
    assert_false(managed_fields_client_side_applied(ownership, &ownership->after));
}

/* After kubectl edit took the annotation, the object is still client-side applied. */
static void kubectl_applies_client_side_without_owning_the_annotation(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){.new = {.body = "", .entries = {UPDATES("kubectl-client-side-apply", ".spec.a")}}});
    assert_true(managed_fields_client_side_applied(ownership, &ownership->after));
}

/* An update of the annotation is not a server-side apply of the object. */
static void bookkeeping_alone_is_no_server_side_apply(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .new = {
                .body = "",
                .entries = {APPLIES(
                    "kubectl-last-applied", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}")}}});
    assert_false(managed_fields_server_side_applied(ownership, &ownership->after));
}

/* An entry in another form than the API's is counted and left out; the others are still judged. */
static void entries_of_another_form_are_left_out(void **state)
{
    static const char *const bad[] = {
        "5",
        "null",
        "{}",
        "{'manager':'a','operation':'Update','fieldsType':'FieldsV1'}",
        "{'manager':'a','operation':'Update','fieldsType':'FieldsV1','fieldsV1':null}",
        "{'manager':'a','operation':'Update','fieldsType':'FieldsV1','fieldsV1':[]}",
        "{'manager':'a','operation':'Update','fieldsType':'FieldsV2','fieldsV1':{}}",
        "{'manager':'a','operation':'Update','fieldsV1':{}}",
        "{'manager':'a','operation':'Patch','fieldsType':'FieldsV1','fieldsV1':{}}",
        "{'manager':'a','operation':'update','fieldsType':'FieldsV1','fieldsV1':{}}",
        "{'manager':'a','fieldsType':'FieldsV1','fieldsV1':{}}",
    };
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        char list[512];
        snprintf(
            list, sizeof(list),
            "[%s,{'manager':'good','operation':'Update','fieldsType':'FieldsV1','fieldsV1':{'f:a':{}}}]",
            bad[i]);
        const struct ownership *ownership =
            read(*state, &(struct story){.new = {.body = "", .managed_fields = list}});
        if (ownership->after.count != 1 || ownership->after.unreadable != 1)
            fail_msg("%s is read as an entry", bad[i]);
        expect_text(ownership->after.entries[0].manager.name, "good");
    }
}

/* Neither a list nor absent: said to be malformed, and nothing is read. */
static void managed_fields_that_are_no_list_are_malformed(void **state)
{
    static const char *const bad[] = {"'x'", "5", "{}", "true", "{'0':{}}"};
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        const struct ownership *ownership =
            read(*state, &(struct story){.new = {.body = "", .managed_fields = bad[i]}});
        assert_true(ownership->after.present);
        assert_true(ownership->after.malformed);
        assert_int_equal(ownership->after.count, 0);
    }
}

/* null and an empty list are what the API server writes for none. */
static void empty_managed_fields_are_well_formed(void **state)
{
    const struct ownership *ownership =
        read(*state, &(struct story){.new = {.body = "", .managed_fields = "null"}});
    assert_false(ownership->after.present);
    assert_false(ownership->after.malformed);
    ownership = read(*state, &(struct story){.new = {.body = "", .managed_fields = "[]"}});
    assert_true(ownership->after.present);
    assert_false(ownership->after.malformed);
}

/* With many entries an index pairs them: the same pairs, in any order on either side. */
static void many_entries_pair_in_any_order(void **state)
{
    enum { COUNT = 40 };
    char names[COUNT][16];
    struct story story = {.manager = "m0", .old.body = "", .new.body = ""};
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), "m%d", i);
        story.old.entries[i] =
            (struct entry){.manager = names[i], .operation = i % 2 ? "Apply" : "Update", .fields = ".spec.a"};
        story.new.entries[COUNT - 1 - i] = story.old.entries[i];
    }
    const struct ownership *ownership = read(*state, &story);
    for (size_t i = 0; i < COUNT; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        assert_non_null(entry->counterpart);
        assert_true(slice_equal(entry->manager.name, entry->counterpart->manager.name));
        assert_ptr_equal(entry->counterpart->counterpart, entry);
    }
}

/* Same name, other operation, subresource or (for Update) version: another entry. */
static void entries_of_other_identities_do_not_pair(void **state)
{
    static const struct entry others[] = {
        UPDATES("b", ".spec.a"),
        APPLIES("a", ".spec.a"),
        UPDATES("a", ".spec.a", .subresource = "scale"),
        UPDATES("a", ".spec.a", .api_version = "apps/v1beta1"),
    };
    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        struct story story = {
            .old = {.body = "", .entries = {UPDATES("a", ".spec.a")}},
            .new = {.body = "", .entries = {others[i]}},
        };
        const struct ownership *ownership = read(*state, &story);
        assert_null(ownership->before.entries[0].counterpart);
        assert_null(ownership->after.entries[0].counterpart);
    }
}

/* A server-side apply that declares nothing any more leaves no entry, and was still an apply. */
static void apply_that_left_managed_fields_stays_an_apply(void **state)
{
    const struct ownership *ownership = read(
        *state,
        &(struct story){
            .manager = "flux",
            .old = {.body = "", .entries = {APPLIES("flux", ".spec.a"), UPDATES("x", ".spec.b")}},
            .new = {.body = "", .entries = {UPDATES("x", ".spec.b")}},
        });
    expect_writer(ownership, "flux", MANAGER_APPLY, CLASS_APPLIER);
    assert_ptr_equal(ownership->writer.before, &ownership->before.entries[0]);
    assert_null(ownership->writer.after);
}

/* Whichever entry owns something in a map, who owns the map itself owns that it is there and no more. */
static void a_map_is_bare_if_any_entry_owns_below_it(void **state)
{
    struct court *court = *state;
    static const char *const elements[] = {"f:spec", "f:m", NULL};
    const struct story stories[] = {
        {.new = {.body = "", .entries = {UPDATES("a", ".spec.m.x"), UPDATES("b", ".spec.m.")}}},
        {.new = {.body = "", .entries = {UPDATES("b", ".spec.m."), UPDATES("a", ".spec.m.x")}}},
        {.new = {.body = "", .entries = {UPDATES("b", ".spec.m."), UPDATES("a", ".spec.n.x")}}},
    };
    for (size_t i = 0; i < ARRAY_SIZE(stories); i++) {
        const struct review *review = decode_story(court, &stories[i]);
        const struct path *map = parse_path(court->arena, elements);
        assert_int_equal(
            managed_fields_bare(&review->ownership.after, map, NULL, review->lookup),
            i < 2 ? ANSWER_YES : ANSWER_NO);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(a_map_is_bare_if_any_entry_owns_below_it),
        IN_COURT(named_manager_whose_apply_entry_changed_is_an_applier),
        IN_COURT(named_manager_whose_update_entry_changed_is_an_updater),
        IN_COURT(update_that_takes_from_its_own_apply_is_an_updater),
        IN_COURT(update_of_what_its_own_apply_shares_is_an_updater),
        IN_COURT(apply_that_takes_from_its_own_update_is_an_applier),
        IN_COURT(entries_that_stay_are_paired),
        IN_COURT(newer_time_is_a_change_too),
        IN_COURT(apply_within_the_second_of_the_last_is_an_applier),
        IN_COURT(named_manager_without_a_change_is_still_the_writer),
        IN_COURT(named_manager_that_left_managed_fields_is_the_writer),
        IN_COURT(apply_that_left_managed_fields_stays_an_apply),
        IN_COURT(named_manager_is_known_without_managed_fields),
        IN_COURT(apply_of_nothing_that_begins_the_tracking_is_an_applier),
        IN_COURT(entry_of_a_subresource_is_never_the_writer),
        IN_COURT(of_two_versions_the_changed_entry_is_the_writer),
        IN_COURT(apply_entries_pair_across_versions),
        IN_COURT(unnamed_manager_is_found_by_what_it_gained),
        IN_COURT(of_unnamed_candidates_the_newest_is_the_writer),
        IN_COURT(tie_leaves_the_writer_unknown),
        IN_COURT(order_of_members_does_not_decide_who_wrote),
        IN_COURT(older_candidate_does_not_break_a_tie),
        IN_COURT(pure_removal_leaves_the_writer_unknown),
        IN_COURT(unnamed_writer_is_not_a_status_entry),
        IN_COURT(create_has_its_one_entry_for_writer),
        IN_COURT(unnamed_writer_is_no_apply_entry),
        IN_COURT(what_a_service_sends_back_is_not_of_its_manager),
        IN_COURT(bookkeeping_is_a_class_of_its_own),
        IN_COURT(evidence_of_client_side_apply_makes_an_applier),
        IN_COURT(copied_annotation_is_no_evidence),
        IN_COURT(evidence_for_a_writer_is_what_it_writes_now),
        IN_COURT(annotations_of_other_tools_are_evidence),
        IN_COURT(edit_that_owns_the_annotation_stays_ad_hoc),
        IN_COURT(kubectl_applies_client_side_without_owning_the_annotation),
        IN_COURT(bookkeeping_alone_is_no_server_side_apply),
        IN_COURT(entries_of_another_form_are_left_out),
        IN_COURT(managed_fields_that_are_no_list_are_malformed),
        IN_COURT(empty_managed_fields_are_well_formed),
        IN_COURT(many_entries_pair_in_any_order),
        IN_COURT(entries_of_other_identities_do_not_pair),
    };
    return cmocka_run_group_tests_name("ownership", tests, NULL, NULL);
}
