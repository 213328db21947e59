/*
 * undone-change: what kubectl adds to an object of Flux or Timoni is theirs to remove, and goes when they
 * next apply. The writer gets the warning while another way is still open.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define FLUX "kustomize-controller"
#define OPTION(value) "'kustomize.toolkit.fluxcd.io/ssa':'" value "'"

/* An object that `applier` applies with .spec.a, and a user sets more of it. */
static struct story set_by(const char *applier, const char *writer, const char *body, const char *fields)
{
    struct entry of_applier = APPLIES(applier, ".spec.a .spec.ports[port=80].port");
    return (struct story){
        .manager = writer,
        .old = {.body = "'spec':{'a':1,'ports':[{'port':80}]}", .entries = {of_applier}},
        .new = {.body = body, .entries = {of_applier, UPDATES(writer, fields, .time = NOW)}},
    };
}

#define SUSPENDED "'spec':{'a':1,'ports':[{'port':80}],'suspend':true}"

static struct story suspended_by(const char *writer)
{
    return set_by(FLUX, writer, SUSPENDED, ".spec.suspend");
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_undone_change);
}

/* The classic: a CronJob is suspended by hand, and runs again after the next reconcile. */
static void what_flux_absorbs_fires(void **state)
{
    struct story story = suspended_by("kubectl-patch");
    expect_text(
        expect_finding(
            judge_story(*state, BASELINE, &story), RULE_undone_change, ACTION_WARN, ".spec.suspend")
            ->message,
        "Deployment default/web: kubectl patch changes suspend, but Flux undoes this unless suspended; "
        "change it in Git, or use --field-manager=flux-client-side-apply");
    expect_finding(judge_story(*state, STRICT, &story), RULE_undone_change, ACTION_WARN, ".spec.suspend");
}

/* The control plane fills these rules, and ownership-conflict reports who takes them. */
static void rules_of_an_aggregated_role_are_silent(void **state)
{
    struct story story = {
        .group = "rbac.authorization.k8s.io",
        .kind = "ClusterRole",
        .manager = "kubectl-patch",
        .old =
            {.body = "'rules':[1],'aggregationRule':{'a':1}",
             .entries = {APPLIES(FLUX, ".aggregationRule.a")}},
        .new =
            {.body = "'rules':[],'aggregationRule':{'a':1}",
             .entries =
                 {APPLIES(FLUX, ".aggregationRule.a"), UPDATES("kubectl-patch", ".rules", .time = NOW)}},
    };
    expect_quiet(state, &story);
    story.old.body = "'rules':[1],'a':1";
    story.new.body = "'rules':[],'a':1";
    expect_finding(judge_story(*state, STRICT, &story), RULE_undone_change, ACTION_WARN, ".rules");
}

/* Timoni does the same, but does not reconcile. */
static void what_timoni_absorbs_fires(void **state)
{
    struct story story = set_by("timoni", "kubectl-edit", SUSPENDED, ".spec.suspend");
    const struct finding *finding = expect_finding(
        judge_story(*state, BASELINE, &story), RULE_undone_change, ACTION_WARN, ".spec.suspend");
    expect_part(finding->message, "but Timoni undoes this");
}

/* A list item and what it holds is one field; in a map that the applier also fills, the added fields are
 * reported. */
static void added_items_and_members_fire(void **state)
{
    struct story story = set_by(
        FLUX, "kubectl-edit", "'spec':{'a':1,'ports':[{'port':80},{'port':81,'name':'x'}]}",
        ".spec.ports[port=81]. .spec.ports[port=81].port .spec.ports[port=81].name");
    expect_finding(
        judge_story(*state, BASELINE, &story), RULE_undone_change, ACTION_WARN, ".spec.ports[port=81]");
    story = set_by(
        FLUX, "kubectl-edit", "'spec':{'a':1,'ports':[{'port':80,'name':'x'}]}", ".spec.ports[port=80].name");
    expect_finding(
        judge_story(*state, BASELINE, &story), RULE_undone_change, ACTION_WARN, ".spec.ports[port=80].name");
}

/* A field that was set by hand before and gets another value now is undone as well; what stands is not new.
 * */
static void changed_again_fires_and_standing_is_silent(void **state)
{
    struct story story = suspended_by("kubectl-patch");
    story.old.body = "'spec':{'a':1,'ports':[{'port':80}],'suspend':false}";
    story.old.entries[1] = (struct entry)UPDATES("kubectl-patch", ".spec.suspend");
    expect_finding(judge_story(*state, BASELINE, &story), RULE_undone_change, ACTION_WARN, ".spec.suspend");
    story.old.body = SUSPENDED;
    expect_quiet(state, &story);
}

/* A manager that Flux does not absorb keeps its fields: its own way out, other tools, kubectl scale. */
static void what_is_not_absorbed_is_silent(void **state)
{
    static const char *const writers[] = {"flux-client-side-apply", "k9s", "oc", "node-fetch", "operator"};
    for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
        struct story story = suspended_by(writers[i]);
        expect_quiet(state, &story);
    }
    struct story story = suspended_by("kubectl-patch");
    story.new.entries[1].subresource = "scale";
    expect_quiet(state, &story);
}

/* helm-controller and Argo CD keep what others add; without an applier, nothing removes it. */
static void other_appliers_are_silent(void **state)
{
    static const char *const appliers[] = {"argocd-controller", "helm-controller", "kubectl", "flux"};
    for (size_t i = 0; i < ARRAY_SIZE(appliers); i++) {
        struct story story = set_by(appliers[i], "kubectl-patch", SUSPENDED, ".spec.suspend");
        expect_quiet(state, &story);
    }
    struct story story = suspended_by("kubectl-patch");
    story.old.entries[0].operation = story.new.entries[0].operation = "Update";
    expect_quiet(state, &story);
}

/* ownership-conflict reports the fields that Flux declares. */
static void declared_fields_are_left_to_another_rule(void **state)
{
    struct story story = set_by(FLUX, "kubectl-edit", "'spec':{'a':2,'ports':[{'port':80}]}", ".spec.a");
    story.new.entries[0].fields = ".spec.ports[port=80].port";
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_DENY, ".spec.a");
    expect_silence(verdict, RULE_undone_change);
}

/* A map that Flux declares as one value is its own with all that is in it. */
static void members_of_a_declared_value_are_silent(void **state)
{
    struct story story =
        set_by(FLUX, "kubectl-edit", "'spec':{'a':{'b':1},'ports':[{'port':80}]}", ".spec.a.b");
    story.old.body = "'spec':{'a':{},'ports':[{'port':80}]}";
    expect_quiet(state, &story);
}

/* Flux leaves the object alone with these values, in any case; IfNotPresent only where Flux itself declares
 * it. */
static void objects_that_are_left_alone_are_silent(void **state)
{
    static const char *const options[] = {
        OPTION("Merge"), OPTION("merge"), OPTION("Ignore"),
        "'kustomize.toolkit.fluxcd.io/reconcile':'disabled'"};
    struct story story;
    for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
        story = suspended_by("kubectl-patch");
        story.new.annotations = options[i];
        expect_quiet(state, &story);
    }
    story = suspended_by("kubectl-patch");
    story.new.metadata = "'labels':{" OPTION("Merge") "}";
    expect_quiet(state, &story);
    story = suspended_by("kubectl-patch");
    story.old.annotations = story.new.annotations = OPTION("IfNotPresent");
    expect_count(judge_story(*state, BASELINE, &story), RULE_undone_change, 1);
    story.old.entries[0].fields = story.new.entries[0].fields =
        ".spec.a .metadata.annotations.{kustomize.toolkit.fluxcd.io/ssa}";
    expect_quiet(state, &story);
    story.old.annotations = story.new.annotations = OPTION("Override");
    expect_count(judge_story(*state, BASELINE, &story), RULE_undone_change, 1);
}

/* Timoni leaves alone what it declares to be made once; words that look alike say nothing. */
static void objects_of_timoni_that_are_made_once_are_silent(void **state)
{
    static const struct {
        const char *value, *declared;
        size_t findings;
    } cases[] = {
        {"'action.timoni.sh/one-off':'enabled'", ".spec.a .metadata.annotations.{action.timoni.sh/one-off}",
         0},
        {"'action.timoni.sh/one-off':'Enabled'", ".spec.a .metadata.annotations.{action.timoni.sh/one-off}",
         0},
        {"'action.timoni.sh/one-off':'enablex'", ".spec.a .metadata.annotations.{action.timoni.sh/one-off}",
         1},
        {"'action.timoni.sh/one-off':'enabled'", ".spec.a", 1},
        {OPTION("Merge"), ".spec.a", 1},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = set_by("timoni", "kubectl-edit", SUSPENDED, ".spec.suspend");
        story.old.annotations = story.new.annotations = cases[i].value;
        story.old.entries[0].fields = story.new.entries[0].fields = cases[i].declared;
        expect_count(judge_story(*state, BASELINE, &story), RULE_undone_change, cases[i].findings);
    }
}

/* flux reconcile sets an annotation that has done its work once it is set. */
static void requests_to_reconcile_are_silent(void **state)
{
    struct story story = set_by(
        FLUX, "kubectl-annotate", "'spec':{'a':1,'ports':[{'port':80}]}",
        ".metadata.annotations.{reconcile.fluxcd.io/requestedAt}");
    story.new.annotations = "'reconcile.fluxcd.io/requestedAt':'now'";
    expect_quiet(state, &story);
    /* The object had no annotations, so that kubectl owns the map, too. */
    story.new.entries[1].fields =
        ".metadata.annotations. .metadata.annotations.{reconcile.fluxcd.io/forceAt} "
        ".metadata.annotations.{reconcile.fluxcd.io/resetAt}";
    story.new.annotations = "'reconcile.fluxcd.io/forceAt':'now','reconcile.fluxcd.io/resetAt':'now'";
    expect_quiet(state, &story);
    story.new.entries[1].fields = ".metadata.annotations. .metadata.annotations.note";
    story.new.annotations = "'note':'x'";
    expect_finding(
        judge_story(*state, BASELINE, &story), RULE_undone_change, ACTION_WARN, ".metadata.annotations.note");
}

/* With another apiVersion, one field may have two names: nothing is known of it. */
static void other_versions_are_silent(void **state)
{
    struct story story = suspended_by("kubectl-patch");
    story.old.entries[0].api_version = story.new.entries[0].api_version = "apps/v1beta1";
    expect_quiet(state, &story);
}

/* A field that Flux absorbs is not an orphan: the same fields are reported once, to their writer. */
static void absorbed_fields_are_no_orphans(void **state)
{
    static const struct {
        const char *writer;
        size_t orphans;
    } cases[] = {{"kubectl-patch", 0}, {"k9s", 1}};
    for (size_t i = 0; i < 2; i++) {
        struct story story = suspended_by(cases[i].writer);
        story.manager = FLUX;
        story.old = story.new;
        story.old.metadata = story.new.metadata = "'creationTimestamp':'2025-12-31T23:59:59Z'";
        story.new.entries[0].time = NOW;
        expect_count(judge_story(*state, STRICT, &story), RULE_orphaned_fields, cases[i].orphans);
    }
}

/* Flux Operator takes over kubectl's fields as Flux does, and not the fields of k9s. */
static void what_flux_operator_absorbs_fires(void **state)
{
    struct story story = set_by("flux-operator", "kubectl-patch", SUSPENDED, ".spec.suspend");
    const struct finding *finding =
        expect_finding(judge_story(*state, STRICT, &story), RULE_undone_change, ACTION_WARN, ".spec.suspend");
    expect_part(finding->message, "but Flux Operator undoes this unless reconciliation is disabled");
    story = set_by("flux-operator", "k9s", SUSPENDED, ".spec.suspend");
    expect_quiet(state, &story);
}

#define RESTARTED_AT ".spec.template.metadata.annotations.{kubectl.kubernetes.io/restartedAt}"
#define RESTARTED                                                                                            \
    "'spec':{'a':1,'template':{'metadata':{'annotations':{'kubectl.kubernetes.io/restartedAt':'x'}}}}"

/* A date that the pods were restarted at belongs in no manifest: it is neither to be added nor deleted. */
static void restarts_get_advice_of_their_own(void **state)
{
    static const char *const appliers[] = {FLUX, "flux-operator", "timoni"};
    for (size_t i = 0; i < ARRAY_SIZE(appliers); i++) {
        struct story story = set_by(appliers[i], "kubectl-rollout", RESTARTED, RESTARTED_AT);
        const struct verdict *verdict = judge_story(*state, STRICT, &story);
        const struct finding *finding = finding_of(verdict, RULE_undone_change);
        expect_count(verdict, RULE_undone_change, 1);
        expect_part(finding->message, ", and the pods restart again; use ");
        assert_false(contains(finding->message, "manifest"));
    }
    /* Beside another field it is reported by itself. */
    struct story story = set_by(
        FLUX, "kubectl-edit",
        "'spec':{'a':1,'suspend':true,'template':{'metadata':{'annotations':{"
        "'kubectl.kubernetes.io/restartedAt':'x'}}}}",
        ".spec.suspend " RESTARTED_AT);
    expect_count(judge_story(*state, STRICT, &story), RULE_undone_change, 2);
}

#define KAPP_BODY "'spec':{'a':1,'paused':false}"
#define KAPP_OWNS ".metadata.annotations.{kapp.k14s.io/original} .spec.a .spec.paused"
#define ORIGINAL(name)                                                                                       \
    "'kapp.k14s.io/original':'{\\'kind\\':\\'Deployment\\',\\'metadata\\':{\\'name\\':\\'" name              \
    "\\'},\\'spec\\':{\\'a\\':1}}'"

/* An object that kapp deploys with .spec.a, and whose other fields are defaults. */
static struct story over_kapp(const char *writer, const char *body, const char *fields)
{
    struct entry of_kapp = UPDATES("kapp", KAPP_OWNS);
    struct story story = {
        .manager = writer,
        .old = {.body = KAPP_BODY, .annotations = ORIGINAL("web"), .entries = {of_kapp}},
        .new = {.body = body, .annotations = ORIGINAL("web"), .entries = {of_kapp}},
    };
    story.new.entries[1] = (struct entry)UPDATES(writer, fields, .time = NOW);
    return story;
}

/* kapp sends the whole object: fields that are added by hand are removed, under any writer's name. */
static void what_kapp_replaces_fires(void **state)
{
    static const char *const writers[] = {"kubectl-patch", "kubectl-edit", "k9s", "oc", "Headlamp"};
    for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
        struct story story = over_kapp(writers[i], "'spec':{'a':1,'paused':false,'b':2}", ".spec.b");
        const struct finding *finding =
            expect_finding(judge_story(*state, STRICT, &story), RULE_undone_change, ACTION_WARN, ".spec.b");
        expect_part(
            finding->message,
            " changes b, but the next kapp deploy undoes this; change its manifest, or keep the field with a "
            "rebase rule");
    }
    /* A default that kapp owns and does not declare. */
    struct story story = over_kapp("kubectl-patch", "'spec':{'a':1,'paused':true}", ".spec.paused");
    story.new.entries[0].fields = ".metadata.annotations.{kapp.k14s.io/original} .spec.a";
    expect_finding(judge_story(*state, STRICT, &story), RULE_undone_change, ACTION_WARN, ".spec.paused");
    story = over_kapp("kubectl-rollout", RESTARTED, RESTARTED_AT);
    expect_part(
        finding_of(judge_story(*state, STRICT, &story), RULE_undone_change)->message,
        "but the next kapp deploy undoes this, and the pods restart again; keep the field with a rebase "
        "rule");
}

/* ownership-conflict reports the fields that kapp declares; what it copies from the cluster stays. */
static void what_kapp_keeps_is_silent(void **state)
{
    struct story story = over_kapp("kubectl-patch", "'spec':{'a':2,'paused':false}", ".spec.a");
    story.new.entries[0].fields = ".metadata.annotations.{kapp.k14s.io/original} .spec.paused";
    expect_quiet(state, &story);
    story = over_kapp("kubectl-patch", KAPP_BODY, ".metadata.finalizers[=x]");
    story.new.metadata = "'finalizers':['x']";
    expect_quiet(state, &story);
    story = over_kapp("kubectl-patch", "'spec':{'a':1,'paused':false,'caBundle':'x'}", ".spec.caBundle");
    expect_quiet(state, &story);
    /* A controller has its rebase rule, or fights: that is for another rule. */
    story = over_kapp("kube-controller-manager", "'spec':{'a':1,'paused':false,'b':2}", ".spec.b");
    story.user = "system:serviceaccount:kube-system:deployment-controller";
    expect_quiet(state, &story);
    /* kubectl edit on all that the editor shows. */
    story = over_kapp("kubectl-edit", KAPP_BODY, ".metadata.annotations.{kapp.k14s.io/original}");
    story.new.annotations = ORIGINAL("web") ",'kapp.k14s.io/identity':'x'";
    story.new.entries[1].fields = ".metadata.annotations.{kapp.k14s.io/identity}";
    expect_quiet(state, &story);
    /* The annotation is a copy, or gone. */
    story = over_kapp("kubectl-patch", "'spec':{'a':1,'paused':false,'b':2}", ".spec.b");
    story.old.annotations = story.new.annotations = ORIGINAL("other");
    expect_quiet(state, &story);
    story.old.annotations = story.new.annotations = NULL;
    expect_quiet(state, &story);
    story.old.annotations = story.new.annotations = ORIGINAL("web") ",'kapp.k14s.io/update-strategy':'skip'";
    expect_quiet(state, &story);
}

/* An object that Argo CD replaces: which of its fields are defaults is not written down. */
static struct story over_argocd(const char *writer, const char *body, const char *fields)
{
    struct entry of_argocd = UPDATES("argocd-application-controller", ".spec.a .spec.suspend");
    struct story story = {
        .manager = writer,
        .old = {.body = "'spec':{'a':7,'suspend':false}", .entries = {of_argocd}},
        .new = {.body = body, .entries = {UPDATES("argocd-application-controller", ".spec.a")}},
    };
    story.new.entries[1] = (struct entry)UPDATES(writer, fields, .time = NOW);
    return story;
}

static void what_argocd_replaces_fires(void **state)
{
    struct story story = over_argocd("k9s", "'spec':{'a':7,'suspend':false,'b':2}", ".spec.b");
    story.new.entries[0].fields = ".spec.a .spec.suspend";
    const struct finding *finding =
        expect_finding(judge_story(*state, STRICT, &story), RULE_undone_change, ACTION_WARN, ".spec.b");
    expect_part(
        finding->message,
        " changes b, but Argo CD (Replace=true) undoes this at its next sync; change it in Git, or drop "
        "the sync option Replace=true");
    story = over_argocd("kubectl-patch", "'spec':{'a':7,'suspend':true}", ".spec.suspend");
    expect_finding(judge_story(*state, STRICT, &story), RULE_undone_change, ACTION_WARN, ".spec.suspend");
    /* Declared, as no default is 7. */
    story = over_argocd("kubectl-patch", "'spec':{'a':8,'suspend':false}", ".spec.a");
    story.new.entries[0].fields = ".spec.suspend";
    expect_quiet(state, &story);
}

/* Under the same name Argo CD does other things. */
static void what_argocd_does_not_replace_is_silent(void **state)
{
    struct story story = over_argocd("k9s", "'spec':{'a':7,'suspend':false,'b':2}", ".spec.b");
    struct story other = story;
    other.group = "argoproj.io";
    expect_quiet(state, &other);
    other.group = "rbac.authorization.k8s.io";
    expect_quiet(state, &other);
    other = story;
    other.old.entries[1] = (struct entry)APPLIES("argocd-controller", ".spec.a");
    expect_quiet(state, &other);
    other = story;
    other.old.last_applied = other.new.last_applied = "{'spec':{'a':7}}";
    expect_quiet(state, &other);
    other = story;
    other.old.entries[0].fields = ".metadata.finalizers[=argocd.argoproj.io/hook-finalizer]";
    expect_quiet(state, &other);
}

/* The advice of this rule, another name, would be denied: ownership-conflict says what helps. */
static void data_that_flux_declares_as_string_data_is_left_to_another_rule(void **state)
{
    struct entry of_flux = APPLIES(FLUX, ".stringData.a");
    struct story story = {
        .group = "",
        .kind = "Secret",
        .manager = "kubectl-patch",
        .old = {.body = "'data':{'a':'MQ=='}", .entries = {of_flux}},
        .new =
            {.body = "'data':{'a':'Mg=='}",
             .entries = {of_flux, UPDATES("kubectl-patch", ".data.a", .time = NOW)}},
    };
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_silence(verdict, RULE_undone_change);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_DENY, ".data.a");
    story.new.body = "'data':{'a':'MQ==','b':'Mg=='}";
    story.new.entries[1].fields = ".data.b";
    expect_finding(judge_story(*state, STRICT, &story), RULE_undone_change, ACTION_WARN, ".data.b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(what_flux_absorbs_fires),
        IN_COURT(rules_of_an_aggregated_role_are_silent),
        IN_COURT(what_timoni_absorbs_fires),
        IN_COURT(added_items_and_members_fire),
        IN_COURT(changed_again_fires_and_standing_is_silent),
        IN_COURT(what_is_not_absorbed_is_silent),
        IN_COURT(other_appliers_are_silent),
        IN_COURT(declared_fields_are_left_to_another_rule),
        IN_COURT(data_that_flux_declares_as_string_data_is_left_to_another_rule),
        IN_COURT(members_of_a_declared_value_are_silent),
        IN_COURT(objects_that_are_left_alone_are_silent),
        IN_COURT(objects_of_timoni_that_are_made_once_are_silent),
        IN_COURT(requests_to_reconcile_are_silent),
        IN_COURT(other_versions_are_silent),
        IN_COURT(absorbed_fields_are_no_orphans),
        IN_COURT(what_flux_operator_absorbs_fires),
        IN_COURT(restarts_get_advice_of_their_own),
        IN_COURT(what_kapp_replaces_fires),
        IN_COURT(what_kapp_keeps_is_silent),
        IN_COURT(what_argocd_replaces_fires),
        IN_COURT(what_argocd_does_not_replace_is_silent),
    };
    return cmocka_run_group_tests_name("undone-change", tests, NULL, NULL);
}
