/*
 * mixed-apply: a server-side applier cannot remove what a client-side applier still owns.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define ANNOTATION " .metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"
#define SPEC "'spec':{'a':1,'b':2}"
#define DECLARES "{'spec':{'a':1,'b':2}}"
#define CLIENT_SIDE UPDATES("kubectl-client-side-apply", ".spec.a .spec.b .spec.default" ANNOTATION)

/* The server-side applier goes from `before` to `after`, and a client-side one exists. */
static struct story applied_by(const char *manager, const char *before, const char *after)
{
    struct story story = {
        .manager = manager,
        .old = {.body = SPEC, .last_applied = DECLARES, .entries = {CLIENT_SIDE}},
        .new =
            {.body = SPEC,
             .last_applied = DECLARES,
             .entries = {APPLIES(manager, after, .time = NOW), CLIENT_SIDE}},
    };
    if (before)
        story.old.entries[1] = (struct entry)APPLIES(manager, before);
    return story;
}

static const struct finding *expect_mixed(void **state, const struct story *story, const char *fields)
{
    expect_finding(judge_story(*state, STRICT, story), RULE_mixed_apply, ACTION_WARN, fields);
    return expect_finding(judge_story(*state, BASELINE, story), RULE_mixed_apply, ACTION_WARN, fields);
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_mixed_apply);
}

/* A dropped field stays: the one thing to say then. */
static void dropped_field_fires(void **state)
{
    struct story story = applied_by("flux", ".spec.a .spec.b", ".spec.a");
    const struct finding *finding = expect_mixed(state, &story, ".spec.b");
    expect_text(
        finding->message,
        "Deployment default/web: Flux drops b, but kubectl apply (client-side) "
        "still owns it; hand it over: applyguard migrate deployment.apps/web -n default --to flux -o "
        "command");
    /* The audit log and the metrics name who applied. */
    assert_true(finding->has_writer);
    expect_manager(&finding->writer, "flux", MANAGER_APPLY, "");
}

/* As long as both own fields, the applier gets a finding about the fields that it could not remove. */
static void shared_fields_fire(void **state)
{
    struct story story = applied_by("flux", ".spec.a .spec.b", ".spec.a .spec.b");
    expect_text(
        expect_mixed(state, &story, ".spec.a .spec.b")->message,
        "Deployment default/web: Flux cannot delete a and 1 more field, because kubectl apply (client-side) "
        "still owns them; hand them over: applyguard migrate deployment.apps/web -n default --to flux -o "
        "command");
}

/* Each apply would say it again otherwise: it is reported while both tools apply, and where it matters. */
static void later_applies_are_not_warned(void **state)
{
    struct story story = applied_by("flux", ".spec.a .spec.b", ".spec.a .spec.b");
    story.old.entries[1].time = "2026-01-01T00:00:01Z";
    expect_finding(judge_story(*state, STRICT, &story), RULE_mixed_apply, ACTION_AUDIT, ".spec.a .spec.b");
    story.old.entries[1].fields = ".spec.a";
    expect_mixed(state, &story, ".spec.a .spec.b");
    story.old.entries[1].fields = ".spec.a .spec.b";
    story.new.entries[0].fields = ".spec.a";
    expect_mixed(state, &story, ".spec.b");
}

/* A policy may refuse such applies. */
static void policy_can_deny(void **state)
{
    struct story story = applied_by("flux", ".spec.a", ".spec.a");
    expect_finding(
        judge_story(*state, "rules: {mixed-apply: {action: deny}}\n", &story), RULE_mixed_apply, ACTION_DENY,
        ".spec.a");
}

/* The one who still applies client-side can mend it, too. */
static void client_side_applier_is_reported(void **state)
{
    struct story story = applied_by("flux", ".spec.a .spec.b", ".spec.a .spec.b");
    story.manager = "kubectl-client-side-apply";
    story.new.last_applied = "{'spec':{'a':1,'b':2,'c':3}}";
    story.new.entries[1].time = NOW;
    story.new.entries[0].time = NULL;
    expect_part(
        expect_mixed(state, &story, ".spec.a .spec.b")->message,
        "Flux applies it server-side, and kubectl apply client-side, so a and 1 more field stay");
}

/* One tool that changed its way of applying, and left its old entry behind. */
static void one_tool_in_two_ways_fires(void **state)
{
    const struct story story = {
        .manager = "helm",
        .old = {.body = SPEC, .entries = {APPLIES("helm", ".spec.a"), UPDATES("helm", ".spec.a .spec.b")}},
        .new =
            {.body = SPEC,
             .entries = {APPLIES("helm", ".spec.a", .time = NOW), UPDATES("helm", ".spec.a .spec.b")}},
    };
    expect_part(
        expect_mixed(state, &story, ".spec.a")->message,
        "Helm cannot delete a, because Helm (client-side) still owns it");
}

/* helm-controller applies server-side, and corrects drift by a patch under the same name. Each of its dry
 * runs finds it, and the next upgrade reports it. */
static void comparison_is_not_warned(void **state)
{
    struct story story = {
        .manager = "helm-controller",
        .dry_run = true,
        .old =
            {.body = SPEC,
             .entries = {APPLIES("helm-controller", ".spec.b"), UPDATES("helm-controller", ".spec.a")}},
        .new = {
            .body = SPEC,
            .entries =
                {APPLIES("helm-controller", ".spec.a .spec.b", .time = NOW),
                 UPDATES("helm-controller", ".spec.a")},
        }};
    expect_finding(judge_story(*state, STRICT, &story), RULE_mixed_apply, ACTION_AUDIT, ".spec.a");
    story.dry_run = false;
    expect_mixed(state, &story, ".spec.a");
    /* Nor is what it would drop in vain. */
    story.old.entries[0].fields = ".spec.a .spec.b";
    story.new.entries[0].fields = ".spec.b";
    expect_mixed(state, &story, ".spec.a");
    story.dry_run = true;
    expect_finding(judge_story(*state, STRICT, &story), RULE_mixed_apply, ACTION_AUDIT, ".spec.a");
    /* An apply that changes nothing does not show that it was one. */
    story.old.entries[0] = story.new.entries[0] =
        (struct entry)APPLIES("helm-controller", ".spec.a .spec.b", .time = "2026-01-01T00:00:01Z");
    expect_finding(judge_story(*state, STRICT, &story), RULE_mixed_apply, ACTION_AUDIT, ".spec.a");
}

/* kubectl moves the ownership by itself, whenever the client-side applier owns the annotation. */
static void migration_by_kubectl_is_silent(void **state)
{
    struct story story = applied_by("kubectl", NULL, ".spec.a .spec.b");
    expect_quiet(state, &story);
    story = applied_by("kubectl", ".spec.a .spec.b", ".spec.a");
    expect_quiet(state, &story);
    story = applied_by("ci", NULL, ".spec.a .spec.b");
    expect_quiet(state, &story);
}

/* Without the annotation it finds no manager to move from. */
static void kubectl_that_cannot_migrate_fires(void **state)
{
    struct story story = applied_by("kubectl", ".spec.a .spec.b", ".spec.a .spec.b");
    story.old.last_applied = story.new.last_applied = NULL;
    story.old.entries[0].fields = story.new.entries[1].fields = ".spec.a .spec.b";
    expect_mixed(state, &story, ".spec.a .spec.b");
}

/* Each of the two keeps to fields of its own, or one owns nothing but the annotation any more. */
static void separate_fields_are_silent(void **state)
{
    struct story story = applied_by("flux", ".spec.c", ".spec.c");
    story.old.body = story.new.body = "'spec':{'a':1,'b':2,'c':3}";
    expect_quiet(state, &story);
    story = applied_by("flux", ".spec.a" ANNOTATION, ".spec.a" ANNOTATION);
    story.old.entries[0].fields = story.new.entries[1].fields = &ANNOTATION[1];
    expect_quiet(state, &story);
}

/* A default that the client-side applier owns stays what it is when the other drops it. */
static void undeclared_default_is_silent(void **state)
{
    struct story story = applied_by("flux", ".spec.default", ".spec.default");
    story.old.body = story.new.body = "'spec':{'a':1,'b':2,'default':600}";
    expect_quiet(state, &story);
}

/* Two who set fields of one list item both own its key, and neither is in the other's way. */
static void shared_item_key_is_silent(void **state)
{
    struct story story = applied_by("flux", NULL, NULL);
    const char *body = "'spec':{'containers':[{'name':'x','image':'i','tty':true}]}";
    const char *declares = "{'spec':{'containers':[{'name':'x','image':'i'}]}}";
    story.old = (struct object_story){
        .body = body,
        .last_applied = declares,
        .entries = {
            APPLIES(
                "flux",
                ".spec.containers[name=x]. .spec.containers[name=x].name .spec.containers[name=x].tty"),
            UPDATES(
                "kubectl-client-side-apply",
                ".spec.containers[name=x]. .spec.containers[name=x].name "
                ".spec.containers[name=x].image" ANNOTATION),
        }};
    story.new = story.old;
    story.new.entries[0].time = NOW;
    expect_quiet(state, &story);
}

/* Fields of another apiVersion may mean something else; what the object does not hold needs no removing. */
static void what_is_not_known_is_silent(void **state)
{
    struct story story = applied_by("flux", ".spec.a", ".spec.a");
    story.old.entries[0].api_version = story.new.entries[1].api_version = "apps/v1beta1";
    expect_quiet(state, &story);
    story = applied_by("flux", ".spec.a", ".spec.a");
    story.old.body = story.new.body = "'spec':{'b':2}";
    expect_quiet(state, &story);
}

/* A writer that does not apply cannot mend it. */
static void others_are_not_warned(void **state)
{
    static const char *const writers[] = {"kubectl-edit", "my-operator", "kubectl-last-applied"};
    for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
        struct story story = applied_by("flux", ".spec.a", ".spec.a");
        story.manager = writers[i];
        story.new.entries[0].time = NULL;
        story.new.entries[2] = (struct entry)UPDATES(writers[i], ".spec.c", .time = NOW);
        expect_quiet(state, &story);
    }
}

/* An autoscaler is not a client-side applier. */
static void autoscaler_is_silent(void **state)
{
    struct story story = applied_by("flux", ".spec.a", ".spec.a");
    story.old.entries[0] = story.new.entries[1] =
        (struct entry)UPDATES("kube-controller-manager", ".spec.a", .subresource = "scale");
    expect_quiet(state, &story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(dropped_field_fires),
        IN_COURT(shared_fields_fire),
        IN_COURT(later_applies_are_not_warned),
        IN_COURT(policy_can_deny),
        IN_COURT(client_side_applier_is_reported),
        IN_COURT(one_tool_in_two_ways_fires),
        IN_COURT(comparison_is_not_warned),
        IN_COURT(migration_by_kubectl_is_silent),
        IN_COURT(kubectl_that_cannot_migrate_fires),
        IN_COURT(separate_fields_are_silent),
        IN_COURT(undeclared_default_is_silent),
        IN_COURT(shared_item_key_is_silent),
        IN_COURT(what_is_not_known_is_silent),
        IN_COURT(others_are_not_warned),
        IN_COURT(autoscaler_is_silent),
    };
    return cmocka_run_group_tests_name("mixed-apply", tests, NULL, NULL);
}
