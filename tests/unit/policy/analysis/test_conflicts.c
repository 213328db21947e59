/*
 * Which lost fields are conflicts, and how they are reported: a field that keeps its value has only changed
 * hands, and fields that were removed with their list item or map are reported once.
 */
#include "base/array_size.h"
#include "policy/analysis/conflicts.h"
#include "tests/unit/numbered.h"
#include "tests/unit/review_builder.h"

#define CONTAINER ".spec.template.spec.containers[name=nginx]"
#define PRINTED ".spec.template.spec.containers[name=\"nginx\"]"

/* Two containers lists that differ in what a test needs: a body with one container. */
#define POD(container) "'spec':{'template':{'spec':{'containers':[{'name':'nginx'," container "}]}}}"

static const struct verdict *judge_baseline(void **state, const struct story *story)
{
    return judge_story(*state, BASELINE, story);
}

/* The plain case: an edit sets another value on a field that kubectl applied. */
static void another_value_is_a_conflict(void **state)
{
    const struct finding *finding = expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = POD("'image':'nginx:1'"),
                     .entries = {APPLIES("kubectl", CONTAINER ".name " CONTAINER ".image")}},
                .new =
                    {.body = POD("'image':'nginx:2'"),
                     .entries =
                         {APPLIES("kubectl", CONTAINER ".name"),
                          UPDATES("kubectl-edit", CONTAINER ".image", .time = NOW)}},
            }),
        RULE_ownership_conflict, ACTION_WARN, PRINTED ".image");
    assert_int_equal(finding->field_total, 1);
    assert_true(finding->has_writer);
    expect_manager(&finding->writer, "kubectl-edit", MANAGER_UPDATE, "");
    assert_int_equal(finding->previous_owner_count, 1);
    expect_manager(&finding->previous_owners[0], "kubectl", MANAGER_APPLY, "");
}

/* An item's fields that were not declared are lost with it, and reported with it. */
static void defaults_are_told_with_their_item(void **state)
{
    const struct story story = {
        .manager = "kubectl-patch",
        .old =
            {.body = POD("'image':'nginx:1','imagePullPolicy':'IfNotPresent'"),
             .entries =
                 {UPDATES(
                      "helm",
                      CONTAINER ". " CONTAINER ".name " CONTAINER ".image " CONTAINER ".imagePullPolicy"),
                  UPDATES("kubectl-set", CONTAINER ".env")}},
        .new =
            {.body = "'spec':{'template':{'spec':{'containers':[{'name':'other'}]}}}",
             .entries = {UPDATES(
                 "kubectl-patch", ".spec.template.spec.containers[name=other].name", .time = NOW)}},
    };
    const struct verdict *verdict = judge_baseline(state, &story);
    expect_count(verdict, RULE_ownership_conflict, 1);
    const struct finding *finding = expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, PRINTED);
    assert_int_equal(finding->previous_owner_count, 1);
}

/* Appliers that declare emptyDir: {} declares the kind of a volume, which is gone where another kind stands.
 * */
static void another_kind_of_volume_is_a_conflict(void **state)
{
    static const char empty[] = "'spec':{'volumes':[{'name':'v','emptyDir':{}}]}";
    static const char other[] = "'spec':{'volumes':[{'name':'v','hostPath':{'path':'/'}}]}";
    static const struct {
        const char *before, *after, *group;
        size_t findings;
    } cases[] = {
        {empty, other, NULL, 1},
        {other, other, NULL, 0},
        {empty, "'spec':{'volumes':[{'name':'v','emptyDir':null,'hostPath':{'path':'/'}}]}", NULL, 0},
        {empty, other, "example.com", 0},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct story story = {
            .manager = "kubectl-patch",
            .group = cases[i].group,
            .old =
                {.body = cases[i].before,
                 .entries = {APPLIES("flux", ".spec.volumes[name=v].name .spec.volumes[name=v].emptyDir")}},
            .new =
                {.body = cases[i].after,
                 .entries =
                     {APPLIES("flux", ".spec.volumes[name=v].name"),
                      UPDATES("kubectl-patch", ".spec.volumes[name=v].hostPath", .time = NOW)}},
        };
        const struct verdict *verdict = judge_baseline(state, &story);
        expect_count(verdict, RULE_ownership_conflict, cases[i].findings);
        if (cases[i].findings)
            expect_finding(
                verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.volumes[name=\"v\"].emptyDir");
    }
}

/* A field that is gone is lost as one that has another value. */
static void removed_field_is_a_conflict(void **state)
{
    const struct verdict *verdict = judge_baseline(
        state,
        &(struct story){
            .manager = "kubectl-edit",
            .old = {.body = "'spec':{'paused':true}", .entries = {APPLIES("flux", ".spec.paused")}},
            .new = {.body = "'spec':{}", .entries = {UPDATES("kubectl-edit", ".spec.x", .time = NOW)}},
        });
    const struct finding *finding =
        expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.paused");
    expect_part(finding->message, "kubectl edit removes paused, but Flux undoes this");
}

/* Ownership that moves while the value stays is a transfer: migrations must be silent. */
static void equal_value_is_a_transfer(void **state)
{
    expect_silence(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl",
                .old =
                    {.body = "'spec':{'replicas':3}",
                     .entries = {UPDATES("kubectl-client-side-apply", ".spec.replicas")}},
                .new =
                    {.body = "'spec':{'replicas':3}",
                     .entries = {UPDATES("kubectl", ".spec.replicas", .time = NOW)}},
            }),
        RULE_ownership_conflict);
}

/* 1 and 1.0 are one number, and members have no order. */
static void values_are_compared_as_json(void **state)
{
    expect_silence(
        judge_baseline(
            state,
            &(struct story){
                .manager = "tool",
                .old = {.body = "'spec':{'a':{'x':1,'y':2}}", .entries = {APPLIES("flux", ".spec.a")}},
                .new =
                    {.body = "'spec':{'a':{'y':2.0,'x':1.0}}",
                     .entries = {UPDATES("tool", ".spec.a", .time = NOW)}},
            }),
        RULE_ownership_conflict);
}

/* A field that its owner keeps has not been lost, even if its value changed. */
static void kept_field_is_no_conflict(void **state)
{
    expect_silence(
        judge_baseline(
            state,
            &(struct story){
                .manager = "tool",
                .old = {.body = "'spec':{'a':1}", .entries = {APPLIES("flux", ".spec.a")}},
                .new = {.body = "'spec':{'a':2}", .entries = {APPLIES("flux", ".spec.a")}},
            }),
        RULE_ownership_conflict);
}

/* The writer may change and drop fields that it owned itself. */
static void own_fields_are_no_conflict(void **state)
{
    expect_silence(
        judge_baseline(
            state,
            &(struct story){
                .manager = "flux",
                .old = {.body = "'spec':{'a':1,'b':1}", .entries = {APPLIES("flux", ".spec.a .spec.b")}},
                .new = {.body = "'spec':{'b':2}", .entries = {APPLIES("flux", ".spec.b", .time = NOW)}},
            }),
        RULE_ownership_conflict);
}

/* A tool that goes over from Update to Apply, or back, takes its fields from itself. */
static void same_manager_under_another_operation_is_no_conflict(void **state)
{
    static const char *const operations[][2] = {{"Update", "Apply"}, {"Apply", "Update"}};
    for (size_t i = 0; i < 2; i++) {
        struct story story = {
            .manager = "helm",
            .old.body = "'spec':{'a':1}",
            .old.entries = {{.manager = "helm", .operation = operations[i][0], .fields = ".spec.a"}},
            .new.body = "'spec':{'a':2}",
            .new.entries =
                {{.manager = "helm", .operation = operations[i][1], .fields = ".spec.a", .time = NOW}},
        };
        expect_silence(judge_baseline(state, &story), RULE_ownership_conflict);
    }
}

/* kubectl scale has kubectl's name and another hand on the object: an apply that undoes it must show. */
static void same_manager_through_a_subresource_is_a_conflict(void **state)
{
    const struct finding *finding = expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl",
                .old =
                    {.body = "'spec':{'replicas':5}",
                     .entries = {UPDATES("kubectl", ".spec.replicas", .subresource = "scale")}},
                .new =
                    {.body = "'spec':{'replicas':3}",
                     .entries = {APPLIES("kubectl", ".spec.replicas .spec.selector", .time = NOW)}},
            }),
        RULE_ownership_conflict, ACTION_AUDIT, ".spec.replicas");
    expect_manager(&finding->previous_owners[0], "kubectl", MANAGER_UPDATE, "scale");
    expect_part(finding->message, "kubectl scale");
}

/* kubectl-last-applied keeps books for kubectl: nothing can be taken from it, and it takes nothing. */
#define OWNS_ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"

static void bookkeeping_neither_loses_nor_takes(void **state)
{
    expect_silence(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = "'spec':{'a':1}", .entries = {APPLIES("kubectl-last-applied", OWNS_ANNOTATION)}},
                .new = {.body = "'spec':{'a':2}", .entries = {UPDATES("kubectl-edit", ".spec.a")}},
            }),
        RULE_ownership_conflict);
    expect_silence(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-last-applied",
                .old = {.body = "", .entries = {APPLIES("kubectl", ".spec.a " OWNS_ANNOTATION)}},
                .new =
                    {.body = "",
                     .entries =
                         {APPLIES("kubectl", ".spec.a"), APPLIES("kubectl-last-applied", OWNS_ANNOTATION)}},
            }),
        RULE_ownership_conflict);
}

/* An apply takes only what it declares. */
static void what_bookkeeping_does_not_declare_it_has_not_applied(void **state)
{
    const struct entry entries[] = {
        APPLIES("kubectl-last-applied", OWNS_ANNOTATION),
        APPLIES("kubectl-last-applied", OWNS_ANNOTATION, .time = NOW),
        APPLIES("kubectl-last-applied", OWNS_ANNOTATION " .spec.b"),
    };
    for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
        for (size_t j = 0; j < 3; j++) {
            struct story story = {
                .manager = "kubectl-last-applied",
                .old = {.body = "'spec':{'a':1}", .entries = {APPLIES("flux", ".spec.a"), entries[i]}},
                .new = {.body = "'spec':{}", .entries = {APPLIES("flux", ".spec.c"), entries[j % 2]}},
            };
            if (j == 2)
                story.new.entries[1].manager = NULL;
            const struct finding *finding = expect_finding(
                judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_DENY, ".spec.a");
            assert_int_equal(finding->writer.operation, MANAGER_UPDATE);
        }
    }
}

/* An annotation that another manager applied, or emptied, does not make the applier's fields defaults. */
static void a_planted_configuration_declares_nothing(void **state)
{
    struct story story = {
        .manager = "kubectl-patch",
        .old =
            {.body = "'spec':{'a':7}",
             .last_applied = "{}",
             .entries = {APPLIES("team", OWNS_ANNOTATION), UPDATES("kubectl-client-side-apply", ".spec.a")}},
        .new =
            {.body = "'spec':{'a':8}",
             .last_applied = "{}",
             .entries = {APPLIES("team", OWNS_ANNOTATION), UPDATES("kubectl-patch", ".spec.a", .time = NOW)}},
    };
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_DENY, ".spec.a");
    story.old.entries[0] = story.new.entries[0] = (struct entry)UPDATES("kubectl-edit", OWNS_ANNOTATION);
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_DENY, ".spec.a");
    story.old.last_applied = story.new.last_applied = "{'spec':{'b':1}}";
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_AUDIT, ".spec.a");
}

/* Fields that the API server merged with an applier's entry are the applier's, except to appliers: it may be
 * their own.
 */
static void merged_appliers_keep_what_they_declared(void **state)
{
    static const struct {
        struct entry writer;
        const char *owned;
        enum action action; /* under strict */
    } cases[] = {
        {UPDATES("kubectl-edit", ".spec.a", .time = NOW), ".spec.a " OWNS_ANNOTATION, ACTION_DENY},
        {UPDATES("kubectl-edit", ".spec.a", .time = NOW),
         ".spec.a .metadata.annotations.{meta.helm.sh/release-name}", ACTION_DENY},
        {UPDATES("kubectl-edit", ".spec.a", .time = NOW), ".spec.a", ACTION_AUDIT},
        {UPDATES("kubectl-client-side-apply", ".spec.a", .time = NOW), ".spec.a " OWNS_ANNOTATION,
         ACTION_AUDIT},
        {UPDATES("helm", ".spec.a", .time = NOW), ".spec.a .metadata.annotations.{meta.helm.sh/release-name}",
         ACTION_AUDIT},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = {
            .manager = cases[i].writer.manager,
            .old =
                {.body = "'spec':{'a':7}",
                 .last_applied = "{'spec':{'a':7}}",
                 .entries = {UPDATES("ancient-changes", cases[i].owned)}},
            .new =
                {.body = "'spec':{'a':8}", .last_applied = "{'spec':{'a':7}}", .entries = {cases[i].writer}},
        };
        expect_finding(
            judge_story(*state, STRICT, &story), RULE_ownership_conflict, cases[i].action, ".spec.a");
    }
}

/* Nor has any other Apply entry applied that did not change. */
static void an_apply_entry_that_did_not_change_has_not_applied(void **state)
{
    struct story story = {
        .manager = "team",
        .user = "system:serviceaccount:ci:team",
        .old =
            {.body = "'spec':{'a':1,'b':1}",
             .entries = {APPLIES("flux", ".spec.a"), APPLIES("team", ".spec.b")}},
        .new =
            {.body = "'spec':{'b':1}", .entries = {APPLIES("flux", ".spec.c"), APPLIES("team", ".spec.b")}},
    };
    const struct finding *finding =
        expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_WARN, ".spec.a");
    assert_int_equal(finding->writer.operation, MANAGER_UPDATE);
}

/* A writer without a name that removes fields of an owner that always names itself is not that owner. */
static void a_removal_without_a_name_is_judged_by_its_user(void **state)
{
    static const struct {
        struct entry owner;
        const char *user;
        enum action action; /* under strict; ACTION_OFF: silent */
    } cases[] = {
        {APPLIES("flux", ".spec.a"), "alice", ACTION_DENY},
        {APPLIES("flux", ".spec.a"), "system:serviceaccount:a:b", ACTION_AUDIT},
        {UPDATES("helm", ".spec.a"), "alice", ACTION_DENY},
        {UPDATES("kubectl-client-side-apply", ".spec.a"), "alice", ACTION_DENY},
        {UPDATES("helm", ".spec.a"), "system:node:a", ACTION_AUDIT},
        {UPDATES("HashiCorp", ".spec.a"), "alice", ACTION_AUDIT},
        {UPDATES("kapp", ".spec.a"), "alice", ACTION_AUDIT},
        {UPDATES("argocd-application-controller", ".spec.a"), "system:serviceaccount:a:b", ACTION_AUDIT},
        {UPDATES("curl", ".spec.a"), "alice", ACTION_OFF},
        {UPDATES("some-operator", ".spec.a"), "system:serviceaccount:a:b", ACTION_OFF},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = {
            .user = cases[i].user,
            .old = {.body = "'spec':{'a':1,'b':1}", .entries = {cases[i].owner}},
            .new = {.body = "'spec':{'b':1}", .entries = {cases[i].owner}},
        };
        story.new.entries[0].fields = ".spec.b";
        story.old.entries[0].fields = ".spec.a .spec.b";
        const struct verdict *verdict = judge_story(*state, STRICT, &story);
        if (cases[i].action == ACTION_OFF)
            expect_silence(verdict, RULE_ownership_conflict);
        else
            expect_finding(verdict, RULE_ownership_conflict, cases[i].action, ".spec.a");
    }
}

/* Other writes under kubectl's own name for the annotation are seen. */
static void the_name_of_bookkeeping_alone_hides_nothing(void **state)
{
    const struct entry writers[] = {
        APPLIES("kubectl-last-applied", ".spec.a", .time = NOW),
        UPDATES("kubectl-last-applied", ".spec.a", .time = NOW),
        UPDATES("kubectl-last-applied", OWNS_ANNOTATION " .spec.a", .time = NOW)};
    for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
        const struct story story = {
            .manager = "kubectl-last-applied",
            .old = {.body = "'spec':{'a':1}", .entries = {APPLIES("flux", ".spec.a")}},
            .new = {.body = "'spec':{'a':2}", .entries = {writers[i]}},
        };
        expect_finding(judge_baseline(state, &story), RULE_ownership_conflict, ACTION_WARN, ".spec.a");
    }
}

/*
 * kubectl rollout undo goes by the name of kubectl apply --server-side, which conflicts with it afterwards. A
 * controller that applies and updates takes nothing from itself, and an apply from its own update neither.
 */
static void edits_under_the_name_of_an_applier_are_conflicts(void **state)
{
    struct story story = {
        .manager = "kubectl",
        .old = {.body = "'spec':{'a':1}", .entries = {APPLIES("kubectl", ".spec.a")}},
        .new = {.body = "'spec':{'a':2}", .entries = {UPDATES("kubectl", ".spec.a", .time = NOW)}},
    };
    expect_finding(judge_baseline(state, &story), RULE_ownership_conflict, ACTION_WARN, ".spec.a");
    story.old.entries[0] = (struct entry)UPDATES("kubectl", ".spec.a");
    story.new.entries[0] = (struct entry)APPLIES("kubectl", ".spec.a", .time = NOW);
    expect_silence(judge_baseline(state, &story), RULE_ownership_conflict);
    story.manager = "my-operator";
    story.old.entries[0] = (struct entry)APPLIES("my-operator", ".spec.a");
    story.new.entries[0] = (struct entry)UPDATES("my-operator", ".spec.a", .time = NOW);
    expect_silence(judge_baseline(state, &story), RULE_ownership_conflict);
}

/* These annotations are rewritten by tools and by the API server for themselves at every turn. */
static void annotations_kept_by_tools_are_no_conflict(void **state)
{
    static const char *const kept[] = {
        LAST_APPLIED_ANNOTATION, "deployment.kubernetes.io/revision",
        "deprecated.daemonset.template.generation"};
    for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
        char fields[128], before[128], after[128];
        snprintf(fields, sizeof(fields), ".metadata.annotations.{%s}", kept[i]);
        snprintf(before, sizeof(before), "'%s':'1'", kept[i]);
        snprintf(after, sizeof(after), "'%s':'2'", kept[i]);
        struct story story = {
            .manager = "kubectl-annotate",
            .old = {.body = "", .annotations = before, .entries = {APPLIES("flux", fields)}},
            .new = {.body = "", .annotations = after, .entries = {UPDATES("kubectl-annotate", fields)}},
        };
        expect_silence(judge_baseline(state, &story), RULE_ownership_conflict);
    }
}

/* Only on the object itself: on the pod template the same name is a field like any other. */
static void annotations_of_that_name_elsewhere_are_fields(void **state)
{
    static const char fields[] = ".spec.template.metadata.annotations.{deployment.kubernetes.io/revision}";
    expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = "'spec':{'template':{'metadata':{'annotations':"
                             "{'deployment.kubernetes.io/revision':'1'}}}}",
                     .entries = {APPLIES("flux", fields)}},
                .new =
                    {.body = "'spec':{'template':{'metadata':{'annotations':"
                             "{'deployment.kubernetes.io/revision':'2'}}}}",
                     .entries = {UPDATES("kubectl-edit", fields)}},
            }),
        RULE_ownership_conflict, ACTION_WARN,
        ".spec.template.metadata.annotations.deployment.kubernetes.io/revision");
}

/* A warning about status fields that a controller's status entry loses would be of no use. */
static void status_entry_loses_as_a_controller(void **state)
{
    expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = "'status':{'a':1}",
                     .entries = {APPLIES("flux", ".status.a", .subresource = "status")}},
                .new = {.body = "'status':{'a':2}", .entries = {UPDATES("kubectl-edit", ".status.a")}},
            }),
        RULE_ownership_conflict, ACTION_AUDIT, ".status.a");
}

/* An entry of another version is judged where its path means the same in both objects. */
static void entry_of_another_version_is_judged_where_it_resolves(void **state)
{
    const struct verdict *verdict = judge_baseline(
        state,
        &(struct story){
            .manager = "kubectl-edit",
            .old =
                {.body = "'spec':{'replicas':3}",
                 .entries = {APPLIES("flux", ".spec.replicas", .api_version = "apps/v1beta1")}},
            .new = {.body = "'spec':{'replicas':4}", .entries = {UPDATES("kubectl-edit", ".spec.replicas")}},
        });
    expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.replicas");
    expect_silence(verdict, RULE_unjudged);
}

/* Where it does not, the field may have moved: the message says so and accuses no writer. */
static void entry_of_another_version_is_not_judged_where_it_does_not(void **state)
{
    static const char *const paths[] = {".spec.renamed", ".spec.replicas"};
    static const char *const after[] = {"'spec':{'replicas':3}", "'spec':{}"};
    for (size_t i = 0; i < 2; i++) {
        struct story story = {
            .manager = "kubectl-edit",
            .old =
                {.body = "'spec':{'replicas':3}",
                 .entries = {APPLIES("flux", paths[i], .api_version = "apps/v1beta1")}},
            .new = {.body = after[i], .entries = {UPDATES("kubectl-edit", ".spec.x", .time = NOW)}},
        };
        const struct verdict *verdict = judge_baseline(state, &story);
        expect_silence(verdict, RULE_ownership_conflict);
        const struct finding *finding = expect_finding(verdict, RULE_unjudged, ACTION_AUDIT, "");
        expect_part(finding->message, "is recorded for apps/v1beta1, and the object is apps/v1");
    }
}

/* Keyed lists have no order: moving containers about takes nothing from anybody. */
static void reordered_keyed_list_is_no_conflict(void **state)
{
    static const char fields[] =
        ".spec.containers[name=a].image .spec.containers[name=b].image .spec.containers[name=a].name";
    expect_silence(
        judge_baseline(
            state,
            &(struct story){
                .manager = "tool",
                .old =
                    {.body = "'spec':{'containers':[{'name':'a','image':'1'},{'name':'b','image':'2'}]}",
                     .entries = {APPLIES("flux", fields)}},
                .new =
                    {.body = "'spec':{'containers':[{'name':'b','image':'2'},{'name':'a','image':'1'}]}",
                     .entries = {UPDATES("tool", ".spec.x", .time = NOW)}},
            }),
        RULE_ownership_conflict);
}

/* Atomic lists are one value, and their order is part of it. */
static void changed_or_reordered_atomic_list_is_a_conflict(void **state)
{
    static const char *const after[] = {"['b','a']", "['a']", "['a','b','c']", "[]"};
    for (size_t i = 0; i < ARRAY_SIZE(after); i++) {
        char body[64];
        snprintf(body, sizeof(body), "'spec':{'args':%s}", after[i]);
        struct story story = {
            .manager = "kubectl-edit",
            .old = {.body = "'spec':{'args':['a','b']}", .entries = {APPLIES("flux", ".spec.args")}},
            .new = {.body = body, .entries = {UPDATES("kubectl-edit", ".spec.args")}},
        };
        expect_finding(judge_baseline(state, &story), RULE_ownership_conflict, ACTION_WARN, ".spec.args");
    }
}

/* An item of a set is a field of its own. */
static void removed_set_item_is_a_conflict(void **state)
{
    expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = "",
                     .metadata = "'finalizers':['a/x','b/y']",
                     .entries = {APPLIES("flux", ".metadata.finalizers[=a/x] .metadata.finalizers[=b/y]")}},
                .new =
                    {.body = "",
                     .metadata = "'finalizers':['b/y']",
                     .entries =
                         {APPLIES("flux", ".metadata.finalizers[=b/y]"),
                          UPDATES("kubectl-edit", ".spec.x", .time = NOW)}},
            }),
        RULE_ownership_conflict, ACTION_WARN, ".metadata.finalizers[=\"a/x\"]");
}

/* A removed container is one loss, with everything that was in it: ports within, and all that owned some. */
static void removed_list_item_stands_for_what_was_in_it(void **state)
{
    const struct finding *finding = expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = POD("'image':'i','ports':[{'containerPort':80,'protocol':'TCP','name':'p'}]"),
                     .entries =
                         {APPLIES(
                              "flux",
                              CONTAINER ". " CONTAINER ".name " CONTAINER
                                        ".ports[containerPort=80,protocol=TCP].name"),
                          APPLIES("argocd", CONTAINER ".image")}},
                .new =
                    {.body = "'spec':{'template':{'spec':{'containers':[{'name':'other'}]}}}",
                     .entries = {UPDATES(
                         "kubectl-edit", ".spec.template.spec.containers[name=other].name", .time = NOW)}},
            }),
        RULE_ownership_conflict, ACTION_WARN, PRINTED);
    assert_int_equal(finding->previous_owner_count, 2);
    expect_part(finding->message, "kubectl edit removes");
}

/* If the whole list is gone, each item is still reported by itself. */
static void removed_list_is_reported_by_its_items(void **state)
{
    expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = "'spec':{'env':[{'name':'A','value':'1'},{'name':'B','value':'2'}]}",
                     .entries = {APPLIES(
                         "flux", ".spec.env[name=A].name .spec.env[name=A].value .spec.env[name=B].value")}},
                .new = {.body = "'spec':{}", .entries = {UPDATES("kubectl-edit", ".spec.x")}},
            }),
        RULE_ownership_conflict, ACTION_WARN, ".spec.env[name=\"A\"] .spec.env[name=\"B\"]");
}

/* A map that is gone with several labels is reported as the map, with one label as that label. */
static void removed_map_stands_for_several_members(void **state)
{
    static const struct object_story none = {.body = "", .entries = {UPDATES("kubectl-edit", ".spec.x")}};
    expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = "",
                     .metadata = "'labels':{'a':'1','b':'2'}",
                     .entries = {APPLIES("flux", ".metadata.labels.a .metadata.labels.b")}},
                .new = none,
            }),
        RULE_ownership_conflict, ACTION_WARN, ".metadata.labels");
    expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = "",
                     .metadata = "'labels':{'a':'1'}",
                     .entries = {APPLIES("flux", ".metadata.labels.a")}},
                .new = none,
            }),
        RULE_ownership_conflict, ACTION_WARN, ".metadata.labels.a");
}

/* Two owners of one label each lost a map together: reported once, with both. */
static void removed_map_names_all_who_owned_in_it(void **state)
{
    const struct finding *finding = expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = "",
                     .metadata = "'labels':{'a':'1','b':'2'}",
                     .entries =
                         {APPLIES("flux", ".metadata.labels.a"), APPLIES("argocd", ".metadata.labels.b")}},
                .new = {.body = "", .entries = {UPDATES("kubectl-edit", ".spec.x")}},
            }),
        RULE_ownership_conflict, ACTION_WARN, ".metadata.labels");
    assert_int_equal(finding->previous_owner_count, 2);
}

/* A map that is emptied and stays is reported by the fields that it lost. */
static void emptied_map_is_reported_by_its_members(void **state)
{
    expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = "",
                     .metadata = "'labels':{'a':'1','b':'2'}",
                     .entries = {APPLIES("flux", ".metadata.labels.a .metadata.labels.b")}},
                .new =
                    {.body = "", .metadata = "'labels':{}", .entries = {UPDATES("kubectl-edit", ".spec.x")}},
            }),
        RULE_ownership_conflict, ACTION_WARN, ".metadata.labels.a .metadata.labels.b");
}

/* The presence of a map is not a value: the loss of {} and "." with others' labels is not reported. */
static void container_membership_is_no_conflict(void **state)
{
    static const char *const memberships[] = {
        "{'f:metadata':{'f:labels':{}}}",
        "{'f:metadata':{'f:labels':{'.':{}}}}",
    };
    for (size_t i = 0; i < 2; i++) {
        struct story story = {
            .manager = "kubectl-label",
            .old =
                {.body = "",
                 .metadata = "'labels':{'a':'1'}",
                 .entries =
                     {UPDATES("tool", memberships[i]), UPDATES("kubectl-label", ".metadata.labels.a")}},
            .new =
                {.body = "",
                 .metadata = "'labels':{'a':'2'}",
                 .entries = {UPDATES("kubectl-label", ".metadata.labels.a", .time = NOW)}},
        };
        expect_nothing(judge_baseline(state, &story));
    }
}

/* Without children anywhere, {} is the map itself, as of a selector: changing it is taking it. */
static void atomic_map_is_a_value(void **state)
{
    static const char *const forms[] = {"{'f:spec':{'f:selector':{}}}", "{'f:spec':{'f:selector':{'.':{}}}}"};
    for (size_t i = 0; i < 2; i++) {
        struct story story = {
            .manager = "kubectl-edit",
            .old = {.body = "'spec':{'selector':{'a':'1'}}", .entries = {APPLIES("flux", forms[i])}},
            .new =
                {.body = "'spec':{'selector':{'a':'2'}}",
                 .entries = {UPDATES("kubectl-edit", ".spec.x", .time = NOW)}},
        };
        expect_finding(judge_baseline(state, &story), RULE_ownership_conflict, ACTION_WARN, ".spec.selector");
    }
}

/* A path that the object never had is stale bookkeeping of the server's, not a loss. */
static void stale_path_is_no_loss(void **state)
{
    const struct verdict *verdict = judge_baseline(
        state,
        &(struct story){
            .manager = "kubectl-edit",
            .old = {.body = "'spec':{}", .entries = {APPLIES("flux", ".spec.a .spec.b")}},
            .new = {.body = "'spec':{}", .entries = {UPDATES("kubectl-edit", ".spec.x")}},
        });
    expect_silence(verdict, RULE_ownership_conflict);
    expect_silence(verdict, RULE_unjudged);
}

/* A zero value is not stored, but still owned: a writer that sets another one takes it, as the API server's
 * 409 says. */
static void zero_value_is_taken(void **state)
{
    const struct verdict *verdict = judge_baseline(
        state,
        &(struct story){
            .manager = "kubectl-edit",
            .old = {.body = "'spec':{}", .entries = {APPLIES("flux", ".spec.minReadySeconds")}},
            .new =
                {.body = "'spec':{'minReadySeconds':5}",
                 .entries = {UPDATES("kubectl-edit", ".spec.minReadySeconds")}},
        });
    expect_part(
        finding_of(verdict, RULE_ownership_conflict)->message,
        "changes minReadySeconds, but Flux undoes this");
    expect_silence(verdict, RULE_unjudged);
}

/* A map that becomes a scalar is taken where the scalar stands. */
static void map_that_becomes_a_scalar_is_taken(void **state)
{
    const struct verdict *verdict = judge_baseline(
        state,
        &(struct story){
            .manager = "kubectl-edit",
            .old = {.body = "'spec':{'x':{'y':1}}", .entries = {APPLIES("flux", ".spec.x.y")}},
            .new = {.body = "'spec':{'x':2}", .entries = {UPDATES("kubectl-edit", ".spec.x")}},
        });
    expect_part(finding_of(verdict, RULE_ownership_conflict)->message, "changes x, but Flux undoes this");
}

/* A list is not a map: a writer that replaces one by the other takes all fields in it. */
static void list_and_map_in_place_of_each_other_are_taken(void **state)
{
    static const struct {
        const char *before, *owned, *after;
    } cases[] = {
        {"'spec':{'x':{'y':1}}", ".spec.x.y", "'spec':{'x':[1]}"},
        {"'spec':{'x':[1]}", ".spec.x", "'spec':{'x':{'y':1}}"},
        {"'spec':{'x':[{'name':'A','value':'1'}]}", ".spec.x[name=A].value", "'spec':{'x':{'A':'1'}}"},
        {"'spec':{'x':[{'name':'A','value':'1'}]}", ".spec.x[name=A].value", "'spec':{'x':'A'}"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct story story = {
            .manager = "kubectl-edit",
            .old = {.body = cases[i].before, .entries = {APPLIES("flux", cases[i].owned)}},
            .new = {.body = cases[i].after, .entries = {UPDATES("kubectl-edit", ".spec.x", .time = NOW)}},
        };
        const struct verdict *verdict = judge_baseline(state, &story);
        expect_part(finding_of(verdict, RULE_ownership_conflict)->message, "changes x, but Flux undoes this");
        expect_silence(verdict, RULE_unjudged);
    }
}

/* The last one of two items with one name counts: adding one takes the item of its owner. */
static void item_that_is_there_twice_is_taken(void **state)
{
    const struct story story = {
        .manager = "kubectl-patch",
        .old =
            {.body = "'spec':{'env':[{'name':'A','value':'1'}]}",
             .entries = {APPLIES(
                 "flux", ".spec.env[name=A] .spec.env[name=A].name .spec.env[name=A].value")}},
        .new =
            {.body = "'spec':{'env':[{'name':'A','value':'1'},{'name':'A','value':'2'}]}",
             .entries = {UPDATES("kubectl-patch", ".spec.env[name=A]", .time = NOW)}},
    };
    const struct verdict *verdict = judge_baseline(state, &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.env[name=\"A\"]");
    expect_part(
        finding_of(verdict, RULE_ownership_conflict)->message, "kubectl patch changes .spec.env[name=\"A\"]");
    expect_silence(verdict, RULE_unjudged);
}

/* A client with types leaves out what a manifest declares as null. */
static void null_and_nothing_are_the_same(void **state)
{
    static const char *const bodies[] = {
        "'spec':{'b':1,'a':null}", "'spec':{'b':1}", "'spec':{'b':1,'a':{}}"};
    for (size_t i = 0; i < ARRAY_SIZE(bodies); i++) {
        for (size_t j = 0; j < ARRAY_SIZE(bodies); j++) {
            const struct story story = {
                .manager = "operator",
                .old = {.body = bodies[i], .entries = {APPLIES("flux", ".spec.a")}},
                .new = {.body = bodies[j], .entries = {UPDATES("operator", ".spec.b", .time = NOW)}},
            };
            expect_silence(judge_baseline(state, &story), RULE_ownership_conflict);
        }
    }
    struct story story = {
        .manager = "operator",
        .old = {.body = "'spec':{'a':null}", .entries = {APPLIES("flux", ".spec.a")}},
        .new = {.body = "'spec':{'a':1}", .entries = {UPDATES("operator", ".spec.a", .time = NOW)}},
    };
    expect_finding(judge_baseline(state, &story), RULE_ownership_conflict, ACTION_WARN, ".spec.a");
    /* The API server refuses this apply, unless it is forced. */
    story.manager = "argocd-controller";
    story.new.body = "'spec':{'a':{}}";
    story.new.entries[0] = (struct entry)APPLIES("argocd-controller", ".spec.a", .time = NOW);
    expect_finding(judge_baseline(state, &story), RULE_ownership_conflict, ACTION_WARN, ".spec.a");
}

/*
 * A dry run by which Argo CD or helm-controller only compares may hold fields that they are configured to
 * ignore; to deny it keeps them from comparing. Their applies are judged.
 */
static void dry_runs_that_compare_are_audited(void **state)
{
    static const char *const tools[] = {"argocd-controller", "helm-controller"};
    for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
        struct story story = {
            .manager = tools[i],
            .dry_run = true,
            .old = {.body = "'spec':{'a':1}", .entries = {APPLIES("flux", ".spec.a")}},
            .new = {.body = "'spec':{'a':2}", .entries = {APPLIES(tools[i], ".spec.a", .time = NOW)}},
        };
        expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_AUDIT, ".spec.a");
        story.dry_run = false;
        expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_DENY, ".spec.a");
    }
}

/* A key that two items have names neither of them. */
static void ambiguous_key_is_not_judged(void **state)
{
    const struct verdict *verdict = judge_baseline(
        state,
        &(struct story){
            .manager = "kubectl-edit",
            .old =
                {.body = "'spec':{'env':[{'name':'A','value':'1'},{'name':'A','value':'2'}]}",
                 .entries = {APPLIES("flux", ".spec.env[name=A].value")}},
            .new =
                {.body = "'spec':{'env':[{'name':'A','value':'3'}]}",
                 .entries = {UPDATES("kubectl-edit", ".spec.env[name=A].value")}},
        });
    expect_silence(verdict, RULE_ownership_conflict);
    expect_count(verdict, RULE_unjudged, 1);
}

/* Erasing managedFields without changing values takes no values. */
static void wiped_managed_fields_alone_are_no_conflict(void **state)
{
    expect_silence(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-patch",
                .old = {.body = "'spec':{'a':1}", .entries = {APPLIES("flux", ".spec.a")}},
                .new = {.body = "'spec':{'a':1}"},
            }),
        RULE_ownership_conflict);
}

/* The API server drops managedFields of objects that are too large: a changed value is still taken. */
static void changed_value_under_wiped_managed_fields_is_a_conflict(void **state)
{
    expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-patch",
                .old = {.body = "'spec':{'a':1,'b':1}", .entries = {APPLIES("flux", ".spec.a .spec.b")}},
                .new = {.body = "'spec':{'a':2,'b':1}"},
            }),
        RULE_ownership_conflict, ACTION_WARN, ".spec.a");
}

/* One finding for one previous owner at one action, however many ways the fields were lost. */
static void losses_of_one_manager_are_one_finding(void **state)
{
    const struct finding *finding = expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = POD("'image':'1','env':[{'name':'A','value':'x'}]"),
                     .entries = {APPLIES(
                         "flux",
                         CONTAINER ".image " CONTAINER ".env[name=A].name " CONTAINER ".env[name=A].value")}},
                .new =
                    {.body = POD("'image':'2','env':[]"),
                     .entries = {UPDATES("kubectl-edit", CONTAINER ".image")}},
            }),
        RULE_ownership_conflict, ACTION_WARN, PRINTED ".env[name=\"A\"] " PRINTED ".image");
    expect_part(finding->message, "kubectl edit changes or removes ");
    expect_part(finding->message, " and 1 more field, but Flux undoes this");
}

/* One image with three owners is one loss, reported once. */
static void previous_owners_of_one_field_are_one_finding(void **state)
{
    const struct finding *finding = expect_finding(
        judge_baseline(
            state,
            &(struct story){
                .manager = "kubectl-replace",
                .old =
                    {.body = "'spec':{'a':1}",
                     .entries =
                         {APPLIES("argocd", ".spec.a"), APPLIES("flux", ".spec.a"),
                          APPLIES("helm", ".spec.a")}},
                .new = {.body = "'spec':{'a':2}", .entries = {UPDATES("kubectl-replace", ".spec.a")}},
            }),
        RULE_ownership_conflict, ACTION_WARN, ".spec.a");
    assert_int_equal(finding->previous_owner_count, 3);
    assert_int_equal(finding->previous_owner_total, 3);
    expect_part(finding->message, "Flux, argocd and 1 more");
}

/* Different previous owners, or different actions, are different news. */
static void previous_owners_of_other_fields_are_other_findings(void **state)
{
    const struct verdict *verdict = judge_baseline(
        state,
        &(struct story){
            .manager = "kubectl-replace",
            .old =
                {.body = "'spec':{'a':1,'b':1,'c':1}",
                 .entries =
                     {APPLIES("flux", ".spec.a .spec.c"), APPLIES("helm", ".spec.b"),
                      UPDATES("kubectl-set", ".spec.c")}},
            .new = {.body = "'spec':{'a':2,'b':2,'c':2}", .entries = {UPDATES("kubectl-replace", ".spec.a")}},
        });
    expect_count(verdict, RULE_ownership_conflict, 3);
    assert_int_equal(verdict_count(verdict, ACTION_WARN), 2);
    assert_int_equal(verdict_count(verdict, ACTION_AUDIT), 1);
}

static const struct verdict *take_many(void **state, const char *policy, int count)
{
    char *before = numbered("'spec':{", "'f#':1", count, "}");
    char *after = numbered("'spec':{", "'f#':2", count, "}");
    char *fields = numbered("{'f:spec':{", "'f:f#':{}", count, "}}");
    const struct verdict *verdict = judge_story(
        *state, policy,
        &(struct story){
            .manager = "kubectl-replace",
            .old = {.body = before, .entries = {APPLIES("flux", fields)}},
            .new = {.body = after, .entries = {UPDATES("kubectl-replace", fields)}},
        });
    free(before);
    free(after);
    free(fields);
    return verdict;
}

/* A finding lists what people read, and counts the rest. */
static void fields_beyond_the_list_are_counted(void **state)
{
    const struct verdict *verdict = take_many(state, BASELINE, FINDING_FIELDS_MAX);
    expect_count(verdict, RULE_ownership_conflict, 1);
    assert_int_equal(finding_of(verdict, RULE_ownership_conflict)->field_count, FINDING_FIELDS_MAX);
    assert_int_equal(finding_of(verdict, RULE_ownership_conflict)->field_total, FINDING_FIELDS_MAX);
    verdict = take_many(state, BASELINE, FINDING_FIELDS_MAX + 1);
    expect_count(verdict, RULE_ownership_conflict, 1);
    assert_int_equal(finding_of(verdict, RULE_ownership_conflict)->field_count, FINDING_FIELDS_MAX);
    assert_int_equal(finding_of(verdict, RULE_ownership_conflict)->field_total, FINDING_FIELDS_MAX + 1);
    expect_part(finding_of(verdict, RULE_ownership_conflict)->message, "and 32 more fields");
}

/* Opens and closes maps in each other whose names are long, so that a path costs far more than its field. */
#define L100                                                                                                 \
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define DEEP "'" L100 L100 "':{'" L100 L100 "':{'" L100 L100 "':{'" L100 L100 "':{'" L100 L100 "':{"
#define DEEP_FIELDS                                                                                          \
    "'f:" L100 L100 "':{'f:" L100 L100 "':{'f:" L100 L100 "':{'f:" L100 L100 "':{'f:" L100 L100 "':{"

/* The bound for paths is reached long before all of these are distinguished. */
enum { MANY_DEEP = 2000 };

/* The owner of the deep fields takes them from `loser`, and a shallow one from helm. */
static const struct verdict *take_deep(void **state, const char *previous_owner)
{
    char *before = numbered("'spec':{'z':1," DEEP, "'f#':1", MANY_DEEP, "}}}}}}");
    char *after = numbered("'spec':{'z':2," DEEP, "'f#':2", MANY_DEEP, "}}}}}}");
    char *fields = numbered("{'f:spec':{" DEEP_FIELDS, "'f:f#':{}", MANY_DEEP, "}}}}}}}");
    const struct verdict *verdict = judge_story(
        *state, STRICT,
        &(struct story){
            .manager = "kubectl-replace",
            .old = {.body = before, .entries = {UPDATES(previous_owner, fields), UPDATES("helm", ".spec.z")}},
            .new = {.body = after, .entries = {UPDATES("kubectl-replace", fields)}},
        });
    free(before);
    free(after);
    free(fields);
    return verdict;
}

/* Beyond the bound, the message gives the known number and says that there are more. */
static void numbers_beyond_the_limit_are_at_least(void **state)
{
    const struct verdict *verdict = take_deep(state, "argocd-controller");
    assert_false(verdict->allowed);
    bool is_at_least = false, has_more = false;
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        if (finding->rule != RULE_ownership_conflict)
            continue;
        assert_int_equal(finding->action, ACTION_DENY);
        assert_true(finding->field_total < MANY_DEEP);
        is_at_least |= contains(finding->message, "and at least ");
        has_more |= contains(finding->message, "changes or removes more fields of other managers");
    }
    assert_true(is_at_least && has_more);
    expect_part(finding_of(verdict, RULE_unjudged)->message, "too many fields with long paths");
}

/* However many fields people have, their number is right. */
static void numbers_of_short_paths_are_exact(void **state)
{
    enum { FIELDS = 5000 };
    const struct verdict *verdict = take_many(state, STRICT, FIELDS);
    expect_count(verdict, RULE_ownership_conflict, 1);
    assert_int_equal(finding_of(verdict, RULE_ownership_conflict)->field_total, FIELDS);
    expect_part(finding_of(verdict, RULE_ownership_conflict)->message, "and 4999 more fields");
    expect_silence(verdict, RULE_unjudged);
}

/* A loss is denied even if very many audited losses come before it. */
static void denial_behind_the_limit_is_not_lost(void **state)
{
    const struct verdict *verdict = take_deep(state, "kubectl-set");
    assert_false(verdict->allowed);
    assert_int_equal(verdict_count(verdict, ACTION_DENY), 1);
}

/* A key that is not a path element makes the entry unreadable from there: said, and what came before stands.
 * */
static void malformed_entry_is_reported(void **state)
{
    const struct verdict *verdict = judge_baseline(
        state,
        &(struct story){
            .manager = "kubectl-edit",
            .old =
                {.body = "'spec':{'a':1}",
                 .entries = {APPLIES("flux", "{'f:spec':{'f:a':{}},'nonsense':{}}")}},
            .new = {.body = "'spec':{'a':2}", .entries = {UPDATES("kubectl-edit", ".spec.a")}},
        });
    expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.a");
    expect_part(finding_of(verdict, RULE_unjudged)->message, "not a path element");
}

/* Prefixes that a later API server may bring are skipped without a word. */
static void unknown_prefix_is_skipped(void **state)
{
    const struct verdict *verdict = judge_baseline(
        state,
        &(struct story){
            .manager = "kubectl-edit",
            .old =
                {.body = "'spec':{'a':1}",
                 .entries = {APPLIES("flux", "{'x:new':{},'f:spec':{'x:new':{'f:b':{}},'f:a':{}}}")}},
            .new = {.body = "'spec':{'a':2}", .entries = {UPDATES("kubectl-edit", ".spec.a")}},
        });
    expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.a");
    expect_silence(verdict, RULE_unjudged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(another_value_is_a_conflict),
        IN_COURT(defaults_are_told_with_their_item),
        IN_COURT(another_kind_of_volume_is_a_conflict),
        IN_COURT(removed_field_is_a_conflict),
        IN_COURT(equal_value_is_a_transfer),
        IN_COURT(values_are_compared_as_json),
        IN_COURT(kept_field_is_no_conflict),
        IN_COURT(own_fields_are_no_conflict),
        IN_COURT(same_manager_under_another_operation_is_no_conflict),
        IN_COURT(same_manager_through_a_subresource_is_a_conflict),
        IN_COURT(bookkeeping_neither_loses_nor_takes),
        IN_COURT(what_bookkeeping_does_not_declare_it_has_not_applied),
        IN_COURT(a_planted_configuration_declares_nothing),
        IN_COURT(merged_appliers_keep_what_they_declared),
        IN_COURT(an_apply_entry_that_did_not_change_has_not_applied),
        IN_COURT(a_removal_without_a_name_is_judged_by_its_user),
        IN_COURT(the_name_of_bookkeeping_alone_hides_nothing),
        IN_COURT(edits_under_the_name_of_an_applier_are_conflicts),
        IN_COURT(list_and_map_in_place_of_each_other_are_taken),
        IN_COURT(item_that_is_there_twice_is_taken),
        IN_COURT(null_and_nothing_are_the_same),
        IN_COURT(dry_runs_that_compare_are_audited),
        IN_COURT(annotations_kept_by_tools_are_no_conflict),
        IN_COURT(annotations_of_that_name_elsewhere_are_fields),
        IN_COURT(status_entry_loses_as_a_controller),
        IN_COURT(entry_of_another_version_is_judged_where_it_resolves),
        IN_COURT(entry_of_another_version_is_not_judged_where_it_does_not),
        IN_COURT(reordered_keyed_list_is_no_conflict),
        IN_COURT(changed_or_reordered_atomic_list_is_a_conflict),
        IN_COURT(removed_set_item_is_a_conflict),
        IN_COURT(removed_list_item_stands_for_what_was_in_it),
        IN_COURT(removed_list_is_reported_by_its_items),
        IN_COURT(removed_map_stands_for_several_members),
        IN_COURT(removed_map_names_all_who_owned_in_it),
        IN_COURT(emptied_map_is_reported_by_its_members),
        IN_COURT(container_membership_is_no_conflict),
        IN_COURT(atomic_map_is_a_value),
        IN_COURT(stale_path_is_no_loss),
        IN_COURT(zero_value_is_taken),
        IN_COURT(map_that_becomes_a_scalar_is_taken),
        IN_COURT(ambiguous_key_is_not_judged),
        IN_COURT(wiped_managed_fields_alone_are_no_conflict),
        IN_COURT(changed_value_under_wiped_managed_fields_is_a_conflict),
        IN_COURT(losses_of_one_manager_are_one_finding),
        IN_COURT(previous_owners_of_one_field_are_one_finding),
        IN_COURT(previous_owners_of_other_fields_are_other_findings),
        IN_COURT(fields_beyond_the_list_are_counted),
        IN_COURT(numbers_beyond_the_limit_are_at_least),
        IN_COURT(numbers_of_short_paths_are_exact),
        IN_COURT(denial_behind_the_limit_is_not_lost),
        IN_COURT(malformed_entry_is_reported),
        IN_COURT(unknown_prefix_is_skipped),
    };
    return cmocka_run_group_tests_name("conflicts", tests, NULL, NULL);
}
