/*
 * ownership-conflict: what comes of who takes from whom, under each profile and as the policy changes it.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define OWNS_LAST_APPLIED ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"

/* One manager of each class, as the tools name themselves. */
static const struct entry managers[OWNING_CLASS_COUNT] = {
    [CLASS_APPLIER] = APPLIES("kustomize-controller", ".spec.a"),
    [CLASS_CONTROLLER] = UPDATES("hpa", ".spec.a", .subresource = "scale"),
    [CLASS_AD_HOC] = UPDATES("kubectl-edit", ".spec.a"),
    [CLASS_UNKNOWN] = UPDATES("foo", ".spec.a"),
    [CLASS_OPERATOR] = APPLIES("es.example.com/app", ".spec.a"),
};

/* A manager of the one class sets another value on a field of a manager of the other. */
static struct story takeover(int writer, int previous_owner)
{
    /* Another tool of the same class. */
    static const char *const others[] = {"argocd-controller", "keda", "kubectl-patch"};
    bool is_service = writer == CLASS_CONTROLLER || writer == CLASS_OPERATOR;
    struct story story = {
        .manager = writer == previous_owner ? others[writer] : managers[writer].manager,
        .user = is_service ? "system:serviceaccount:ops:robot" : NULL,
        .old = {.body = "'spec':{'a':1}", .entries = {managers[previous_owner]}},
        .new = {.body = "'spec':{'a':2}", .entries = {managers[writer]}},
    };
    story.new.entries[0].manager = story.manager;
    story.new.entries[0].subresource = NULL;
    story.new.entries[0].time = NOW;
    return story;
}

static const struct finding *judge_takeover(void **state, const char *policy, int writer, int previous_owner)
{
    struct story story = takeover(writer, previous_owner);
    const struct verdict *verdict = judge_story(*state, policy, &story);
    return count_findings(verdict, RULE_ownership_conflict) ? finding_of(verdict, RULE_ownership_conflict)
                                                            : NULL;
}

static void expect_table(
    void **state, const char *policy, enum action table[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT])
{
    for (int writer = 0; writer < OWNING_CLASS_COUNT; writer++) {
        for (int previous_owner = 0; previous_owner < OWNING_CLASS_COUNT; previous_owner++) {
            if (!class_takes_from((enum manager_class)writer, (enum manager_class)previous_owner))
                continue;
            const struct finding *finding = judge_takeover(state, policy, writer, previous_owner);
            enum action action = finding ? finding->action : ACTION_OFF;
            if (action != table[writer][previous_owner])
                fail_msg(
                    "%s from %s is %s, not %s under: %s", manager_class_name((enum manager_class)writer),
                    manager_class_name((enum manager_class)previous_owner), action_name(action),
                    action_name(table[writer][previous_owner]), policy);
        }
    }
}

#define A ACTION_AUDIT
#define W ACTION_WARN
#define D ACTION_DENY
#define O ACTION_OFF

/* By the class of the writer, and in each row by that of the previous owner: applier, controller, ad-hoc,
 * unknown. */
#define TABLE(applier, controller, ad_hoc, operator)                                                         \
    {                                                                                                        \
        [CLASS_APPLIER] = {applier}, [CLASS_CONTROLLER] = {controller}, [CLASS_AD_HOC] = {ad_hoc},           \
        [CLASS_OPERATOR] =                                                                                   \
        { operator}                                                                                          \
    }
#define ROW(...) __VA_ARGS__
#define BASELINE_TABLE TABLE(ROW(W, W, A, W), ROW(W, A, A, A), ROW(W, A, A, A), ROW(W, A, A, A))
#define AUDIT_TABLE TABLE(ROW(A, A, A, A), ROW(A, A, A, A), ROW(A, A, A, A), ROW(A, A, A, A))

/* The table that the documentation shows, cell by cell. */
static void profiles_give_the_documented_table(void **state)
{
    enum action audit[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT] = AUDIT_TABLE;
    enum action baseline[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT] = BASELINE_TABLE;
    enum action strict[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT] =
        TABLE(ROW(D, D, A, W), ROW(W, A, A, A), ROW(D, W, A, W), ROW(W, A, A, A));
    expect_table(state, "profile: audit\n", audit);
    expect_table(state, BASELINE, baseline);
    expect_table(state, STRICT, strict);
    expect_table(state, "", baseline);
}

/* A cell of the policy changes that cell, and no other. */
static void takeover_sets_single_cells(void **state)
{
    enum action actions[] = {O, A, W, D};
    for (int cell = 0; cell < OWNING_CLASS_COUNT * OWNING_CLASS_COUNT; cell++) {
        enum action table[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT] = BASELINE_TABLE;
        int writer = cell / OWNING_CLASS_COUNT, previous_owner = cell % OWNING_CLASS_COUNT;
        if (!class_takes_from((enum manager_class)writer, (enum manager_class)previous_owner))
            continue;
        for (size_t i = 0; i < 4; i++) {
            char policy[128];
            snprintf(
                policy, sizeof(policy), "rules: {ownership-conflict: {takeover: {%s-from-%s: \"%s\"}}}\n",
                manager_class_name((enum manager_class)writer),
                manager_class_name((enum manager_class)previous_owner), action_name(actions[i]));
            table[writer][previous_owner] = actions[i];
            expect_table(state, policy, table);
        }
    }
}

/* The rule's action is a ceiling over all cells of the table. */
static void action_caps_the_table(void **state)
{
    enum action warn[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT] =
        TABLE(ROW(W, W, A, W), ROW(W, A, A, A), ROW(W, W, A, W), ROW(W, A, A, A));
    enum action audit[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT] = AUDIT_TABLE;
    enum action off[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT] =
        TABLE(ROW(O, O, O, O), ROW(O, O, O, O), ROW(O, O, O, O), ROW(O, O, O, O));
    expect_table(state, STRICT "rules: {ownership-conflict: {action: warn}}\n", warn);
    expect_table(state, STRICT "rules: {ownership-conflict: {action: audit}}\n", audit);
    expect_table(state, STRICT "rules: {ownership-conflict: {action: \"off\"}}\n", off);
}

/* Under profile audit nothing is said aloud, even where a cell asks for more. */
static void profile_audit_caps_the_cells(void **state)
{
    enum action audit[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT] = AUDIT_TABLE;
    expect_table(
        state, "profile: audit\nrules: {ownership-conflict: {takeover: {adhoc-from-applier: deny}}}\n",
        audit);
}

/* A line of the policy makes a controller of the name an applier, on both sides of the table. */
static void managers_of_the_policy_are_classed_by_it(void **state)
{
    static const char policy[] = STRICT "managers: [{name: \"hp*\", operation: Update, class: applier}]\n";
    assert_int_equal(judge_takeover(state, policy, CLASS_AD_HOC, CLASS_CONTROLLER)->action, ACTION_DENY);
    assert_int_equal(judge_takeover(state, policy, CLASS_CONTROLLER, CLASS_APPLIER)->action, ACTION_DENY);
    assert_int_equal(judge_takeover(state, STRICT, CLASS_AD_HOC, CLASS_CONTROLLER)->action, ACTION_WARN);
}

struct ignore_case {
    const char *pattern;
    bool ignored;
};

/* ignoreFields names fields, items by their keys, anything below, and [*] for any one element. */
static void ignored_fields_may_change_hands(void **state)
{
    static const struct ignore_case cases[] = {
        {".spec.containers[name=\\\"nginx\\\"].image", true},
        {".spec.containers[*].image", true},
        {".spec.containers[name=\\\"nginx\\\"]", true},
        {".spec.containers", true},
        {".spec", true},
        {".spec.containers[name=\\\"other\\\"].image", false},
        {".spec.containers[*].imagePullPolicy", false},
        {".spec.containers[*].ima", false},
        {".spec.container", false},
        {".spec.containers.image", false},
        {".spec.containers[*][*]", true},
        {".spec.containers[*][*].x", false},
        {".metadata", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char policy[200];
        snprintf(
            policy, sizeof(policy), "rules: {ownership-conflict: {ignoreFields: [\"%s\"]}}\n",
            cases[i].pattern);
        const struct verdict *verdict = judge_story(
            *state, policy,
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = "'spec':{'containers':[{'name':'nginx','image':'1'}]}",
                     .entries = {APPLIES("flux", ".spec.containers[name=nginx].image")}},
                .new =
                    {.body = "'spec':{'containers':[{'name':'nginx','image':'2'}]}",
                     .entries = {UPDATES("kubectl-edit", ".spec.containers[name=nginx].image")}},
            });
        if ((verdict->finding_count == 0) != cases[i].ignored)
            fail_msg("%s %s the image", cases[i].pattern, cases[i].ignored ? "does not cover" : "covers");
    }
}

/* Only the ignored ones of several lost fields are left out. */
static void ignored_fields_leave_the_others(void **state)
{
    expect_finding(
        judge_story(
            *state,
            "rules: {ownership-conflict: {ignoreFields: [\".metadata.annotations[*]\", .spec.replicas]}}\n",
            &(struct story){
                .manager = "kubectl-edit",
                .old =
                    {.body = "'spec':{'replicas':1,'paused':true}",
                     .annotations = "'a.b/c':'1'",
                     .entries = {APPLIES(
                         "flux", ".spec.replicas .spec.paused .metadata.annotations.{a.b/c}")}},
                .new =
                    {.body = "'spec':{'replicas':2,'paused':false}",
                     .annotations = "'a.b/c':'2'",
                     .entries = {UPDATES("kubectl-edit", ".spec.replicas")}},
            }),
        RULE_ownership_conflict, ACTION_WARN, ".spec.paused");
}

/* A request that only removes does not show its author: a person's, of which kapp may be the tool. */
static void unknown_writer_is_judged_by_its_user(void **state)
{
    const struct verdict *verdict = judge_story(
        *state, STRICT,
        &(struct story){
            .old =
                {.body = "'spec':{'a':1,'b':1}",
                 .entries = {APPLIES("flux", ".spec.a .spec.b"), UPDATES("kapp", ".spec.a")}},
            .new = {.body = "'spec':{'b':1}", .entries = {APPLIES("flux", ".spec.b")}},
        });
    expect_count(verdict, RULE_ownership_conflict, 2);
    const struct finding *finding = &verdict->findings[0];
    assert_int_equal(finding->action, ACTION_DENY);
    assert_int_equal(finding->previous_owner_total, 1);
    expect_part(finding->message, "this request removes a, but Flux undoes this");
    assert_int_equal(finding->writer.name.length, 0);
    assert_int_equal(verdict->findings[1].action, ACTION_AUDIT);
    expect_part(verdict->findings[1].message, "this request removes a, but the next kapp deploy undoes this");
}

/* A writer changes .spec.a, which the previous owner owned. */
static struct story taking(struct entry writer, struct entry previous_owner)
{
    return (struct story){
        .manager = writer.manager,
        .old = {.body = "'spec':{'a':1}", .entries = {previous_owner}},
        .new = {.body = "'spec':{'a':2}", .entries = {writer}},
    };
}

/* Argo CD writes under two names, and takes nothing from itself; Helm and Flux's helm-controller are two. */
static void tool_takes_nothing_from_itself(void **state)
{
    static const struct {
        const char *writer, *previous_owner;
        bool silent;
    } cases[] = {
        {"argocd-controller", "argocd-application-controller", true},
        {"argocd-application-controller", "argocd-controller", true},
        {"argocd-controller", "argocd", false},
        {"helm", "helm-controller", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = taking(
            (struct entry)UPDATES(cases[i].writer, ".spec.a", .time = NOW),
            (struct entry)UPDATES(cases[i].previous_owner, ".spec.a"));
        const struct verdict *verdict = judge_story(*state, STRICT, &story);
        expect_count(verdict, RULE_ownership_conflict, cases[i].silent ? 0 : 1);
    }
}

/* Moving an object from kubectl or Helm to a GitOps tool is meant: it is reported, and never refused. Once
 * the tool has an entry of its own, and the former one writes again, they fight as everybody does, and so do
 * tools that succeed each other unasked. */
static void adoption_is_warned_of_at_most(void **state)
{
    static const struct {
        const char *writer, *writer_operation, *previous_owner, *previous_owner_operation;
        enum action first; /* the writer has no entry yet */
        enum action since; /* it has one, and the previous owner has written since */
        enum action rests; /* it has one that is newer */
    } cases[] = {
        {"kustomize-controller", "Apply", "kubectl-client-side-apply", "Update", W, W, A},
        {"kustomize-controller", "Apply", "kubectl", "Apply", W, W, A},
        {"kustomize-controller", "Apply", "helm", "Update", W, D, A},
        {"kustomize-controller", "Apply", "Terraform", "Apply", W, D, A},
        {"kustomize-controller", "Apply", "argocd-controller", "Apply", D, D, D},
        {"flux-operator", "Apply", "kustomize-controller", "Apply", W, D, A},
        {"flux-operator", "Apply", "helm", "Update", W, D, A},
        {"timoni", "Apply", "helm", "Update", W, D, A},
        {"argocd-controller", "Apply", "kubectl-client-side-apply", "Update", W, W, A},
        {"argocd-controller", "Apply", "kubectl", "Apply", D, W, W},
        {"argocd-controller", "Apply", "kustomize-controller", "Apply", D, D, D},
        {"helm-controller", "Apply", "helm", "Update", W, D, A},
        {"helm-controller", "Apply", "kubectl-client-side-apply", "Update", W, W, A},
        {"helm", "Update", "kubectl-client-side-apply", "Update", W, W, A},
        {"helm", "Apply", "kubectl", "Apply", W, W, A},
        {"helm_v3", "Update", "kubectl-client-side-apply", "Update", W, W, A},
        {"helm", "Apply", "kustomize-controller", "Apply", D, D, D},
        {"kluctl", "Apply", "kubectl-client-side-apply", "Update", W, W, A},
        {"kluctl", "Apply", "kubectl", "Apply", W, W, A},
        {"kapp", "Update", "kubectl-client-side-apply", "Update", W, W, A},
        {"configsync.gke.io", "Apply", "kubectl", "Apply", W, W, A},
        {"configsync.gke.io", "Apply", "helm", "Update", W, D, A},
        {"kapp", "Update", "helm", "Update", W, D, A},
        {"terraform-provider-helm_v2.17.0_x5", "Update", "helm", "Update", W, D, A},
        {"HashiCorp", "Update", "helm", "Update", D, D, D},
        {"fleetagent", "Update", "kubectl-client-side-apply", "Update", D, W, W},
        {"kubevela", "Update", "kubectl", "Apply", D, W, W},
        {"work-agent", "Update", "helm", "Update", D, D, D},
        {"kubectl", "Apply", "helm", "Update", D, D, D},
        {"kubectl", "Apply", "kustomize-controller", "Apply", D, D, D},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct entry writer = {
            .manager = cases[i].writer, .operation = cases[i].writer_operation, .fields = ".spec.a"};
        const struct entry previous_owner = {
            .manager = cases[i].previous_owner,
            .operation = cases[i].previous_owner_operation,
            .fields = ".spec.a"};
        struct story story = taking(writer, previous_owner);
        expect_finding(
            judge_story(*state, STRICT, &story), RULE_ownership_conflict, cases[i].first, ".spec.a");
        story.old.entries[1] = writer;
        story.old.entries[1].fields = ".spec.b";
        expect_finding(
            judge_story(*state, STRICT, &story), RULE_ownership_conflict, cases[i].since, ".spec.a");
        story.old.entries[1].time = "2026-01-01T00:00:01Z";
        expect_finding(
            judge_story(*state, STRICT, &story), RULE_ownership_conflict, cases[i].rests, ".spec.a");
    }
}

/* A create under an unknown name owns the defaults, too; no manager declared them. */
static void defaults_of_an_unknown_owner_are_audited(void **state)
{
    struct story story = taking(
        (struct entry)UPDATES("kubectl-patch", ".spec.suspend"),
        (struct entry)UPDATES("foo", ".spec.suspend"));
    story.group = "batch";
    story.kind = "CronJob";
    story.old.body = "'spec':{'suspend':false}";
    story.new.body = "'spec':{'suspend':true}";
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, A, ".spec.suspend");
    story.old.body = "'spec':{'suspend':true}";
    story.new.body = "'spec':{'suspend':false}";
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, W, ".spec.suspend");
}

/* One tool under several names takes nothing from itself. */
static void names_of_one_tool_are_silent(void **state)
{
    static const char *const pairs[][2] = {
        {"helm", "helm.exe"},
        {"helm_v3", "helm"},
        {"helm", "helm3"},
        {"pulumi-kubernetes-1a2b", "pulumi-kubernetes"}};
    for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
        struct story story = taking(
            (struct entry)UPDATES(pairs[i][0], ".spec.a"), (struct entry)UPDATES(pairs[i][1], ".spec.a"));
        expect_silence(judge_story(*state, STRICT, &story), RULE_ownership_conflict);
    }
}

/* kubectl apply --field-manager=ci is kubectl apply: both keep one annotation, and neither is denied. */
static void kubectl_apply_under_another_name_is_warned_at_most(void **state)
{
    static const char configuration[] =
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web','namespace':'default'},"
        "'spec':{'a':1}}";
    static const char rewritten[] =
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web','namespace':'default'},"
        "'spec':{'a':2}}";
    struct story story = taking(
        (struct entry)UPDATES("kubectl-client-side-apply", ".spec.a " OWNS_LAST_APPLIED),
        (struct entry)UPDATES("ci", ".spec.a " OWNS_LAST_APPLIED));
    story.old.last_applied = configuration;
    story.new.last_applied = rewritten;
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, W, ".spec.a");
    story.old.entries[0].manager = "kubectl-client-side-apply";
    story.manager = story.new.entries[0].manager = "ci";
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, W, ".spec.a");
    /* Afterwards nothing shows any more that ci applied the rest of its fields. */
    story = taking(
        (struct entry)UPDATES("kubectl-client-side-apply", ".spec.a " OWNS_LAST_APPLIED),
        (struct entry)UPDATES("ci", ".spec.a"));
    story.old.last_applied = configuration;
    story.new.last_applied = rewritten;
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, W, ".spec.a");
}

#define CONFIGURATION(spec)                                                                                  \
    "{'apiVersion':'apps/"                                                                                   \
    "v1','kind':'Deployment','metadata':{'name':'web','namespace':'default'},'spec':" spec "}"

/* kubectl replace over kubectl apply, and whether it saves its manifest in the annotation. */
static struct story replacing(bool saves)
{
    struct story story = taking(
        (struct entry)UPDATES("kubectl-replace", ".spec.a", .time = NOW),
        (struct entry)UPDATES("kubectl-client-side-apply", ".spec.a .spec.b " OWNS_LAST_APPLIED));
    if (saves)
        story.new.entries[0].fields = ".spec.a .spec.b " OWNS_LAST_APPLIED;
    story.old.body = "'spec':{'a':1,'b':1}";
    story.new.body = "'spec':{'a':2,'b':1}";
    story.old.last_applied = CONFIGURATION("{'a':1,'b':1}");
    story.new.last_applied = saves ? CONFIGURATION("{'a':2,'b':1}") : story.old.last_applied;
    return story;
}

/* The next kubectl apply starts from the annotation, so it undoes nothing that kubectl replace declares
 * there. */
static void replace_that_saves_its_manifest_is_audited(void **state)
{
    struct story story = replacing(true);
    const struct finding *finding =
        expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, A, ".spec.a");
    expect_text(
        finding->message,
        "Deployment default/web: kubectl replace changes a, which kubectl apply applied before");
    /* The manifest no longer has the field, so it is removed. */
    story.new.body = "'spec':{'b':1}";
    story.new.last_applied = CONFIGURATION("{'b':1}");
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, A, ".spec.a");
    /* A default has come back: kubectl apply of a manifest that still has the field sets it again. */
    story.new.body = "'spec':{'a':2,'b':1}";
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, D, ".spec.a");
    story = replacing(false);
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, D, ".spec.a");
    /* kubectl edit also keeps the annotation up to date, but no manifest has the change. */
    story = replacing(true);
    story.manager = story.new.entries[0].manager = "kubectl-edit";
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, D, ".spec.a");
    /* Other owners do not start from the annotation. */
    story = replacing(true);
    story.old.entries[0] = (struct entry)APPLIES("kustomize-controller", ".spec.a .spec.b");
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, D, ".spec.a");
}

/* An operator has no manifest, whose name shows it: neither to change, nor to keep a field in. */
static void operator_without_a_manifest_is_told_so(void **state)
{
    static const char *const operators[] = {"widget-operator", "fooController", "cert-manager-cainjector"};
    for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
        struct story story = taking(
            (struct entry)APPLIES("kubectl", ".spec.a", .time = NOW),
            (struct entry)APPLIES(operators[i], ".spec.a"));
        expect_part(
            finding_of(judge_story(*state, BASELINE, &story), RULE_ownership_conflict)->message,
            "also sets; let only one of them set it");
        story = taking(
            (struct entry)UPDATES("kubectl-edit", ".spec.a", .time = NOW),
            (struct entry)APPLIES(operators[i], ".spec.a"));
        expect_part(
            finding_of(judge_story(*state, BASELINE, &story), RULE_ownership_conflict)->message,
            "manages and may set again; change the settings of that controller instead");
    }
    struct story story = taking(
        (struct entry)APPLIES("kubectl", ".spec.a", .time = NOW), (struct entry)APPLIES("ci", ".spec.a"));
    expect_part(
        finding_of(judge_story(*state, BASELINE, &story), RULE_ownership_conflict)->message,
        "also sets; keep it in one manifest");
}

/* The first apply under a name of one's own migrates, if it changes no value: kubectl then hands all over. */
static void first_apply_under_another_name_says_how_to_migrate(void **state)
{
    struct story story = taking(
        (struct entry)APPLIES("ci", ".spec.a", .time = NOW),
        (struct entry)UPDATES("kubectl-client-side-apply", ".spec.a"));
    expect_text(
        finding_of(judge_story(*state, STRICT, &story), RULE_ownership_conflict)->message,
        "Deployment default/web: ci overwrites a, which kubectl apply also sets; keep it in one manifest, or "
        "migrate: apply its present value first");
    /* A warning comes with an apply that has migrated. */
    expect_text(
        finding_of(judge_story(*state, BASELINE, &story), RULE_ownership_conflict)->message,
        "Deployment default/web: ci overwrites a, which kubectl apply also sets; keep it in one manifest");
    story.old.body = "'spec':{'a':1,'b':1}";
    story.new.body = "'spec':{'a':2,'b':2}";
    story.old.entries[0].fields = story.new.entries[0].fields = ".spec.a .spec.b";
    expect_text(
        finding_of(judge_story(*state, STRICT, &story), RULE_ownership_conflict)->message,
        "Deployment default/web: ci overwrites a and 1 more field, which kubectl apply also sets; keep each "
        "in "
        "one manifest, or migrate: apply their present values first");
    story.old.entries[1] = (struct entry)APPLIES("ci", ".spec.c");
    expect_text(
        finding_of(judge_story(*state, STRICT, &story), RULE_ownership_conflict)->message,
        "Deployment default/web: ci overwrites a and 1 more field, which kubectl apply also sets; keep each "
        "in "
        "one manifest");
    /* Back from server-side apply it is probably the same manifest. */
    story = taking(
        (struct entry)UPDATES("kubectl-client-side-apply", ".spec.a", .time = NOW),
        (struct entry)APPLIES("kubectl", ".spec.a"));
    expect_text(
        finding_of(judge_story(*state, STRICT, &story), RULE_ownership_conflict)->message,
        "Deployment default/web: kubectl apply overwrites a, which kubectl apply --server-side also sets; "
        "keep "
        "to one way: add --server-side");
}

/* A label that was written through the subresource status is not a controller's, but the status is. */
static void metadata_written_through_status_goes_by_the_name(void **state)
{
    static const struct {
        const char *manager, *fields;
        enum action action;
    } cases[] = {
        {"kubectl-patch", ".metadata.labels.a", A},
        {"foo", ".metadata.labels.a", W},
        {"kube-controller-manager", ".metadata.labels.a", D},
        {"kubectl-patch", ".status.a", D},
        {"foo", ".status.a", D},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = taking(
            (struct entry)APPLIES("kustomize-controller", cases[i].fields),
            (struct entry)UPDATES(cases[i].manager, cases[i].fields, .subresource = "status"));
        story.old.metadata = "'labels':{'a':'1'}";
        story.new.metadata = "'labels':{'a':'2'}";
        story.old.body = "'status':{'a':1}";
        story.new.body = "'status':{'a':2}";
        expect_finding(
            judge_story(*state, STRICT, &story), RULE_ownership_conflict, cases[i].action, cases[i].fields);
    }
}

/* An applier cannot leave a required field to a controller, and a vendor's chart fights its own controller.
 */
static void conflicts_that_an_applier_cannot_resolve_are_warned_at_most(void **state)
{
    static const struct {
        const char *group, *kind, *controller, *fields, *labels, *before, *after;
        enum action action;
    } cases[] = {
        {"apps", "Deployment", "openshift-controller-manager", ".spec.containers[name=a].image", "'a':'b'",
         "'spec':{'containers':[{'name':'a','image':'x'}]}",
         "'spec':{'containers':[{'name':'a','image':'y'}]}", W},
        {"apps", "Deployment", "openshift-controller-manager", ".spec.image", "'a':'b'",
         "'spec':{'image':'x'}", "'spec':{'image':'y'}", D},
        {"networking.istio.io", "VirtualService", "flagger", ".spec.http", "'a':'b'",
         "'spec':{'http':[{'weight':10}]}", "'spec':{'http':[{'weight':0}]}", W},
        {"argoproj.io", "Rollout", "rollouts-controller", ".spec.template.spec.containers", "'a':'b'",
         "'spec':{'template':{'spec':{'containers':[{'cpu':'1'}]}}}",
         "'spec':{'template':{'spec':{'containers':[{'cpu':'1000m'}]}}}", W},
        {"apps", "Deployment", "rollouts-controller", ".spec.replicas", "'a':'b'", "'spec':{'replicas':0}",
         "'spec':{'replicas':3}", D},
        {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", "pilot-discovery",
         ".webhooks[name=a].failurePolicy", "'app':'istiod'",
         "'webhooks':[{'name':'a','failurePolicy':'Fail'}]",
         "'webhooks':[{'name':'a','failurePolicy':'Ignore'}]", W},
        {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", "pilot-discovery",
         ".webhooks[name=a].failurePolicy", "'app':'shop'",
         "'webhooks':[{'name':'a','failurePolicy':'Fail'}]",
         "'webhooks':[{'name':'a','failurePolicy':'Ignore'}]", D},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char metadata[64];
        snprintf(metadata, sizeof(metadata), "'labels':{%s}", cases[i].labels);
        struct story story = taking(
            (struct entry)UPDATES("helm", cases[i].fields),
            (struct entry)UPDATES(cases[i].controller, cases[i].fields));
        story.group = cases[i].group;
        story.kind = cases[i].kind;
        story.old.metadata = story.new.metadata = metadata;
        story.old.body = cases[i].before;
        story.new.body = cases[i].after;
        const struct verdict *verdict = judge_story(*state, STRICT, &story);
        assert_int_equal(finding_of(verdict, RULE_ownership_conflict)->action, cases[i].action);
    }
}

/* Rancher's pages, dashboards and scripts write under names of their own: the writer is the request's user.
 */
static void unknown_names_write_as_their_user(void **state)
{
    static const struct {
        const char *user;
        enum action action;
    } cases[] = {
        {"alice", D},
        {"system:admin", D},
        {"system:serviceaccount:cattle-system:cattle", W},
        {"system:node:worker-1", W},
        {"eks:addon-manager", W}};
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = taking(
            (struct entry)UPDATES("agent", ".spec.a"),
            (struct entry)APPLIES("kustomize-controller", ".spec.a"));
        story.user = cases[i].user;
        expect_finding(
            judge_story(*state, STRICT, &story), RULE_ownership_conflict, cases[i].action, ".spec.a");
    }
}

/* Helm 3 says nowhere in a review what it declares. Changing a value that may be a default gets no finding,
 * such as an autoscaler's first scale; any other value was set. */
static void defaults_that_an_applier_only_owns_are_audited(void **state)
{
    static const struct {
        const char *before, *after;
        enum action action;
    } cases[] = {
        {"'spec':{'revisionHistoryLimit':10}", "'spec':{'revisionHistoryLimit':3}", ACTION_AUDIT},
        {"'spec':{'revisionHistoryLimit':5}", "'spec':{'revisionHistoryLimit':3}", ACTION_DENY},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = taking(
            (struct entry)UPDATES("kubectl-edit", ".spec.revisionHistoryLimit", .time = NOW),
            (struct entry)UPDATES("helm", ".spec.revisionHistoryLimit"));
        story.old.body = cases[i].before;
        story.new.body = cases[i].after;
        const struct finding *finding = expect_finding(
            judge_story(*state, STRICT, &story), RULE_ownership_conflict, cases[i].action,
            ".spec.revisionHistoryLimit");
        if (cases[i].action == ACTION_AUDIT)
            expect_text(
                finding->message,
                "Deployment default/web: kubectl edit changes revisionHistoryLimit, which Helm owns, but "
                "probably only as a default");
    }
}

/* Kueue owns nothing in the template of a Job that it starts, so it did not create it with its defaults. */
static void default_that_did_not_come_with_the_creation_counts(void **state)
{
    static const struct {
        const char *owned;
        enum action action;
    } cases[] = {
        {".spec.suspend", ACTION_WARN},
        {".spec.suspend .spec.template.spec.a", ACTION_AUDIT},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = taking(
            (struct entry)APPLIES("kustomize-controller", ".spec.suspend", .time = NOW),
            (struct entry)UPDATES("kueue", cases[i].owned));
        story.group = "batch";
        story.kind = "Job";
        story.old.body = "'spec':{'suspend':false,'template':{'spec':{'a':1}}}";
        story.new.body = "'spec':{'suspend':true,'template':{'spec':{'a':1}}}";
        story.new.entries[1] = (struct entry)UPDATES("kueue", ".spec.template.spec.a");
        expect_finding(
            judge_story(*state, STRICT, &story), RULE_ownership_conflict, cases[i].action, ".spec.suspend");
    }
}

/* The annotation of kubectl apply decides, not the look of the value. */
static void the_annotation_tells_what_was_left_to_a_default(void **state)
{
    static const struct {
        const char *last_applied, *before;
        enum action action;
    } cases[] = {
        {"{'spec':{'revisionHistoryLimit':10}}", "'spec':{'revisionHistoryLimit':10}", ACTION_DENY},
        {"{'spec':{'paused':true}}", "'spec':{'revisionHistoryLimit':10}", ACTION_AUDIT},
        {"{'spec':{'paused':true}}", "'spec':{'revisionHistoryLimit':5}", ACTION_AUDIT},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = taking(
            (struct entry)APPLIES("flux", ".spec.revisionHistoryLimit", .time = NOW),
            (struct entry)UPDATES(
                "kubectl-client-side-apply",
                ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "} .spec.revisionHistoryLimit"));
        story.old.last_applied = story.new.last_applied = cases[i].last_applied;
        story.old.body = cases[i].before;
        story.new.body = "'spec':{'revisionHistoryLimit':3}";
        expect_finding(
            judge_story(*state, STRICT, &story), RULE_ownership_conflict, cases[i].action,
            ".spec.revisionHistoryLimit");
    }
}

/* Kubernetes fills the rules of an aggregated ClusterRole by a forced apply; an apply that declares them
 * empties them, and gets a finding. */
static void rules_of_aggregated_roles_are_the_servers(void **state)
{
    static const struct {
        struct entry writer, previous_owner;
        const char *aggregation;
        enum action action;
    } cases[] = {
        {APPLIES("clusterrole-aggregation-controller", ".rules"), APPLIES("kubectl", ".rules"),
         "'aggregationRule':{},", ACTION_AUDIT},
        {APPLIES("kubectl", ".rules"), APPLIES("clusterrole-aggregation-controller", ".rules"),
         "'aggregationRule':{},", ACTION_WARN},
        {APPLIES("clusterrole-aggregation-controller", ".rules"), APPLIES("kubectl", ".rules"), "",
         ACTION_WARN},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char before[64], after[64];
        snprintf(before, sizeof(before), "%s'rules':[1]", cases[i].aggregation);
        snprintf(after, sizeof(after), "%s'rules':[2]", cases[i].aggregation);
        struct story story = taking(cases[i].writer, cases[i].previous_owner);
        story.group = "rbac.authorization.k8s.io";
        story.kind = "ClusterRole";
        story.old.body = before;
        story.new.body = after;
        expect_finding(
            judge_story(*state, STRICT, &story), RULE_ownership_conflict, cases[i].action, ".rules");
    }
}

/* Nothing undoes a change of what kube-controller-manager once made from a template, unless the policy knows
 * better. */
static void what_is_made_from_a_template_is_not_set_again(void **state)
{
    static const struct {
        const char *group, *kind, *subresource, *policy;
        enum action by_apply, by_edit;
    } cases[] = {
        {"", "Pod", NULL, STRICT, A, A},
        {"", "PersistentVolumeClaim", NULL, STRICT, A, A},
        {"batch", "Job", NULL, STRICT, A, A},
        {"batch", "Job", NULL, STRICT "managers: [{name: \"kube-*\", class: controller}]\n", D, W},
        {"batch", "Job", "scale", STRICT, D, W},
        {"apps", "ReplicaSet", NULL, STRICT, D, W},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        for (int is_edit = 0; is_edit < 2; is_edit++) {
            struct story story = takeover(is_edit ? CLASS_AD_HOC : CLASS_APPLIER, CLASS_CONTROLLER);
            story.group = cases[i].group;
            story.kind = cases[i].kind;
            story.old.entries[0].manager = "kube-controller-manager";
            story.old.entries[0].subresource = cases[i].subresource;
            const struct finding *finding = expect_finding(
                judge_story(*state, cases[i].policy, &story), RULE_ownership_conflict,
                is_edit ? cases[i].by_edit : cases[i].by_apply, ".spec.a");
            if (cases[i].by_edit == A)
                expect_part(finding->message, "a, which kube-controller-manager wrote");
        }
    }
}

/* A finalizer must go, even if another manager wants to keep it: an object under deletion is never refused or
 * scolded. */
static void object_under_deletion_is_audited_at_most(void **state)
{
    struct story story = takeover(CLASS_AD_HOC, CLASS_APPLIER);
    story.old.metadata = "'deletionTimestamp':'2026-01-01T00:00:00Z'";
    story.new.metadata = story.old.metadata;
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_AUDIT, ".spec.a");
    assert_true(verdict->allowed);
    /* A deletionTimestamp that a writer puts into a new object excuses nothing. */
    story.old.metadata = NULL;
    verdict = judge_story(*state, STRICT, &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_DENY, ".spec.a");
}

/* A new object has no owners, a deleted one no writer, and another door to it shows another object. */
static void other_requests_are_not_judged(void **state)
{
    struct story story = takeover(CLASS_AD_HOC, CLASS_APPLIER);
    static const char *const operations[] = {"DELETE", "CONNECT"};
    for (size_t i = 0; i < 2; i++) {
        story.operation = operations[i];
        expect_nothing(judge_story(*state, STRICT, &story));
    }
    story.operation = NULL;
    static const char *const subresources[] = {"scale", "status", "eviction"};
    for (size_t i = 0; i < 3; i++) {
        story.subresource = subresources[i];
        expect_nothing(judge_story(*state, STRICT, &story));
    }
    story.subresource = NULL;
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_DENY, ".spec.a");
    story.old.body = NULL;
    expect_silence(judge_story(*state, STRICT, &story), RULE_ownership_conflict);
}

/* The message says what to do about it, and that depends on who fights whom. */
static void message_says_what_follows(void **state)
{
    expect_text(
        judge_takeover(state, STRICT, CLASS_APPLIER, CLASS_APPLIER)->message,
        "Deployment default/web: Argo CD overwrites a, which Flux also sets; keep it in one manifest");
    expect_text(
        judge_takeover(state, STRICT, CLASS_AD_HOC, CLASS_APPLIER)->message,
        "Deployment default/web: kubectl edit changes a, but Flux undoes this at its next reconcile; change "
        "it in Git");
    expect_text(
        judge_takeover(state, BASELINE, CLASS_AD_HOC, CLASS_APPLIER)->message,
        "Deployment default/web: kubectl edit changes a, but Flux undoes this at its next reconcile; change "
        "it in Git, or suspend the Kustomization");
    expect_text(
        judge_takeover(state, STRICT, CLASS_APPLIER, CLASS_CONTROLLER)->message,
        "Deployment default/web: Flux overwrites a, which hpa (scale) controls and will set again; remove it "
        "from Git, or ignore it in the Kustomization (spec.ignore)");
    expect_text(
        judge_takeover(state, STRICT, CLASS_APPLIER, CLASS_AD_HOC)->message,
        "Deployment default/web: Flux overwrites a, which kubectl edit wrote");
}

/* Client-side, Helm leaves alone what its chart has not changed in a custom resource. */
static void helm_may_undo_changes_of_custom_resources(void **state)
{
    struct story story =
        taking((struct entry)UPDATES("kubectl-edit", ".spec.a"), (struct entry)UPDATES("helm", ".spec.a"));
    story.old.body = "'spec':{'a':2}";
    story.new.body = "'spec':{'a':3}";
    expect_text(
        finding_of(judge_story(*state, STRICT, &story), RULE_ownership_conflict)->message,
        "Deployment default/web: kubectl edit changes a, but the next helm upgrade undoes this; change the "
        "chart or its values");
    story.group = "example.com";
    story.kind = "Widget";
    expect_text(
        finding_of(judge_story(*state, STRICT, &story), RULE_ownership_conflict)->message,
        "Widget default/web: kubectl edit changes a, but the next helm upgrade may undo this; change the "
        "chart or its values");
}

/* The writer and the previous owners in the message, for one or two fields of one or two owners: what is said
 * agrees in number. */
struct sentence_case {
    struct entry writer;
    struct entry previous_owners[2];
    const char *after;   /* of a and b, which are 1 before */
    const char *message; /* behind the object's name */
};

#define BOTH ".spec.a .spec.b"

static void sentences_agree_in_number(void **state)
{
    static const struct sentence_case cases[] = {
        {APPLIES("argocd", BOTH),
         {APPLIES("flux", BOTH)},
         "'a':2,'b':2",
         "argocd overwrites a and 1 more field, which Flux also sets; keep each in one manifest"},
        {APPLIES("argocd", BOTH),
         {APPLIES("flux", BOTH), APPLIES("helm", BOTH)},
         "'a':2,'b':2",
         "argocd overwrites a and 1 more field, which Flux and Helm also set; keep each in one manifest"},
        {UPDATES("kubectl-client-side-apply", ".spec.b"),
         {APPLIES("kubectl", BOTH)},
         "'b':1",
         "kubectl apply removes a, which kubectl apply --server-side also sets and will set again; keep to "
         "one way: add --server-side"},
        {UPDATES("kubectl-client-side-apply", ".spec.b"),
         {APPLIES("flux", BOTH)},
         "'b':1",
         "kubectl apply removes a, which Flux also sets and will set again; use kubectl apply --server-side, "
         "which keeps it"},
        {UPDATES("helm", ".spec.c"),
         {APPLIES("flux", BOTH)},
         "'c':1",
         "Helm removes a and 1 more field, which Flux also sets and will set again; Helm 4 applies "
         "server-side and keeps them"},
        {UPDATES("helm", ".spec.c"),
         {UPDATES("flagger", BOTH)},
         "'a':1",
         "Helm removes b, which flagger controls and will set again; Helm 4 applies server-side and keeps "
         "it"},
        {APPLIES("argocd", ".spec.c"),
         {UPDATES("flagger", BOTH)},
         "'c':1",
         "argocd removes a and 1 more field, which flagger controls and will set again"},
        {APPLIES("argocd", BOTH),
         {UPDATES("flagger", BOTH)},
         "'a':2,'b':2",
         "argocd overwrites a and 1 more field, which flagger controls and will set again; remove them from "
         "the "
         "manifest"},
        {APPLIES("argocd", BOTH),
         {UPDATES("flagger", BOTH), UPDATES("keda", BOTH)},
         "'a':2,'b':2",
         "argocd overwrites a and 1 more field, which flagger and KEDA control and will set again; remove "
         "them from the manifest"},
        {APPLIES("argocd", BOTH),
         {UPDATES("flagger", BOTH), UPDATES("keda", BOTH)},
         "'a':2,'b':1",
         "argocd overwrites a, which flagger and KEDA control and will set again; remove it from the "
         "manifest"},
        {UPDATES("flagger", BOTH),
         {APPLIES("flux", BOTH)},
         "'a':2,'b':1",
         "flagger changes a, which Flux also sets; let only one of them set it"},
        {UPDATES("flagger", BOTH),
         {APPLIES("flux", BOTH), APPLIES("helm", BOTH)},
         "'a':2,'b':2",
         "flagger changes a and 1 more field, which Flux and Helm also set; let only one of them set each"},
        {UPDATES("flagger", BOTH),
         {UPDATES("keda", BOTH)},
         "'a':2,'b':2",
         "flagger changes a and 1 more field, which KEDA wrote"},
        {UPDATES("kubectl-edit", BOTH),
         {UPDATES("flagger", BOTH)},
         "'a':2,'b':2",
         "kubectl edit changes a and 1 more field, which flagger controls and may set again; change the "
         "settings "
         "of that controller instead"},
        {UPDATES("kubectl-edit", BOTH),
         {UPDATES("flagger", BOTH), UPDATES("keda", BOTH)},
         "'a':2,'b':2",
         "kubectl edit changes a and 1 more field, which flagger and KEDA control and may set again; change "
         "the settings of that controller instead"},
        {UPDATES("kubectl-edit", BOTH),
         {APPLIES("flux", BOTH), APPLIES("helm", BOTH)},
         "'a':2,'b':2",
         "kubectl edit changes a and 1 more field, which Flux and Helm manage: Flux undoes this at its next "
         "reconcile; change their manifests"},
        {UPDATES("kubectl-edit", BOTH),
         {UPDATES("helm", BOTH)},
         "'a':2,'b':2",
         "kubectl edit changes a and 1 more field, but the next helm upgrade undoes this; change the chart "
         "or its values"},
        {UPDATES("kubectl-edit", BOTH),
         {UPDATES("kubectl-patch", BOTH)},
         "'a':2,'b':2",
         "kubectl edit changes a and 1 more field, which kubectl patch wrote"},
        {UPDATES("kubectl-edit", ".spec.c"),
         {APPLIES("flux", BOTH)},
         "'c':1",
         "kubectl edit removes a and 1 more field, but Flux undoes this at its next reconcile; change it in "
         "Git"},
        {UPDATES("kubectl-edit", ".spec.a"),
         {APPLIES("flux", BOTH)},
         "'a':2",
         "kubectl edit changes or removes a and 1 more field, but Flux undoes this at its next reconcile; "
         "change it in Git"},
        {APPLIES("argocd", ".spec.a"),
         {UPDATES("kubectl-edit", BOTH)},
         "'a':2",
         "argocd overwrites or removes a and 1 more field, which kubectl edit wrote"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char after[64];
        snprintf(after, sizeof(after), "'spec':{%s}", cases[i].after);
        struct story story = {
            .manager = cases[i].writer.manager,
            .old =
                {.body = "'spec':{'a':1,'b':1}",
                 .entries = {cases[i].previous_owners[0], cases[i].previous_owners[1]}},
            .new = {.body = after, .entries = {cases[i].writer}},
        };
        story.new.entries[0].time = NOW;
        const struct verdict *verdict = judge_story(*state, STRICT, &story);
        char message[256];
        snprintf(message, sizeof(message), "Deployment default/web: %s", cases[i].message);
        expect_text(finding_of(verdict, RULE_ownership_conflict)->message, message);
    }
}

/* An autoscaler's replicas are handed over, not only left alone. */
static void replicas_of_an_autoscaler_say_the_way_out(void **state)
{
    static const char last_applied[] = "{'spec':{'replicas':3}}", before[] = "{'spec':{'replicas':4}}";
    static const struct {
        struct entry writer;
        const char *before, *after; /* the annotation */
        const char *message;
    } cases[] = {
        {APPLIES("kubectl", ".spec.replicas", .time = NOW), NULL, NULL,
         "kubectl apply --server-side overwrites replicas, which an autoscaler controls; remove replicas "
         "from the manifest: the autoscaler sets its own"},
        /* There the API server keeps the annotation up to date, and no tool reads it. */
        {APPLIES("kubectl", ".spec.replicas", .time = NOW), before, last_applied,
         "kubectl apply --server-side overwrites replicas, which an autoscaler controls; remove replicas "
         "from the manifest: the autoscaler sets its own"},
        /* The next client-side apply would delete what the annotation declares and the manifest does not. */
        {UPDATES("kubectl-client-side-apply", ".spec.replicas", .time = NOW), before, last_applied,
         "kubectl apply overwrites replicas, which an autoscaler controls; remove replicas with kubectl "
         "apply edit-last-applied, then from the manifest"},
        /* The same manifest once more, which leaves the annotation as it is. */
        {UPDATES("kubectl-client-side-apply", ".spec.replicas", .time = NOW), last_applied, last_applied,
         "kubectl apply overwrites replicas, which an autoscaler controls; remove replicas with kubectl "
         "apply edit-last-applied, then from the manifest"},
        {UPDATES("helm", ".spec.replicas", .time = NOW), NULL, NULL,
         "Helm overwrites replicas, which an autoscaler controls; take replicas out of the chart (many "
         "charts: autoscaling.enabled=true)"},
        /* Helm does not go by the annotation that kubectl left. */
        {UPDATES("helm", ".spec.replicas", .time = NOW), last_applied, last_applied,
         "Helm overwrites replicas, which an autoscaler controls; take replicas out of the chart (many "
         "charts: autoscaling.enabled=true)"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct story story = {
            .manager = cases[i].writer.manager,
            .old =
                {.body = "'spec':{'replicas':8}",
                 .last_applied = cases[i].before,
                 .entries = {UPDATES("kube-controller-manager", ".spec.replicas", .subresource = "scale")}},
            .new =
                {.body = "'spec':{'replicas':3}",
                 .last_applied = cases[i].after,
                 .entries = {cases[i].writer}},
        };
        char message[256];
        snprintf(message, sizeof(message), "Deployment default/web: %s", cases[i].message);
        expect_text(
            expect_finding(
                judge_story(*state, BASELINE, &story), RULE_ownership_conflict, ACTION_WARN, ".spec.replicas")
                ->message,
            message);
    }
}

/* kubectl apply --server-side on what kubectl apply declared is a way that is recommended, so none is denied
 * it. */
static void kubectl_may_migrate(void **state)
{
    const struct story story = {
        .manager = "kubectl",
        .old = {.body = "'spec':{'a':1}", .entries = {UPDATES("kubectl-client-side-apply", ".spec.a")}},
        .new = {.body = "'spec':{'a':2}", .entries = {APPLIES("kubectl", ".spec.a", .time = NOW)}},
    };
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_AUDIT, ".spec.a");
}

/* A manager that the policy calls a bookkeeper loses nothing to any writer. */
static void bookkeeping_loses_to_nobody(void **state)
{
    for (int writer = 0; writer < OWNING_CLASS_COUNT; writer++) {
        struct story story = takeover(writer, CLASS_APPLIER);
        story.old.entries[0].manager = "books";
        expect_silence(
            judge_story(*state, STRICT "managers: [{name: books, class: bookkeeping}]\n", &story),
            RULE_ownership_conflict);
    }
}

/* flux suspend stops a rollout that goes wrong: it is warned at most, and nothing else under that name is. */
static void flux_suspend_is_warned_at_most(void **state)
{
    static const struct {
        const char *group, *manager, *user, *before, *after, *fields;
        enum action action;
        bool is_advised; /* not to suspend the Kustomization, which is what the request does */
    } cases[] = {
        {"kustomize.toolkit.fluxcd.io", "flux", "alice", "'spec':{'suspend':false}",
         "'spec':{'suspend':true}", ".spec.suspend", ACTION_WARN, true},
        {"helm.toolkit.fluxcd.io", "flux", "alice", "'spec':{'suspend':true}", "'spec':{'suspend':false}",
         ".spec.suspend", ACTION_WARN, true},
        {"kustomize.toolkit.fluxcd.io", "kubectl-patch", "alice", "'spec':{'suspend':false}",
         "'spec':{'suspend':true}", ".spec.suspend", ACTION_DENY, false},
        {"batch", "flux", "alice", "'spec':{'suspend':false}", "'spec':{'suspend':true}", ".spec.suspend",
         ACTION_DENY, false},
        {"kustomize.toolkit.fluxcd.io", "flux", "alice", "'spec':{'path':'a','suspend':false}",
         "'spec':{'path':'b','suspend':true}", ".spec.path", ACTION_DENY, false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = {
            .group = cases[i].group,
            .kind = "Kustomization",
            .manager = cases[i].manager,
            .user = cases[i].user,
            .old = {.body = cases[i].before, .entries = {APPLIES("kustomize-controller", cases[i].fields)}},
            .new = {.body = cases[i].after, .entries = {UPDATES(cases[i].manager, cases[i].fields)}},
        };
        const struct finding *finding = expect_finding(
            judge_story(*state, STRICT, &story), RULE_ownership_conflict, cases[i].action, cases[i].fields);
        bool is_advised = contains(finding->message, "suspend the parent, or change Git");
        assert_true(is_advised == cases[i].is_advised);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(flux_suspend_is_warned_at_most),
        IN_COURT(profiles_give_the_documented_table),
        IN_COURT(takeover_sets_single_cells),
        IN_COURT(action_caps_the_table),
        IN_COURT(profile_audit_caps_the_cells),
        IN_COURT(managers_of_the_policy_are_classed_by_it),
        IN_COURT(ignored_fields_may_change_hands),
        IN_COURT(ignored_fields_leave_the_others),
        IN_COURT(unknown_writer_is_judged_by_its_user),
        IN_COURT(tool_takes_nothing_from_itself),
        IN_COURT(adoption_is_warned_of_at_most),
        IN_COURT(defaults_of_an_unknown_owner_are_audited),
        IN_COURT(names_of_one_tool_are_silent),
        IN_COURT(kubectl_apply_under_another_name_is_warned_at_most),
        IN_COURT(replace_that_saves_its_manifest_is_audited),
        IN_COURT(operator_without_a_manifest_is_told_so),
        IN_COURT(first_apply_under_another_name_says_how_to_migrate),
        IN_COURT(metadata_written_through_status_goes_by_the_name),
        IN_COURT(conflicts_that_an_applier_cannot_resolve_are_warned_at_most),
        IN_COURT(unknown_names_write_as_their_user),
        IN_COURT(defaults_that_an_applier_only_owns_are_audited),
        IN_COURT(default_that_did_not_come_with_the_creation_counts),
        IN_COURT(the_annotation_tells_what_was_left_to_a_default),
        IN_COURT(rules_of_aggregated_roles_are_the_servers),
        IN_COURT(what_is_made_from_a_template_is_not_set_again),
        IN_COURT(bookkeeping_loses_to_nobody),
        IN_COURT(object_under_deletion_is_audited_at_most),
        IN_COURT(other_requests_are_not_judged),
        IN_COURT(message_says_what_follows),
        IN_COURT(helm_may_undo_changes_of_custom_resources),
        IN_COURT(sentences_agree_in_number),
        IN_COURT(replicas_of_an_autoscaler_say_the_way_out),
        IN_COURT(kubectl_may_migrate),
    };
    return cmocka_run_group_tests_name("ownership-conflict", tests, NULL, NULL);
}
