/*
 * managedfields-rewritten: ownership is erased or moved by writing metadata.managedFields, with no value
 * changing.
 */
#include "base/array_size.h"
#include "policy/analysis/ownership_rewrites.h"
#include "tests/unit/numbered.h"
#include "tests/unit/review_builder.h"

#define BODY "'spec':{'a':1,'b':2,'c':{'d':[1]},'replicas':3}"

static struct story rewriting(const char *manager)
{
    return (struct story){.manager = manager, .old = {.body = BODY}, .new = {.body = BODY}};
}

static const struct finding *expect_rewritten(void **state, const struct story *story, const char *fields)
{
    expect_finding(judge_story(*state, STRICT, story), RULE_managedfields_rewritten, ACTION_DENY, fields);
    return expect_finding(
        judge_story(*state, BASELINE, story), RULE_managedfields_rewritten, ACTION_WARN, fields);
}

/* At any action: a controller or an unknown writer is warned at most. */
static const struct finding *expect_moved(void **state, const struct story *story)
{
    const struct verdict *verdict = judge_story(*state, STRICT, story);
    expect_count(verdict, RULE_managedfields_rewritten, 1);
    return finding_of(verdict, RULE_managedfields_rewritten);
}

/* The same trace as a webhook that puts a value back: warned, under strict as well. */
static const struct finding *expect_doubt(void **state, const struct story *story, const char *fields)
{
    expect_finding(judge_story(*state, BASELINE, story), RULE_managedfields_rewritten, ACTION_WARN, fields);
    return expect_finding(
        judge_story(*state, STRICT, story), RULE_managedfields_rewritten, ACTION_WARN, fields);
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_managedfields_rewritten);
}

/* kubectl patch with managedFields: [{}]: no field has an owner; the fields are all there were. */
static void stripping_fires(void **state)
{
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] = (struct entry)APPLIES("kubectl", ".spec.a");
    story.old.entries[1] = (struct entry)UPDATES("operator", ".spec.b", .api_version = "apps/v1beta1");
    const struct finding *finding = expect_rewritten(state, &story, "");
    expect_text(
        finding->message,
        "Deployment default/web: kubectl patch erases managedFields, so kubectl apply --server-side and "
        "operator no longer own any field; send none, or allow it in the policy");
    assert_int_equal(finding->previous_owner_count, 2);
    story.old.entries[1].manager = NULL;
    story.manager = NULL;
    finding = expect_rewritten(state, &story, "");
    expect_text(
        finding->message,
        "Deployment default/web: this request erases managedFields, so kubectl apply --server-side no longer "
        "owns any field; send none, or allow it in the policy");
}

/* Keys behind one that is not a path element are not compared, and the finding says so. */
static void malformed_fields_are_unjudged(void **state)
{
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] = (struct entry)APPLIES("kubectl", "{'f:spec':{'f:a':{}},'nonsense':{}}");
    expect_part(
        finding_of(
            judge_story(*state, STRICT "rules: {ownership-conflict: {action: off}}\n", &story), RULE_unjudged)
            ->message,
        "has a key that is not a path element");
}

/* The same along with a change: what changed is a conflict, the rest was stripped. */
static void stripping_beside_a_change_fires(void **state)
{
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] = (struct entry)APPLIES("kubectl", ".spec.a .spec.b");
    story.new.body = "'spec':{'a':1,'b':9}";
    story.new.entries[0] = (struct entry)UPDATES("kubectl-patch", ".spec.b", .time = NOW);
    expect_rewritten(state, &story, "");
    expect_finding(judge_story(*state, STRICT, &story), RULE_ownership_conflict, ACTION_DENY, ".spec.b");
}

/* A patch that puts another name over an entry. */
static void renaming_fires(void **state)
{
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.a .spec.c.d");
    story.new.entries[0] = (struct entry)APPLIES("argocd", ".spec.a .spec.c.d");
    const struct finding *finding = expect_rewritten(state, &story, ".spec.a .spec.c.d");
    expect_text(
        finding->message,
        "Deployment default/web: kubectl patch rewrites managedFields, so Flux no longer owns a and 1 more "
        "field; send none, or allow it in the policy");
}

/* Nor does it help to give no manager: an entry that was renamed keeps its time. */
static void renaming_by_an_unnamed_request_fires(void **state)
{
    struct story story = rewriting(NULL);
    story.old.entries[0] = (struct entry)UPDATES("operator", ".spec.a");
    story.new.entries[0] = (struct entry)UPDATES("somebody", ".spec.a");
    assert_false(expect_moved(state, &story)->has_writer);
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.a");
    story.new.entries[0] = (struct entry)APPLIES("argocd", ".spec.a");
    expect_moved(state, &story);
}

/*
 * An operator that has come to apply takes over what it wrote under its old name: that an Apply entry gains
 * does not make it an attended applier.
 */
static void an_unnamed_service_is_warned_at_most(void **state)
{
    struct story story = rewriting(NULL);
    story.old.entries[0] = (struct entry)APPLIES("new-operator", ".spec.a");
    story.old.entries[1] = (struct entry)UPDATES("manager", ".spec.a .spec.b");
    story.new.entries[0] = (struct entry)APPLIES("new-operator", ".spec.a .spec.b");
    assert_int_equal(expect_moved(state, &story)->action, ACTION_DENY);
    story.user = "system:serviceaccount:ops:operator";
    const struct finding *finding = expect_moved(state, &story);
    assert_int_equal(finding->action, ACTION_WARN);
    expect_text(
        finding->message,
        "Deployment default/web: this request rewrites managedFields, so manager no longer owns b; send "
        "none, or allow it in the policy");
    story.manager = "new-operator";
    assert_int_equal(expect_moved(state, &story)->action, ACTION_WARN);
    story.user = NULL;
    assert_int_equal(expect_moved(state, &story)->action, ACTION_DENY);
}

/* An exported object is put back: later managers have lost their fields. */
static void old_copy_fires(void **state)
{
    struct story story = rewriting("kubectl-replace");
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.a");
    story.old.entries[1] = (struct entry)UPDATES("kubectl-edit", ".spec.b");
    story.new.entries[0] = story.old.entries[0];
    expect_rewritten(state, &story, ".spec.b");
    /* Fields of an entry that stays. */
    story.old.entries[1] = (struct entry)UPDATES("kubectl-edit", ".spec.b .spec.replicas");
    story.new.entries[1] = (struct entry)UPDATES("kubectl-edit", ".spec.replicas");
    expect_rewritten(state, &story, ".spec.b");
}

/* A controller's field is not an applier's to migrate. */
static void taking_from_an_autoscaler_fires(void **state)
{
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] =
        (struct entry)UPDATES("kube-controller-manager", ".spec.replicas", .subresource = "scale");
    story.old.entries[1] = (struct entry)APPLIES("flux", ".spec.a");
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.a .spec.replicas");
    expect_rewritten(state, &story, ".spec.replicas");
}

/* Who moves what into its Apply entry, and under which name it sends the patch (NULL: under none). */
struct migration {
    const char *writer, *to, *from, *operation;
    const char *fields; /* of `from` */
};

#define LAST_APPLIED ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"

static struct story moving(const struct migration *migration)
{
    const char *fields = migration->fields ? migration->fields : ".spec.a .spec.b";
    struct story story = rewriting(migration->writer);
    story.old.entries[0] =
        (struct entry){.manager = migration->from, .operation = migration->operation, .fields = fields};
    story.new.entries[0] = (struct entry)APPLIES(migration->to, fields);
    return story;
}

/* One row of the table each, also where the tool's entry owned some of it, or all, already. */
static void known_moves_are_silent(void **state)
{
    static const struct migration migrations[] = {
        {"kubectl", "kubectl", "kubectl-client-side-apply", "Update", NULL},
        {"kustomize-controller", "kustomize-controller", "kubectl-edit", "Update", NULL},
        {"kustomize-controller", "kustomize-controller", "kubectl", "Apply", NULL},
        {"kustomize-controller", "kustomize-controller", "before-first-apply", "Update", NULL},
        {"kustomize-controller", "kustomize-controller", "kustomize-controller", "Update", NULL},
        {"timoni", "timoni", "kubectl", "Apply", NULL},
        {"timoni", "timoni", "helm", "Update", NULL},
        {NULL, "argocd-controller", "kubectl-client-side-apply", "Update", NULL},
        {NULL, "argocd-controller", "argocd-application-controller", "Update", NULL},
        {NULL, "pulumi-kubernetes-1a2b3c4d", "pulumi-resource-kubernetes", "Update", NULL},
        {"helm", "helm", "helm", "Update", NULL},
        {"helm", "helm", "kubectl-edit", "Update", NULL},
        {"helm", "helm", "werf", "Apply", NULL},
        {"kustomize-controller", "kustomize-controller", "my-tool", "Apply", NULL},
        {"flux-operator", "flux-operator", "kubectl-label", "Update", NULL},
        {"flux-operator", "flux-operator", "kustomize-controller", "Apply", NULL},
        {NULL, "argocd-controller", "helm", "Update", NULL},
        {NULL, "old-and-new", "old-and-new", "Update", NULL},
    };
    for (size_t i = 0; i < ARRAY_SIZE(migrations); i++) {
        struct story story = moving(&migrations[i]);
        expect_quiet(state, &story);
        story.old.entries[1] = (struct entry)APPLIES(migrations[i].to, ".spec.a");
        expect_quiet(state, &story);
        story.old.entries[1] = story.new.entries[0];
        expect_quiet(state, &story);
    }
}

/* An entry that goes to another manager is robbed of it, under any name in the request. */
static void other_moves_fire(void **state)
{
    static const struct migration migrations[] = {
        {"my-operator", "my-operator", "kubectl", "Apply", NULL},
        {"my-operator", "my-operator", "kubectl-edit", "Update", NULL},
        {"kubectl", "kubectl", "kustomize-controller", "Apply", NULL},
        {"kubectl", "kubectl", "operator", "Update", NULL},
        {"timoni", "timoni", "kustomize-controller", "Apply", NULL},
        {NULL, "argocd-controller", "kubectl", "Apply", NULL},
        {"helm", "helm", "kubectl", "Apply", NULL},
        {NULL, "provider", "old-provider", "Update", NULL},
    };
    for (size_t i = 0; i < ARRAY_SIZE(migrations); i++) {
        struct story story = moving(&migrations[i]);
        expect_moved(state, &story);
        /* Nor does a time of now help, or an entry of one's own from before. */
        story.new.entries[0].time = NOW;
        if (strcmp(migrations[i].operation, "Apply") == 0)
            expect_moved(state, &story);
        story.new.entries[0].time = BEFORE;
        story.old.entries[1] = (struct entry)APPLIES(migrations[i].to, ".spec.replicas");
        expect_moved(state, &story);
    }
}

/* To an Update entry of one's own, which was there before, it is the same. */
static void robbing_into_an_update_entry_fires(void **state)
{
    struct story story = rewriting("my-operator");
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.a .spec.c.d");
    story.old.entries[1] = (struct entry)UPDATES("my-operator", ".spec.b");
    story.new.entries[0] = (struct entry)UPDATES("my-operator", ".spec.a .spec.b .spec.c.d");
    expect_moved(state, &story);
}

/* Times come from the client, too: where a part of an entry moved, they decide on nothing. */
static void what_the_writer_owns_unchanged_is_in_doubt(void **state)
{
    static const char *const times[] = {BEFORE, NOW, ""};
    for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
        struct story story = rewriting("helm");
        story.old.entries[0] = (struct entry)APPLIES("argocd", ".spec.a .spec.b", .time = NOW);
        story.new.entries[0] = (struct entry)APPLIES("argocd", ".spec.a", .time = NOW);
        story.new.entries[1] = (struct entry)APPLIES("helm", ".spec.b", .time = times[i]);
        expect_text(
            expect_doubt(state, &story, ".spec.b")->message,
            "Deployment default/web: Helm now owns b in place of argocd, unchanged: it rewrites "
            "managedFields, or a mutating webhook put the old value back");
        story.old.entries[1] = (struct entry)APPLIES("helm", ".spec.c", .time = NOW);
        expect_doubt(state, &story, ".spec.b");
        story.new.entries[1].operation = "Update";
        expect_doubt(state, &story, ".spec.b");
    }
}

/* If a writer overwrites a whole entry, one value may have been put back. */
static void writing_over_a_whole_entry_is_in_doubt(void **state)
{
    struct story story = rewriting("kubectl-client-side-apply");
    story.old.entries[0] = (struct entry)APPLIES("kubectl", ".spec.a .spec.b .spec.replicas");
    story.new.body = "'spec':{'a':2,'b':3,'c':{'d':[1]},'replicas':3}";
    story.new.entries[0] =
        (struct entry)UPDATES("kubectl-client-side-apply", ".spec.a .spec.b .spec.replicas", .time = NOW);
    expect_doubt(state, &story, ".spec.replicas");
    story.old.entries[0] = (struct entry)UPDATES("kubectl-replace", ".spec.a .spec.replicas", .time = NOW);
    expect_doubt(state, &story, ".spec.replicas");
    /* Not two. */
    story.old.entries[0] = (struct entry)APPLIES("kubectl", ".spec.a .spec.b .spec.replicas");
    story.new.body = "'spec':{'a':1,'b':3,'c':{'d':[1]},'replicas':3}";
    expect_rewritten(state, &story, ".spec.a .spec.replicas");
}

/* All fields of an applier do not go to a writer, with any operation. */
static void the_whole_entry_of_an_applier_is_moved_by_hand(void **state)
{
    static const struct entry owners[] = {
        APPLIES("flux", ".spec.a .spec.b"),
        UPDATES("helm", ".spec.a .spec.b"),
        UPDATES("kubectl-client-side-apply", ".spec.a .spec.b"),
    };
    for (size_t i = 0; i < ARRAY_SIZE(owners); i++) {
        struct story story = rewriting("kubectl-patch");
        story.old.entries[0] = owners[i];
        story.new.entries[0] = (struct entry)UPDATES("kubectl-patch", ".spec.a .spec.b", .time = NOW);
        expect_rewritten(state, &story, ".spec.a .spec.b");
        story.new.entries[0].fields = ".spec.a .spec.b .spec.replicas";
        expect_rewritten(state, &story, ".spec.a .spec.b");
        story.new.entries[0].fields = ".spec.a";
        story.new.entries[1] = owners[i];
        story.new.entries[1].fields = ".spec.b";
        expect_doubt(state, &story, ".spec.a");
    }
}

/* An update takes no field whose value stays, nor does it come to share one. */
static void what_an_update_gains_unchanged_is_in_doubt(void **state)
{
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] = story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.a .spec.b");
    story.new.entries[1] = (struct entry)UPDATES("kubectl-patch", ".spec.a", .time = NOW);
    expect_text(
        expect_doubt(state, &story, ".spec.a")->message,
        "Deployment default/web: kubectl patch now owns a, unchanged: it rewrites managedFields, or a "
        "mutating "
        "webhook put the old value back");
    story.new.body = "'spec':{'a':1,'b':2,'c':{'d':[1]},'replicas':4}";
    story.new.entries[1].fields = ".spec.a .spec.b .spec.replicas";
    expect_doubt(state, &story, ".spec.a .spec.b");
    story.new.entries[1].fields = ".spec.replicas";
    expect_quiet(state, &story);
    /* Fields that it owned before, and the bare presence of a map. */
    story.old.entries[1] = (struct entry)UPDATES("kubectl-patch", ".spec.a");
    story.new.entries[1].fields = ".spec.a .spec.replicas .spec.c";
    story.old.entries[2] = story.new.entries[2] = (struct entry)UPDATES("other", ".spec.c.d");
    expect_quiet(state, &story);
    /* An apply shares what it declares. */
    story.new.entries[1] = (struct entry)APPLIES("kubectl-patch", ".spec.a .spec.b", .time = NOW);
    story.old.entries[1].manager = "third";
    expect_quiet(state, &story);
}

/* Managers do not gain fields by another manager's request. */
static void gains_of_others_fire(void **state)
{
    static const struct entry rivals[] = {
        APPLIES("team-b", ".spec.a .spec.b"),
        UPDATES("team-b", ".spec.a .spec.b"),
        UPDATES("flux", ".spec.a .spec.b"),
        APPLIES("flux", ".spec.a .spec.b", .subresource = "status"),
        APPLIES("before-first-apply", ".spec.a .spec.b"),
        UPDATES("before-first-apply", ".spec.a .spec.b"),
        UPDATES("ancient-changes", ".spec.a .spec.b"),
        UPDATES("kubectl-patch", ".spec.a .spec.b", .subresource = "scale"),
        UPDATES("kubectl-patch", ".spec.a .spec.b", .time = NOW, .api_version = "apps/v1beta1"),
    };
    for (size_t i = 0; i < ARRAY_SIZE(rivals); i++) {
        struct story story = rewriting("kubectl-patch");
        story.old.entries[0] = story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.a .spec.b");
        story.old.entries[1] = story.new.entries[1] =
            (struct entry)UPDATES("kubectl-patch", ".spec.replicas");
        story.new.entries[2] = rivals[i];
        bool is_own = i == ARRAY_SIZE(rivals) - 1;
        if (is_own)
            expect_doubt(state, &story, ".spec.a .spec.b");
        else
            expect_rewritten(state, &story, ".spec.a .spec.b");
    }
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.a");
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.a .spec.b");
    expect_text(
        expect_rewritten(state, &story, ".spec.b")->message,
        "Deployment default/web: kubectl patch rewrites managedFields, so Flux owns b, too; send none");
    /* Without a name, too, and without such a field. */
    story.manager = NULL;
    story.new.entries[0].fields = ".spec.a .spec.none";
    expect_rewritten(state, &story, ".spec.none");
}

/* A field that is added to the entry makes it no writer's, where the request names none. */
static void an_unnamed_request_does_not_strip_its_own(void **state)
{
    struct story story = rewriting(NULL);
    story.old.entries[0] = (struct entry)UPDATES("helm", ".spec.a .spec.b");
    story.new.entries[0] = (struct entry)UPDATES("helm", ".spec.none");
    expect_rewritten(state, &story, ".spec.a .spec.b");
    story.new.entries[0] = (struct entry)UPDATES("helm", ".spec.none .spec.b");
    expect_rewritten(state, &story, ".spec.a");
    story.manager = "helm";
    expect_quiet(state, &story);
    /* Nor does a tool move what it owns to a subresource. */
    story.manager = NULL;
    story.new.entries[0] = (struct entry)APPLIES("helm", ".spec.a .spec.b", .subresource = "status");
    expect_rewritten(state, &story, ".spec.a .spec.b");
}

/* An entry of a version that is converted no more is lost with the next request. */
static void another_version_fires(void **state)
{
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.a");
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.a", .api_version = "apps/v1beta1");
    expect_text(
        expect_rewritten(state, &story, "")->message,
        "Deployment default/web: kubectl patch rewrites managedFields, so what Flux owns is of another "
        "apiVersion; send none");
    story.manager = "flux";
    expect_quiet(state, &story);
    /* Flux gives all entries the version that it is about to apply. */
    story.manager = "kustomize-controller";
    expect_quiet(state, &story);
    story.old.entries[0] = (struct entry)UPDATES("kubectl-edit", ".spec.a", .api_version = "apps/v1beta1");
    story.new.entries[0] = (struct entry)UPDATES("kubectl-edit", ".spec.a");
    expect_quiet(state, &story);
    story.new.entries[0].fields = ".spec.a .spec.b";
    expect_rewritten(state, &story, ".spec.b");
    story.manager = "kubectl-patch";
    expect_rewritten(state, &story, ".spec.a .spec.b");
}

/* An entry of an older version is not dropped where others of that version stay. */
static void entries_of_a_served_version_are_not_dropped(void **state)
{
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.a", .api_version = "apps/v1beta1");
    story.old.entries[1] = story.new.entries[0] =
        (struct entry)UPDATES("other", ".spec.b", .api_version = "apps/v1beta1");
    expect_rewritten(state, &story, ".spec.a");
}

/* Nothing loses its last declaring owner. */
static void what_another_applier_declares_may_be_dropped(void **state)
{
    struct story story = rewriting(NULL);
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.a");
    story.old.entries[1] = story.new.entries[0] = (struct entry)APPLIES("argocd", ".spec.a .spec.b");
    expect_quiet(state, &story);
    story.old.entries[1] = story.new.entries[0] = (struct entry)UPDATES("helm", ".spec.a .spec.b");
    expect_quiet(state, &story);
    story.manager = "helm";
    expect_moved(state, &story);
    story.manager = NULL;
    story.old.entries[1] = story.new.entries[0] = (struct entry)UPDATES("kubectl-edit", ".spec.a .spec.b");
    expect_rewritten(state, &story, ".spec.a");
    /* Not one that came to declare it by the same request. */
    story.old.entries[1] = (struct entry)APPLIES("argocd", ".spec.b");
    story.new.entries[0] = (struct entry)APPLIES("argocd", ".spec.a .spec.b");
    expect_rewritten(state, &story, ".spec.a");
}

/* flux-operator migrate owner gives up fields that the former owner declared and that are not declared any
 * more. */
static void flux_operator_migrates_owners(void **state)
{
    struct story story = rewriting(NULL);
    story.old.entries[0] = (struct entry)APPLIES("kustomize-controller", ".spec.a .spec.b");
    story.old.entries[1] = story.new.entries[0] = (struct entry)APPLIES("helm-controller", ".spec.a");
    expect_quiet(state, &story);
    story.manager = "flux-operator-ctl";
    expect_quiet(state, &story);
    story.manager = "kubectl-patch";
    expect_rewritten(state, &story, ".spec.b");
    /* It gives nothing to the managers that stay. */
    story.manager = NULL;
    story.new.entries[0] = (struct entry)APPLIES("helm-controller", ".spec.a .spec.replicas");
    expect_rewritten(state, &story, ".spec.replicas");
}

/* The first apply to an object without managedFields makes up an owner, and no request else does. */
static void the_first_apply_is_silent(void **state)
{
    struct story story = rewriting("kubectl");
    story.new.entries[0] = (struct entry)APPLIES("kubectl", ".spec.a", .time = NOW);
    story.new.entries[1] = (struct entry)UPDATES("before-first-apply", ".spec.a .spec.b", .time = NOW);
    expect_quiet(state, &story);
    story.new.entries[1].manager = "team-b";
    expect_rewritten(state, &story, ".spec.a .spec.b");
    story.new.entries[1].manager = "before-first-apply";
    story.new.entries[0] = (struct entry)UPDATES("kubectl", ".spec.x", .time = NOW);
    expect_rewritten(state, &story, ".spec.a .spec.b");
}

/* An object that is created with the owners from elsewhere takes from no manager. */
static void creation_with_owners_is_warned(void **state)
{
    struct story story = rewriting("kubectl-create");
    story.old.body = NULL;
    story.new.entries[0] = (struct entry)UPDATES("kubectl-create", ".spec.a .spec.b");
    expect_quiet(state, &story);
    story.new.entries[1] = (struct entry)APPLIES("flux", ".spec.none");
    expect_doubt(state, &story, ".spec.none");
    story.manager = NULL;
    story.new.entries[0].manager = "velero-server";
    story.new.entries[0].time = NOW;
    expect_quiet(state, &story);
}

/* A CRD's atomic list becomes a list of items: its owner owns all of them. */
static void list_that_is_no_longer_atomic_is_silent(void **state)
{
    struct story story = rewriting("operator");
    story.old.body = story.new.body = "'spec':{'list':[{'name':'a','x':1}]}";
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.list");
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.list[name=a].name .spec.list[name=a].x");
    expect_quiet(state, &story);
}

/* A value without an owner afterwards may have been removed, and put back by a webhook: that looks the same.
 */
static void what_a_webhook_may_put_back_is_told(void **state)
{
    struct story story = rewriting("kubectl-label");
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.a .spec.b .spec.c.d");
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.a");
    expect_text(
        expect_rewritten(state, &story, ".spec.b .spec.c.d")->message,
        "Deployment default/web: kubectl label sends old managedFields, so Flux no longer owns b and 1 more "
        "field; send none, or allow it in the policy");
    story.old.entries[1] = story.new.entries[1] = (struct entry)UPDATES("operator", ".spec.b");
    expect_text(
        expect_rewritten(state, &story, ".spec.b .spec.c.d")->message,
        "Deployment default/web: kubectl label rewrites managedFields, so Flux no longer owns b and 1 more "
        "field; send none, or allow it in the policy");
}

/* Owners have lost a field that a writer leaves out and the API server puts back. */
static void what_the_server_puts_back_is_silent(void **state)
{
    static const char lost[] =
        ".spec.clusterIP .spec.clusterIPs .spec.healthCheckNodePort .spec.ipFamilies .spec.ipFamilyPolicy "
        ".spec.ports[port=80].nodePort";
    char before[256];
    snprintf(before, sizeof(before), "%s .spec.ports[port=80].port", lost);
    struct story story = rewriting("kubectl-replace");
    story.old.body = story.new.body =
        "'spec':{'clusterIP':'None','clusterIPs':['None'],'healthCheckNodePort':31000,'ipFamilies':['IPv4'],"
        "'ipFamilyPolicy':'SingleStack','ports':[{'port':80,'nodePort':30080}]}";
    story.kind = "Service";
    story.group = "";
    story.old.entries[0] = (struct entry)APPLIES("flux", before);
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.ports[port=80].port");
    expect_quiet(state, &story);
    story.new.entries[0].fields = ".spec.ipFamilyPolicy";
    expect_rewritten(state, &story, ".spec.ports[port=80].port");
    story.new.entries[0].fields = ".spec.ports[port=80].port";
    story.group = "example.com";
    expect_moved(state, &story);
    story = rewriting("kubectl-replace");
    story.old.body = story.new.body =
        "'spec':{'nodeName':'n','preemptionPolicy':'Never','priority':7,'tolerations':[{'key':'k'}]}";
    story.kind = "Pod";
    story.group = "";
    story.old.entries[0] = (struct entry)APPLIES(
        "flux", ".spec.nodeName .spec.preemptionPolicy .spec.priority .spec.tolerations");
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.nodeName");
    expect_quiet(state, &story);
    story.kind = "Service";
    expect_moved(state, &story);
}

/* A writer owns fields without a change that the API server fills in or stores in another form. */
static void what_the_server_fills_in_is_no_doubt(void **state)
{
    static const struct {
        const char *group, *kind, *field, *body;
    } cases[] = {
        {"", "Service", ".spec.ports[port=80].targetPort", "'spec':{'ports':[{'port':80,'targetPort':80}]}"},
        {"", "LimitRange", ".spec.limits", "'spec':{'limits':[{'max':{'cpu':'1'}}]}"},
        {"apps", "StatefulSet", ".spec.volumeClaimTemplates",
         "'spec':{'volumeClaimTemplates':[{'spec':{}}]}"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = rewriting("helm");
        story.group = cases[i].group;
        story.kind = cases[i].kind;
        story.old.body = story.new.body = cases[i].body;
        story.new.entries[0] = (struct entry)UPDATES("helm", cases[i].field, .time = NOW);
        expect_quiet(state, &story);
        story.new.entries[1] = (struct entry)UPDATES("team-b", cases[i].field);
        expect_moved(state, &story);
    }
    struct story story = rewriting("helm");
    story.old.body = story.new.body = cases[0].body;
    story.new.entries[0] = (struct entry)UPDATES("helm", cases[0].field, .time = NOW);
    expect_moved(state, &story);
}

/* A policy lets its own tools move, and maybe only some users. */
static void policy_adds_moves(void **state)
{
    static const struct migration migration = {"platform", "platform", "my-operator", "Apply", NULL};
    static const char *const silent[] = {
        STRICT "rules: {managedfields-rewritten: {moves: [{from: 'my-*', to: platform}]}}\n",
        STRICT "rules: {managedfields-rewritten: {moves: [{from: my-operator, to: platform, users: [bob, "
               "'al*']}]}}\n",
    };
    static const char *const told[] = {
        STRICT "rules: {managedfields-rewritten: {moves: [{from: platform, to: my-operator}]}}\n",
        STRICT "rules: {managedfields-rewritten: {moves: [{from: my-operator, to: platform, users: [bob]}]}}"
               "\n",
    };
    struct story story = moving(&migration);
    for (size_t i = 0; i < 2; i++) {
        expect_silence(judge_story(*state, silent[i], &story), RULE_managedfields_rewritten);
        expect_count(judge_story(*state, told[i], &story), RULE_managedfields_rewritten, 1);
    }
    /* A field without an owner afterwards has not moved. */
    story.new.entries[0].fields = ".spec.a";
    expect_count(judge_story(*state, silent[0], &story), RULE_managedfields_rewritten, 1);
}

/* werf and Nelm take their own fields out of all other entries. */
static void nelm_drops_what_it_owns_itself(void **state)
{
    struct story story = rewriting("helm");
    story.old.entries[0] = (struct entry)APPLIES("helm", ".spec.a");
    story.old.entries[1] = (struct entry)APPLIES("kubectl", ".spec.a");
    story.new.entries[0] = story.old.entries[0];
    expect_quiet(state, &story);
    story.old.entries[1].fields = ".spec.a .spec.b";
    expect_moved(state, &story);
}

/* Crossplane clears all entries of its client-side objects, applies, and throws away the entry that this
 * makes. */
static void crossplane_is_silent(void **state)
{
    static const char composed[] = "apiextensions.crossplane.io/composed/0123";
    struct story story = rewriting(NULL);
    story.old.entries[0] = (struct entry)UPDATES("crossplane", ".spec.a");
    story.old.entries[1] = (struct entry)UPDATES("kubectl-edit", ".spec.b");
    expect_nothing(judge_story(*state, STRICT, &story));
    /* Not so once it applies, and not by hand. */
    story.old.entries[2] = (struct entry)APPLIES(composed, ".spec.replicas");
    expect_moved(state, &story);
    story.old.entries[2].manager = NULL;
    story.manager = "kubectl-patch";
    expect_moved(state, &story);
    story = rewriting(NULL);
    story.old.entries[0] = (struct entry)APPLIES(composed, ".spec.a");
    story.old.entries[1] = (struct entry)UPDATES("before-first-apply", ".spec.a .spec.b");
    story.new.entries[0] = story.old.entries[0];
    expect_quiet(state, &story);
    story.old.entries[1].manager = "kubectl-edit";
    expect_moved(state, &story);
}

/* Cluster API hands labels and annotations to its second name, or makes a fresh start with that. */
static void cluster_api_is_silent(void **state)
{
    struct story story = rewriting(NULL);
    story.old.annotations = story.new.annotations = "'note':'1'";
    story.old.entries[0] = (struct entry)APPLIES("capi-machineset", ".spec.a .metadata.annotations.note");
    story.new.entries[0] = (struct entry)APPLIES("capi-machineset", ".spec.a");
    expect_quiet(state, &story);
    story.new.entries[0].fields = ".metadata.annotations.note";
    expect_moved(state, &story);
    story.old.entries[1] = (struct entry)UPDATES("manager", ".spec.b");
    story.new.entries[0] = (struct entry)APPLIES("capi-machineset-metadata", ".metadata.name");
    expect_quiet(state, &story);
    story.old.entries[1] = (struct entry)APPLIES("flux", ".spec.b");
    expect_moved(state, &story);
}

/* Velero puts back who owned what it restored, when it was saved, and clusterctl, when it was elsewhere. */
static void restored_owners_are_silent(void **state)
{
    static const char *const tools[] = {"velero-server", "clusterctl"};
    for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
        struct story story = rewriting(NULL);
        story.old.entries[0] = (struct entry)UPDATES(tools[i], ".spec.a .spec.b");
        story.new.entries[0] = (struct entry)UPDATES("kubectl-client-side-apply", ".spec.a");
        expect_quiet(state, &story);
    }
}

/* The status's reporter owns it again with the next report. */
static void lost_status_is_silent(void **state)
{
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] = (struct entry)UPDATES("operator", ".spec.a", .subresource = "status");
    story.old.entries[1] = story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.b");
    expect_quiet(state, &story);
}

/* The old client-side entry is ownership, too. */
static void removed_client_side_entry_fires(void **state)
{
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] = story.new.entries[0] = (struct entry)UPDATES("kubectl-label", ".spec.replicas");
    story.old.entries[1] = (struct entry)UPDATES("kubectl-client-side-apply", ".spec.a .spec.b");
    expect_rewritten(state, &story, ".spec.a .spec.b");
}

/*
 * The API server drops all where it cannot convert one entry of a custom resource: its doing, and not the
 * writer's. It can convert all of its own kinds.
 */
static void failed_conversion_is_the_servers(void **state)
{
    static const char policy[] = "rules: {managedfields-health: {action: deny}}\n";
    struct story story = rewriting("kubectl-annotate");
    story.group = "example.com";
    story.kind = "Widget";
    story.old.entries[0] = (struct entry)APPLIES("team", ".spec.a", .api_version = "example.com/v1beta1");
    story.old.entries[1] = (struct entry)APPLIES("flux", ".spec.b");
    const struct verdict *verdict = judge_story(*state, policy, &story);
    expect_silence(verdict, RULE_managedfields_rewritten);
    expect_part(
        expect_finding(verdict, RULE_managedfields_health, ACTION_WARN, "")->message,
        "the API server drops its managedFields");
    story.old.entries[0].api_version = NULL;
    expect_rewritten(state, &story, "");
}

/* Appliers let go of fields, share them, and take them by force; others write. */
static void common_writes_are_silent(void **state)
{
    struct story story = rewriting("flux");
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.a .spec.b");
    story.old.entries[1] = (struct entry)APPLIES("argocd", ".spec.b");
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.a", .time = NOW);
    story.new.entries[1] = story.old.entries[1];
    expect_quiet(state, &story);
    /* The only owner lets go of all. */
    story.old.entries[1].manager = NULL;
    story.new.entries[0].manager = NULL;
    expect_quiet(state, &story);
}

/* A value that another webhook puts back has still changed hands. */
static void value_put_back_is_in_doubt(void **state)
{
    for (int named = 0; named < 2; named++) {
        struct story story = rewriting(named ? "operator" : NULL);
        story.old.entries[0] = (struct entry)UPDATES("kubectl-set", ".spec.a");
        story.new.entries[0] = (struct entry)UPDATES("operator", ".spec.a", .time = NOW);
        expect_doubt(state, &story, ".spec.a");
    }
}

/* 1000m for 1 is the same value once it is stored: who adopts an object may take it by force. */
static void adoption_is_recorded(void **state)
{
    struct story story = rewriting("argocd-controller");
    story.old.entries[0] = (struct entry)UPDATES("terraform-provider-helm", ".spec.a .spec.b");
    story.new.entries[0] = (struct entry)UPDATES("terraform-provider-helm", ".spec.b");
    story.new.entries[1] = (struct entry)APPLIES("argocd-controller", ".spec.a", .time = NOW);
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_managedfields_rewritten, ACTION_AUDIT, ".spec.a");
}

/*
 * The API server adds an apiGroup to each subject, so an apply of the same manifest conflicts, and by force
 * it takes the whole list. No other value can be taken in this way, nor by an update.
 */
static void apply_by_force_of_another_form_is_in_doubt(void **state)
{
    struct story story = rewriting("team");
    story.old.body = story.new.body = "'subjects':[{'name':'a','apiGroup':'g'}],'roleRef':{'name':'b'}";
    story.old.entries[0] = (struct entry)APPLIES("kustomize-controller", ".subjects .roleRef", .time = NOW);
    story.new.entries[0] = (struct entry)APPLIES("team", ".subjects .roleRef", .time = NOW);
    const struct finding *finding = expect_finding(
        judge_story(*state, STRICT, &story), RULE_managedfields_rewritten, ACTION_WARN, ".roleRef .subjects");
    expect_text(
        finding->message,
        "Deployment default/web: team takes over .roleRef and 1 more field from Flux by force, because the "
        "manifest writes them in another form; keep each in one manifest");
    story.new.entries[0] = (struct entry)UPDATES("team", ".subjects .roleRef", .time = NOW);
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_managedfields_rewritten, ACTION_DENY, ".roleRef .subjects");
    story = rewriting("team");
    story.old.body = story.new.body = "'spec':{'a':1,'list':[1]}";
    story.old.entries[0] = (struct entry)APPLIES("kustomize-controller", ".spec.a .spec.list", .time = NOW);
    story.new.entries[0] = (struct entry)APPLIES("team", ".spec.a .spec.list", .time = NOW);
    expect_finding(judge_story(*state, STRICT, &story), RULE_managedfields_rewritten, ACTION_DENY, ".spec.a");
}

/* A quantity that is spelled otherwise conflicts, too, and is stored as it was. */
static void quantities_in_another_form_are_silent(void **state)
{
    struct story story = rewriting("team");
    story.old.body = story.new.body = "'spec':{'hard':{'pods':'1'},'capacity':{'storage':'1Gi'}}";
    story.old.entries[0] =
        (struct entry)APPLIES("kustomize-controller", ".spec.hard.pods .spec.capacity.storage", .time = NOW);
    story.new.entries[0] =
        (struct entry)APPLIES("team", ".spec.hard.pods .spec.capacity.storage", .time = NOW);
    expect_quiet(state, &story);
}

/*
 * The API server does not store the empty list that a client writes inside of an item, but counts it as a
 * change of the whole list. The loss of an applier is still reported.
 */
static void update_that_spells_what_is_not_stored_is_silent(void **state)
{
    struct story story = rewriting("kubectl-edit");
    story.old.body = story.new.body = "'spec':{'a':1,'list':[{'x':1}]}";
    story.old.entries[0] = (struct entry)UPDATES("kubectl-create", ".spec.a .spec.list", .time = BEFORE);
    story.new.entries[0] = (struct entry)UPDATES("kubectl-create", ".spec.a", .time = BEFORE);
    story.new.entries[1] = (struct entry)UPDATES("kubectl-edit", ".spec.list", .time = NOW);
    expect_quiet(state, &story);
    story.old.entries[0] =
        (struct entry)APPLIES("kustomize-controller", ".spec.a .spec.list", .time = BEFORE);
    story.new.entries[0] = (struct entry)APPLIES("kustomize-controller", ".spec.a", .time = BEFORE);
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_managedfields_rewritten, ACTION_WARN, ".spec.list");
}

/* Values that change or go are conflicts, not this. */
static void changed_values_are_silent(void **state)
{
    struct story story = rewriting("operator");
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.a .spec.c.d");
    story.new.body = "'spec':{'a':2,'b':2}";
    story.new.entries[0] = (struct entry)UPDATES("operator", ".spec.a", .time = NOW);
    expect_quiet(state, &story);
}

/* Moves that the API server makes itself: the cap on entries, and versions that are served no more. */
static void work_of_the_server_is_silent(void **state)
{
    struct story story = rewriting("kubectl-label");
    static const char *const others[] = {"c", "d", "e", "f", "g", "h", "i", "j"};
    story.old.entries[0] = (struct entry)UPDATES("first", ".spec.a");
    story.old.entries[1] = (struct entry)UPDATES("second", ".spec.b");
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        story.old.entries[2 + i] = story.new.entries[2 + i] = (struct entry)UPDATES(others[i], ".spec.x");
    story.new.entries[0] = (struct entry)UPDATES("ancient-changes", ".spec.a .spec.b");
    story.new.entries[1] = (struct entry)UPDATES("kubectl-label", ".metadata.labels.x", .time = NOW);
    expect_quiet(state, &story);
    story = rewriting("kubectl-label");
    story.old.entries[0] = (struct entry)UPDATES("operator", ".spec.a", .api_version = "apps/v1beta1");
    story.new.entries[0] = (struct entry)UPDATES("kubectl-label", ".metadata.labels.x", .time = NOW);
    expect_quiet(state, &story);
}

/* The server merges what is more than it keeps; an entry with that name below the limit was written by hand.
 */
static void merging_by_hand_fires(void **state)
{
    struct story story = rewriting("kubectl-patch");
    story.old.entries[0] = (struct entry)UPDATES("first", ".spec.a");
    story.old.entries[1] = (struct entry)UPDATES("second", ".spec.b");
    story.new.entries[0] = (struct entry)UPDATES("ancient-changes", ".spec.a .spec.b");
    story.new.entries[1] = (struct entry)UPDATES("kubectl-patch", ".metadata.labels.x", .time = NOW);
    expect_count(judge_story(*state, STRICT, &story), RULE_managedfields_rewritten, 1);
}

/* A CRD's list becomes atomic: the API server writes {} for all that was in it. */
static void atomic_list_is_silent(void **state)
{
    struct story story = rewriting("operator");
    story.old.body = story.new.body = "'spec':{'list':[{'name':'a','x':1}]}";
    story.old.entries[0] = (struct entry)APPLIES("flux", ".spec.list[name=a].name .spec.list[name=a].x");
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.list");
    expect_quiet(state, &story);
}

/* A bare membership says that a map is there; the annotations of tools are their own business. */
static void memberships_and_bookkeeping_are_silent(void **state)
{
    struct story story = rewriting("operator");
    story.old.annotations = story.new.annotations = "'deployment.kubernetes.io/revision':'1'";
    story.old.entries[0] = (struct entry)UPDATES(
        "kubectl-edit", ".spec.c .metadata.annotations.{deployment.kubernetes.io/revision}");
    story.old.entries[1] = (struct entry)APPLIES("flux", ".spec.c.d");
    story.old.entries[2] =
        (struct entry)APPLIES("kubectl-last-applied", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}");
    story.new.entries[0] = story.old.entries[1];
    expect_quiet(state, &story);
}

/* More than a finding lists is counted, and what several owned is named once. */
static void fields_are_bounded_and_named_once(void **state)
{
    char fields[4096] = "", body[4096] = "'spec':{";
    for (int i = 0; i < FINDING_FIELDS_MAX + 3; i++) {
        snprintf(fields + strlen(fields), sizeof(fields) - strlen(fields), "%s.spec.f%d", i ? " " : "", i);
        snprintf(body + strlen(body), sizeof(body) - strlen(body), "%s'f%d':1", i ? "," : "", i);
    }
    strcat(body, "}");
    struct story story = rewriting("kubectl-patch");
    story.old.body = story.new.body = body;
    story.old.entries[0] = (struct entry)APPLIES("flux", fields);
    story.old.entries[1] = (struct entry)APPLIES("team", ".spec.f0");
    story.new.entries[0] = (struct entry)APPLIES("argocd", fields);
    const struct finding *finding =
        finding_of(judge_story(*state, STRICT, &story), RULE_managedfields_rewritten);
    assert_int_equal(finding->field_count, FINDING_FIELDS_MAX);
    assert_in_range(finding->field_total, FINDING_FIELDS_MAX + 3, FINDING_FIELDS_MAX + 4);
    assert_int_equal(finding->previous_owner_count, 2);
    story.old.entries[0].fields = ".spec.f0";
    finding = expect_finding(
        judge_story(*state, STRICT, &story), RULE_managedfields_rewritten, ACTION_DENY, ".spec.f0");
    assert_int_equal(finding->field_total, 1);
}

/* An old copy of the object is put back, in which three managers own nothing of what they owned. */
static const struct finding *rewrite_many(void **state, int count)
{
    char *body = numbered("'data':{", "'k#':'v'", count, "}");
    char *fields = numbered("{'f:data':{", "'f:k#':{}", count, "}}");
    const struct finding *finding = finding_of(
        judge_story(
            *state, STRICT,
            &(struct story){
                .manager = "restore",
                .old =
                    {.body = body,
                     .entries = {APPLIES("a", fields), APPLIES("b", fields), APPLIES("c", fields)}},
                .new = {.body = body, .entries = {UPDATES("other", ".spec.x")}},
            }),
        RULE_managedfields_rewritten);
    free(body);
    free(fields);
    return finding;
}

/* A field that several lose is one field, however many there are. */
static void fields_of_several_are_counted_once(void **state)
{
    const struct finding *finding = rewrite_many(state, 40);
    assert_int_equal(finding->field_total, 40);
    assert_int_equal(finding->previous_owner_total, 3);
    expect_part(finding->message, "no longer own .data.k000 and 39 more fields");
}

/* If there are more than are distinguished, the message says that the number is not complete, and names all
 * previous owners. */
static void fields_beyond_the_limit_are_at_least(void **state)
{
    const struct finding *finding = rewrite_many(state, REWRITES_MAX + 10);
    assert_int_equal(finding->field_total, REWRITES_MAX);
    assert_int_equal(finding->previous_owner_total, 3);
    expect_part(finding->message, "and at least 1023 more fields");
}

/*
 * kubectl scale to the number that the object has splits its owner's entry in two of one identity, of which
 * the API server keeps the last one with the next write.
 */
static void what_a_scale_to_the_same_number_splits_is_silent(void **state)
{
    const struct entry number = UPDATES("kubectl-client-side-apply", ".spec.replicas", .time = "");
    const struct entry rest = UPDATES("kubectl-client-side-apply", ".spec.paused .spec.minReadySeconds");
    struct story story = {
        .manager = "kubectl-label",
        .old = {.body = "'spec':{'replicas':4,'paused':true,'minReadySeconds':1}", .entries = {number, rest}},
        .new =
            {.body = "'spec':{'replicas':4,'paused':true,'minReadySeconds':1}",
             .metadata = "'labels':{'a':'b'}",
             .entries = {rest, UPDATES("kubectl-label", ".metadata.labels.a", .time = NOW)}},
    };
    expect_quiet(state, &story);
    /* The owner itself writes. */
    story.manager = "kubectl-client-side-apply";
    story.new.metadata = NULL;
    story.new.body = "'spec':{'replicas':4,'paused':false,'minReadySeconds':1}";
    story.new.entries[0].time = NOW;
    story.new.entries[1] = (struct entry){0};
    expect_quiet(state, &story);
    /* Among many entries, too. */
    story.manager = "kubectl-label";
    story.new.entries[0].time = NULL;
    story.new.body = story.old.body;
    story.new.entries[1] = (struct entry)UPDATES("kubectl-label", ".metadata.labels.a", .time = NOW);
    static char names[20][8];
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        snprintf(names[i], sizeof(names[i]), "m%zu", i);
        story.old.entries[2 + i] = story.new.entries[2 + i] = (struct entry)APPLIES(names[i], ".spec.paused");
    }
    expect_quiet(state, &story);
    /* The last one counts: who erases that is reported. */
    story.new.entries[0] = number;
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_managedfields_rewritten, ACTION_DENY,
        ".spec.minReadySeconds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(what_a_scale_to_the_same_number_splits_is_silent),
        IN_COURT(stripping_fires),
        IN_COURT(malformed_fields_are_unjudged),
        IN_COURT(stripping_beside_a_change_fires),
        IN_COURT(renaming_fires),
        IN_COURT(renaming_by_an_unnamed_request_fires),
        IN_COURT(an_unnamed_service_is_warned_at_most),
        IN_COURT(old_copy_fires),
        IN_COURT(taking_from_an_autoscaler_fires),
        IN_COURT(known_moves_are_silent),
        IN_COURT(other_moves_fire),
        IN_COURT(robbing_into_an_update_entry_fires),
        IN_COURT(what_the_writer_owns_unchanged_is_in_doubt),
        IN_COURT(writing_over_a_whole_entry_is_in_doubt),
        IN_COURT(the_whole_entry_of_an_applier_is_moved_by_hand),
        IN_COURT(what_an_update_gains_unchanged_is_in_doubt),
        IN_COURT(gains_of_others_fire),
        IN_COURT(an_unnamed_request_does_not_strip_its_own),
        IN_COURT(another_version_fires),
        IN_COURT(entries_of_a_served_version_are_not_dropped),
        IN_COURT(what_another_applier_declares_may_be_dropped),
        IN_COURT(flux_operator_migrates_owners),
        IN_COURT(the_first_apply_is_silent),
        IN_COURT(creation_with_owners_is_warned),
        IN_COURT(list_that_is_no_longer_atomic_is_silent),
        IN_COURT(what_the_server_puts_back_is_silent),
        IN_COURT(what_the_server_fills_in_is_no_doubt),
        IN_COURT(what_a_webhook_may_put_back_is_told),
        IN_COURT(policy_adds_moves),
        IN_COURT(nelm_drops_what_it_owns_itself),
        IN_COURT(crossplane_is_silent),
        IN_COURT(cluster_api_is_silent),
        IN_COURT(restored_owners_are_silent),
        IN_COURT(lost_status_is_silent),
        IN_COURT(removed_client_side_entry_fires),
        IN_COURT(failed_conversion_is_the_servers),
        IN_COURT(common_writes_are_silent),
        IN_COURT(value_put_back_is_in_doubt),
        IN_COURT(adoption_is_recorded),
        IN_COURT(apply_by_force_of_another_form_is_in_doubt),
        IN_COURT(quantities_in_another_form_are_silent),
        IN_COURT(update_that_spells_what_is_not_stored_is_silent),
        IN_COURT(changed_values_are_silent),
        IN_COURT(work_of_the_server_is_silent),
        IN_COURT(merging_by_hand_fires),
        IN_COURT(atomic_list_is_silent),
        IN_COURT(memberships_and_bookkeeping_are_silent),
        IN_COURT(fields_are_bounded_and_named_once),
        IN_COURT(fields_of_several_are_counted_once),
        IN_COURT(fields_beyond_the_limit_are_at_least),
    };
    return cmocka_run_group_tests_name("managedfields-rewritten", tests, NULL, NULL);
}
