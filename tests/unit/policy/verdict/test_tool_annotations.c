/*
 * Annotations of other tools, each honoured for what it means to its tool and no more: an annotation that
 * counts too easily silences a fight.
 */
#include "base/array_size.h"
#include "tests/unit/numbered.h"
#include "tests/unit/review_builder.h"

#define HONOUR(tool) STRICT "waivers: {honour: [" tool "]}\n"
#define FORCE "'kluctl.io/force-apply':'true'"
#define OWNS(key) " .metadata.annotations.{" key "}"
#define SSA "kustomize.toolkit.fluxcd.io/ssa"
#define RECONCILE "kustomize.toolkit.fluxcd.io/reconcile"
#define OPTIONS "argocd.argoproj.io/sync-options"

/* A tool, which has applied the object before, applies a field that helm applies too. */
static struct story take(const char *manager, const char *annotations, const char *owned)
{
    return (struct story){
        .manager = manager,
        .old =
            {.body = "'spec':{'a':1,'b':1}",
             .entries = {APPLIES("helm", ".spec.a .spec.b"), APPLIES(manager, ".spec.b")}},
        .new =
            {.body = "'spec':{'a':2,'b':1}",
             .annotations = annotations,
             .entries = {APPLIES("helm", ".spec.b"), APPLIES(manager, owned)}},
    };
}

/* Somebody edits a field that a tool applies. */
static struct story give(const char *manager, const char *annotations, const char *owned)
{
    return (struct story){
        .manager = "kubectl-edit",
        .old =
            {.body = "'spec':{'a':1,'b':1}",
             .annotations = annotations,
             .entries = {APPLIES(manager, owned)}},
        .new =
            {.body = "'spec':{'a':2,'b':1}",
             .annotations = annotations,
             .entries = {APPLIES(manager, ".spec.b"), UPDATES("kubectl-edit", ".spec.a")}},
    };
}

/* `by`: the annotation that waives it; NULL: none does. */
static void expect_waived_by(void **state, const char *policy, const struct story *story, const char *by)
{
    const struct finding *finding = finding_of(judge_story(*state, policy, story), RULE_ownership_conflict);
    expect_text(finding->waived_by, by ? by : "");
    assert_int_equal(finding->action, by ? ACTION_AUDIT : ACTION_DENY);
}

/* Only where the policy honours the tool; another tool's annotation is nothing to it. */
static void annotation_needs_the_policy(void **state)
{
    struct story story = take("kluctl", FORCE, ".spec.a" OWNS("kluctl.io/force-apply"));
    expect_waived_by(state, STRICT, &story, NULL);
    expect_waived_by(state, HONOUR("flux, argocd"), &story, NULL);
    expect_waived_by(state, STRICT "waivers: {rules: [ownership-conflict]}\n", &story, NULL);
    expect_waived_by(state, HONOUR("flux, kluctl"), &story, "kluctl.io/force-apply");
}

/* The tool's own manager takes, by an apply: another writer who puts the annotation on the object gains
 * nothing. */
static void only_the_tool_itself_takes(void **state)
{
    static const char owned[] = ".spec.a" OWNS("kluctl.io/force-apply");
    struct story story = take("argocd-controller", FORCE, owned);
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
    story = take("kluctl-2", FORCE, owned);
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
    story = take("kluctl", FORCE, owned);
    story.new.entries[1] = (struct entry)UPDATES("kluctl", ".spec.a" OWNS("kluctl.io/force-apply"));
    assert_int_equal(
        finding_of(judge_story(*state, HONOUR("kluctl"), &story), RULE_ownership_conflict)->waived_by.length,
        0);
}

/* An annotation that another writer put on the object is not in the tool's manifest. */
static void annotation_must_be_declared_by_the_tool(void **state)
{
    struct story story = take("kluctl", FORCE, ".spec.a");
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
    story.new.entries[2] = (struct entry)UPDATES("kubectl-annotate", OWNS("kluctl.io/force-apply"));
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
}

static void expect_kluctl(void **state, const char *key, const char *value, bool waived)
{
    char annotations[256], owned[256];
    snprintf(annotations, sizeof(annotations), "'%s':'%s'", key, value);
    snprintf(owned, sizeof(owned), ".spec.a .metadata.annotations.{%s}", key);
    struct story story = take("kluctl", annotations, owned);
    expect_waived_by(state, HONOUR("kluctl"), &story, waived ? key : NULL);
}

static void kluctl_forces(void **state)
{
    expect_kluctl(state, "kluctl.io/force-apply", "true", true);
    expect_kluctl(state, "kluctl.io/force-apply", "1", true);
    expect_kluctl(state, "kluctl.io/force-apply", "false", false);
    expect_kluctl(state, "kluctl.io/force-apply", "yes", false);
    expect_kluctl(state, "kluctl.io/force-apply-1", "true", false);
    expect_kluctl(state, "kluctl.io/force-apply-field", "spec.a", true);
    expect_kluctl(state, "kluctl.io/force-apply-field", "spec", false);
    expect_kluctl(state, "kluctl.io/force-apply-field", "spec.b", false);
    expect_kluctl(state, "kluctl.io/force-apply-field", "spec.*", true);
    expect_kluctl(state, "kluctl.io/force-apply-field-17", "$..a", true);
    expect_kluctl(state, "kluctl.io/force-apply-field-10", "spec.a", true);
    expect_kluctl(state, "kluctl.io/force-apply-field-9", "spec.a", true);
    expect_kluctl(state, "kluctl.io/force-apply-field-x", "spec.a", false);
    expect_kluctl(state, "kluctl.io/force-apply-field-1:", "spec.a", false);
    expect_kluctl(state, "kluctl.io/force-apply-field-1/", "spec.a", false);
    expect_kluctl(state, "kluctl.io/force-apply-fields", "spec.a", false);
    expect_kluctl(state, "kluctl.io/force-apply-field", "spec[?(@.a)]", false);
    expect_kluctl(state, "kluctl.io/force-apply-manager", "helm", true);
    expect_kluctl(state, "kluctl.io/force-apply-manager-2", "^h.*$", true);
    expect_kluctl(state, "kluctl.io/force-apply-manager", "flux", false);
    expect_kluctl(state, "kluctl.io/force-apply-manager", "(helm)", false);
    expect_kluctl(state, "kluctl.io/force-conflicts", "true", false);
}

/* Each field of the finding must be named; several annotations add up. */
static void all_fields_must_be_named(void **state)
{
    struct story story = take(
        "kluctl", "'kluctl.io/force-apply-field':'spec.a','kluctl.io/force-apply-field-2':'spec.c'",
        ".spec.a .spec.b" OWNS("kluctl.io/force-apply-field") OWNS("kluctl.io/force-apply-field-2"));
    story.new.body = "'spec':{'a':2,'b':2}";
    story.new.entries[0] = (struct entry)APPLIES("helm", ".spec.x");
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
    story.new.annotations = "'kluctl.io/force-apply-field':'spec.a','kluctl.io/force-apply-field-2':'spec.b'";
    expect_waived_by(state, HONOUR("kluctl"), &story, "kluctl.io/force-apply-field");
}

/* Each previous owner must be one from whom it is to be taken. */
static void all_previous_owners_must_be_meant(void **state)
{
    struct story story = take(
        "kluctl", "'kluctl.io/force-apply-manager':'helm'", ".spec.a" OWNS("kluctl.io/force-apply-manager"));
    story.old.entries[1] = (struct entry)APPLIES("flux", ".spec.a");
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
    story.new.annotations = "'kluctl.io/force-apply-manager':'helm|flux'";
    expect_waived_by(state, HONOUR("kluctl"), &story, "kluctl.io/force-apply-manager");
}

/* Kluctl's order: what is to be ignored is left to the others, even where it is to be forced. */
static void ignoring_comes_before_forcing(void **state)
{
    static const char owned[] =
        ".spec.a" OWNS("kluctl.io/force-apply") OWNS("kluctl.io/ignore-conflicts-field");
    static const char ignored[] = FORCE ",'kluctl.io/ignore-conflicts-field':'spec.a'";
    struct story story = take("kluctl", ignored, owned);
    story.old.annotations = ignored;
    story.old.entries[1] = (struct entry)APPLIES("kluctl", owned);
    story.new.entries[1].time = NOW;
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
    story.old.annotations = story.new.annotations = FORCE ",'kluctl.io/ignore-conflicts-field':'spec.b'";
    expect_waived_by(state, HONOUR("kluctl"), &story, "kluctl.io/force-apply");
}

static void kluctl_lets_others_take(void **state)
{
    static const struct {
        const char *annotations, *key;
        bool waived;
    } cases[] = {
        {"'kluctl.io/ignore-conflicts':'true'", "kluctl.io/ignore-conflicts", true},
        {"'kluctl.io/ignore-conflicts':'false'", "kluctl.io/ignore-conflicts", false},
        {"'kluctl.io/ignore-conflicts-field':'spec.a'", "kluctl.io/ignore-conflicts-field", true},
        {"'kluctl.io/ignore-conflicts-field-1':'spec.b'", "kluctl.io/ignore-conflicts-field-1", false},
        {"'kluctl.io/ignore-conflicts-manager':'^kubectl-'", "kluctl.io/ignore-conflicts-manager", true},
        {"'kluctl.io/ignore-conflicts-manager':'^k9s$'", "kluctl.io/ignore-conflicts-manager", false},
        {"'kluctl.io/ignore-conflicts-manager-2':'^kubectl-'", "kluctl.io/ignore-conflicts-manager-2", true},
        {FORCE, "kluctl.io/force-apply", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char owned[256];
        snprintf(owned, sizeof(owned), ".spec.a .spec.b .metadata.annotations.{%s}", cases[i].key);
        struct story story = give("kluctl", cases[i].annotations, owned);
        expect_waived_by(state, HONOUR("kluctl"), &story, cases[i].waived ? cases[i].key : NULL);
    }
}

/* A writer cannot write itself the permission: it must have stood before, declared by the tool. */
static void permission_must_have_stood_before(void **state)
{
    static const char ignore[] = "'kluctl.io/ignore-conflicts':'true'";
    struct story story = give("kluctl", ignore, ".spec.a .spec.b" OWNS("kluctl.io/ignore-conflicts"));
    expect_waived_by(state, HONOUR("kluctl"), &story, "kluctl.io/ignore-conflicts");
    story.old.annotations = NULL;
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
    story.old.annotations = "'kluctl.io/ignore-conflicts':'false'";
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
    story.old.annotations = ignore;
    story.new.annotations = NULL;
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
    story.new.annotations = ignore;
    story.old.entries[0] = (struct entry)APPLIES("kluctl", ".spec.a .spec.b");
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
}

/* Which item a field is of is a search through the list. */
static void many_items_end_the_search(void **state)
{
    char *body = numbered("'spec':{'a':1,'s':[", "'x#'", 20000, "]}");
    char *left = numbered("'spec':{'a':1,'s':[", "'x#'", 19998, "]}");
    struct story story = give(
        "kluctl", "'kluctl.io/ignore-conflicts-field':'spec.x'",
        ".spec.a .spec.s[=x19998] .spec.s[=x19999]" OWNS("kluctl.io/ignore-conflicts-field"));
    story.old.body = body;
    story.new.body = left;
    story.new.entries[0] =
        (struct entry)APPLIES("kluctl", ".spec.a" OWNS("kluctl.io/ignore-conflicts-field"));
    story.new.entries[1] = (struct entry)UPDATES("kubectl-edit", ".spec.y");
    const struct verdict *verdict = judge_story(*state, HONOUR("kluctl"), &story);
    assert_int_equal(finding_of(verdict, RULE_ownership_conflict)->action, ACTION_DENY);
    expect_part(finding_of(verdict, RULE_unjudged)->message, "that another tool's annotations name");
    free(body);
    free(left);
}

/* Another owner that loses the field has not given it away. */
static void permission_is_the_tools_alone(void **state)
{
    struct story story = give(
        "kluctl", "'kluctl.io/ignore-conflicts':'true'",
        ".spec.a .spec.b" OWNS("kluctl.io/ignore-conflicts"));
    story.old.entries[1] = (struct entry)APPLIES("helm", ".spec.a");
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
}

static void flux_takes_what_it_declares(void **state)
{
    static const struct {
        const char *annotations;
        bool waived;
    } cases[] = {
        {"'" SSA "':'Override'", true}, {"'" SSA "':'merge'", true},         {"'" SSA "':'Merge'", true},
        {"'" SSA "':'Ignore'", false},  {"'" SSA "':'IfNotPresent'", false}, {"'" SSA "':'Overrides'", false},
        {"'" SSA "':''", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = take("kustomize-controller", cases[i].annotations, ".spec.a" OWNS(SSA));
        expect_waived_by(state, HONOUR("flux"), &story, cases[i].waived ? SSA : NULL);
    }
    struct story story = take("helm-controller", "'" SSA "':'Override'", ".spec.a" OWNS(SSA));
    expect_waived_by(state, HONOUR("flux"), &story, NULL);
}

static void flux_leaves_what_it_does_not_apply(void **state)
{
    static const struct {
        const char *annotations;
        bool waived;
    } cases[] = {
        {"'" SSA "':'Ignore'", true},
        {"'" SSA "':'IfNotPresent'", true},
        {"'" SSA "':'Override'", false},
        /* Fields that Flux declares are still overridden. */
        {"'" SSA "':'Merge'", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = give("kustomize-controller", cases[i].annotations, ".spec.a .spec.b" OWNS(SSA));
        expect_waived_by(state, HONOUR("flux"), &story, cases[i].waived ? SSA : NULL);
    }
}

/* Flux obeys Ignore and disabled on the object from any writer, and IfNotPresent only in its own manifest.
 */
static void flux_ignores_by_anybodys_annotation(void **state)
{
    struct story story = give("kustomize-controller", "'" SSA "':'Ignore'", ".spec.a .spec.b");
    expect_waived_by(state, HONOUR("flux"), &story, SSA);
    story = give("kustomize-controller", "'" RECONCILE "':'disabled'", ".spec.a .spec.b");
    expect_waived_by(state, HONOUR("flux"), &story, RECONCILE);
    story = give("kustomize-controller", "'" RECONCILE "':'enabled'", ".spec.a .spec.b");
    expect_waived_by(state, HONOUR("flux"), &story, NULL);
    story = give("kustomize-controller", "'" SSA "':'IfNotPresent'", ".spec.a .spec.b");
    expect_waived_by(state, HONOUR("flux"), &story, NULL);
    story = give("kustomize-controller", "'" SSA "':'Ignore'", ".spec.a .spec.b");
    story.old.annotations = NULL;
    expect_waived_by(state, HONOUR("flux"), &story, NULL);
}

/*
 * An Update under the tool's name is not its manifest: kubectl annotate --field-manager=kustomize-controller.
 * Flux has not applied since the fields that kubectl alone still owns: it would have taken it over.
 */
static void permission_must_be_applied_by_the_tool(void **state)
{
    struct story story = give("kustomize-controller", "'" SSA "':'IfNotPresent'", ".spec.a .spec.b");
    story.old.entries[1] = (struct entry)UPDATES("kustomize-controller", OWNS(SSA));
    expect_waived_by(state, HONOUR("flux"), &story, NULL);
    story = give("kluctl", "'kluctl.io/ignore-conflicts':'true'", ".spec.a .spec.b");
    story.old.entries[1] = (struct entry)UPDATES("kluctl", OWNS("kluctl.io/ignore-conflicts"));
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
    story = give("kustomize-controller", "'" SSA "':'IfNotPresent'", ".spec.a .spec.b" OWNS(SSA));
    expect_waived_by(state, HONOUR("flux"), &story, SSA);
    story.old.entries[1] = (struct entry)UPDATES("kubectl-annotate", OWNS(SSA));
    expect_waived_by(state, HONOUR("flux"), &story, NULL);
    story.old.entries[1] = (struct entry)UPDATES("k9s", OWNS(SSA));
    expect_waived_by(state, HONOUR("flux"), &story, SSA);
}

/* A client sends managedFields: an entry that gains the annotation in another writer's request proves
 * nothing.
 */
static void entry_must_have_stood_before(void **state)
{
    struct story story = take("argocd-application-controller", "'" OPTIONS "':'Replace=true'", "");
    story.new.entries[1] = (struct entry)UPDATES("argocd-application-controller", ".spec.a");
    story.new.entries[2] = (struct entry)APPLIES("argocd-controller", OWNS(OPTIONS));
    const struct verdict *verdict = judge_story(*state, HONOUR("argocd"), &story);
    expect_text(finding_of(verdict, RULE_ownership_conflict)->waived_by, "");
    story.old.entries[2] = (struct entry)APPLIES("argocd-controller", OWNS(OPTIONS));
    verdict = judge_story(*state, HONOUR("argocd"), &story);
    expect_text(finding_of(verdict, RULE_ownership_conflict)->waived_by, "");
    story.old.annotations = "'" OPTIONS "':'Replace=true'";
    verdict = judge_story(*state, HONOUR("argocd"), &story);
    expect_text(finding_of(verdict, RULE_ownership_conflict)->waived_by, OPTIONS);
}

static struct story share(const char *value, const char *owned)
{
    static char annotations[128];
    snprintf(annotations, sizeof(annotations), "'" SSA "':'%s'", value);
    return (struct story){
        .manager = "kustomize-controller",
        .old =
            {.body = "'spec':{'a':1,'b':1}",
             .annotations = annotations,
             .entries = {APPLIES("kustomize-controller", owned), UPDATES("k9s", ".spec.b")}},
        .new =
            {.body = "'spec':{'a':2,'b':1}",
             .annotations = annotations,
             .entries = {APPLIES("kustomize-controller", owned, .time = NOW), UPDATES("k9s", ".spec.b")}},
    };
}

/* Merge keeps what others add; where another tool applies the object too, it is not Flux alone who keeps it.
 */
static void flux_keeps_what_others_add(void **state)
{
    static const char owned[] = ".spec.a" OWNS(SSA);
    static const struct {
        const char *value;
        bool waived;
    } cases[] = {{"Merge", true}, {"Override", false}, {"Ignore", false}};
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = share(cases[i].value, owned);
        const struct verdict *verdict = judge_story(*state, HONOUR("flux"), &story);
        expect_text(finding_of(verdict, RULE_orphaned_fields)->waived_by, cases[i].waived ? SSA : "");
    }
    struct story story = share("Merge", ".spec.a");
    assert_int_equal(
        finding_of(judge_story(*state, HONOUR("flux"), &story), RULE_orphaned_fields)->waived_by.length, 0);
    story = share("Merge", owned);
    story.old.entries[2] = story.new.entries[2] = (struct entry)APPLIES("helm", ".spec.c");
    assert_int_equal(
        finding_of(judge_story(*state, HONOUR("flux"), &story), RULE_orphaned_fields)->waived_by.length, 0);
}

static void argocd_applies_by_force(void **state)
{
    static const struct {
        const char *value;
        bool waived;
    } cases[] = {
        {"ServerSideApply=true", true},
        {"Prune=false, ServerSideApply=true", true},
        {"ServerSideApply=false", false},
        {"serversideapply=true", false},
        /* A replace, a deletion and what is not in Git are other matters than an apply. */
        {"Replace=true", false},
        {"Force=true", false},
        {"Force=true,Prune=false", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char annotations[128];
        snprintf(annotations, sizeof(annotations), "'" OPTIONS "':'%s'", cases[i].value);
        struct story story = take("argocd-controller", annotations, ".spec.a" OWNS(OPTIONS));
        expect_waived_by(state, HONOUR("argocd"), &story, cases[i].waived ? OPTIONS : NULL);
    }
    struct story story = take(
        "argocd-controller", "'argocd.argoproj.io/compare-options':'IgnoreExtraneous'",
        ".spec.a" OWNS("argocd.argoproj.io/compare-options"));
    expect_waived_by(state, HONOUR("argocd"), &story, NULL);
}

/* kubectl replace inside Argo CD names no manager, so the write has the program's name. */
static void argocd_replaces(void **state)
{
    static const struct {
        const char *value, *by;
    } cases[] = {{"Replace=true", OPTIONS}, {"ServerSideApply=true", ""}};
    for (size_t i = 0; i < 2; i++) {
        char annotations[128];
        snprintf(annotations, sizeof(annotations), "'" OPTIONS "':'%s'", cases[i].value);
        struct story story = take("argocd-application-controller", annotations, "");
        story.new.entries[1] =
            (struct entry)UPDATES("argocd-application-controller", ".spec.a" OWNS(OPTIONS));
        const struct verdict *verdict = judge_story(*state, HONOUR("argocd"), &story);
        const struct finding *finding = finding_of(verdict, RULE_ownership_conflict);
        expect_text(finding->waived_by, cases[i].by);
        assert_int_equal(finding->action, cases[i].by[0] ? ACTION_AUDIT : ACTION_DENY);
    }
}

/* All fields of a finding must be named, even the ones that it only counts. */
static void fields_that_are_not_listed_must_be_named(void **state)
{
    enum { FIELDS = FINDING_FIELDS_MAX + 1 };
    char before[2048] = "'spec':{'x':1", after[2048] = "'spec':{'x':1", lost[2048] = "";
    char owned[4096] = OWNS("kluctl.io/force-apply-field");
    for (int i = 0; i < FIELDS; i++) {
        snprintf(before + strlen(before), sizeof(before) - strlen(before), ",'f%d':1", i);
        snprintf(after + strlen(after), sizeof(after) - strlen(after), ",'f%d':2", i);
        snprintf(lost + strlen(lost), sizeof(lost) - strlen(lost), " .spec.f%d", i);
    }
    strcat(before, "},'z':1");
    strcat(after, "},'z':1");
    strcat(lost, " .z");
    strcat(owned, lost);
    struct story story = take("kluctl", "'kluctl.io/force-apply-field':'spec.*'", owned);
    story.old.body = before;
    story.new.body = after;
    story.old.entries[0] = (struct entry)APPLIES("helm", lost + 1);
    story.new.entries[0] = (struct entry)APPLIES("helm", ".spec.x");
    expect_waived_by(state, HONOUR("kluctl"), &story, "kluctl.io/force-apply-field");
    /* Nobody named the last one. */
    after[strlen(after) - 1] = '2';
    expect_waived_by(state, HONOUR("kluctl"), &story, NULL);
    story.new.annotations = FORCE;
    story.new.entries[1].fields = strcat(owned, OWNS("kluctl.io/force-apply"));
    expect_waived_by(state, HONOUR("kluctl"), &story, "kluctl.io/force-apply");
}

/* Rules that are not about the conflict are not lowered. */
static void other_rules_stand(void **state)
{
    struct story story = take(
        "kluctl", FORCE,
        ".spec.a .spec.selector .spec.template.metadata.labels" OWNS("kluctl.io/force-apply"));
    story.old.entries[1].fields = ".spec.b .spec.strategy.type";
    const struct verdict *verdict = judge_story(*state, HONOUR("kluctl"), &story);
    const struct finding *finding = finding_of(verdict, RULE_explicit_strategy);
    assert_int_equal(finding->action, ACTION_WARN);
    expect_text(finding->waived_by, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(annotation_needs_the_policy),
        IN_COURT(only_the_tool_itself_takes),
        IN_COURT(annotation_must_be_declared_by_the_tool),
        IN_COURT(kluctl_forces),
        IN_COURT(all_fields_must_be_named),
        IN_COURT(all_previous_owners_must_be_meant),
        IN_COURT(ignoring_comes_before_forcing),
        IN_COURT(kluctl_lets_others_take),
        IN_COURT(permission_must_have_stood_before),
        IN_COURT(many_items_end_the_search),
        IN_COURT(permission_is_the_tools_alone),
        IN_COURT(flux_takes_what_it_declares),
        IN_COURT(flux_leaves_what_it_does_not_apply),
        IN_COURT(flux_ignores_by_anybodys_annotation),
        IN_COURT(permission_must_be_applied_by_the_tool),
        IN_COURT(entry_must_have_stood_before),
        IN_COURT(flux_keeps_what_others_add),
        IN_COURT(argocd_applies_by_force),
        IN_COURT(argocd_replaces),
        IN_COURT(fields_that_are_not_listed_must_be_named),
        IN_COURT(other_rules_stand),
    };
    return cmocka_run_group_tests_name("tool_annotations", tests, NULL, NULL);
}
