/*
 * dropped-replicas: replicas deleted from a manifest must not scale a running service down unseen.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define OWNS_ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "} "
#define CLIENT_SIDE(fields) UPDATES("kubectl-client-side-apply", OWNS_ANNOTATION fields, .time = NOW)

/* kubectl apply of a manifest that declared 3 and declares none, on an object that has 5. */
static struct story client_side(void)
{
    return (struct story){
        .manager = "kubectl-client-side-apply",
        .old =
            {.body = "'spec':{'replicas':5,'paused':true}",
             .last_applied = "{'spec':{'replicas':3,'paused':true}}",
             .entries =
                 {CLIENT_SIDE(".spec.paused"), UPDATES("kubectl", ".spec.replicas", .subresource = "scale")}},
        .new =
            {.body = "'spec':{'replicas':1,'paused':true}",
             .last_applied = "{'spec':{'paused':true}}",
             .entries = {CLIENT_SIDE(".spec.paused .spec.replicas")}},
    };
}

static struct story server_side(void)
{
    return (struct story){
        .manager = "flux",
        .old = {.body = "'spec':{'replicas':5}", .entries = {APPLIES("flux", ".spec.replicas .spec.paused")}},
        .new = {.body = "'spec':{'replicas':1}", .entries = {APPLIES("flux", ".spec.paused", .time = NOW)}},
    };
}

static void expect_dropped(void **state, const struct story *story)
{
    expect_finding(
        judge_story(*state, BASELINE, story), RULE_dropped_replicas, ACTION_WARN, ".spec.replicas");
    expect_finding(judge_story(*state, STRICT, story), RULE_dropped_replicas, ACTION_DENY, ".spec.replicas");
}

static void expect_kept(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_dropped_replicas);
}

/* The default comes back, even if another manager scaled the object last; reported once, by this rule. */
static void dropping_client_side_fires(void **state)
{
    struct story story = client_side();
    expect_dropped(state, &story);
    expect_silence(judge_story(*state, STRICT, &story), RULE_ownership_conflict);
    const struct verdict *verdict = judge_story(*state, BASELINE, &story);
    expect_text(
        finding_of(verdict, RULE_dropped_replicas)->message,
        "Deployment default/web: without replicas, it scales from 5 to 1; put them back, remove them with "
        "kubectl apply edit-last-applied, then from the manifest");
}

/* Reported once, but reported: a policy without this rule leaves the change to ownership-conflict. */
static void ownership_conflict_tells_where_this_rule_is_off(void **state)
{
    struct story story = client_side();
    const struct verdict *verdict =
        judge_story(*state, STRICT "rules:\n  dropped-replicas: {action: off}\n", &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_AUDIT, ".spec.replicas");
}

/* Other fields that the apply takes are reported by their rule, with any name and place. */
static void other_losses_are_told_beside_it(void **state)
{
    static const char *const fields[] = {
        ".spec.minReadySeconds", ".spec.template.replicas", ".status.replicas"};
    static const char *const bodies[][2] = {
        {"'spec':{'replicas':5,'minReadySeconds':1}", "'spec':{'replicas':1,'minReadySeconds':2}"},
        {"'spec':{'replicas':5,'template':{'replicas':1}}",
         "'spec':{'replicas':1,'template':{'replicas':2}}"},
        {"'spec':{'replicas':5},'status':{'replicas':1}", "'spec':{'replicas':1},'status':{'replicas':2}"}};
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
        struct story story = server_side();
        story.old.body = bodies[i][0];
        story.new.body = bodies[i][1];
        story.old.entries[1] = (struct entry)APPLIES("argocd-controller", fields[i]);
        story.new.entries[0] = (struct entry)APPLIES("flux", fields[i], .time = NOW);
        const struct verdict *verdict = judge_story(*state, STRICT, &story);
        expect_finding(verdict, RULE_dropped_replicas, ACTION_DENY, ".spec.replicas");
        expect_finding(verdict, RULE_ownership_conflict, ACTION_DENY, fields[i]);
    }
}

static void dropping_server_side_fires(void **state)
{
    struct story story = server_side();
    expect_dropped(state, &story);
    const struct verdict *verdict = judge_story(*state, BASELINE, &story);
    expect_text(
        finding_of(verdict, RULE_dropped_replicas)->message,
        "Deployment default/web: without replicas, it scales from 5 to 1; put them back until an autoscaler "
        "has set them");
}

/* A manager that applies nothing but the number leaves no entry behind when it drops it. */
static void dropping_the_last_field_fires(void **state)
{
    struct story story = server_side();
    story.old.entries[0] = (struct entry)APPLIES("team", ".spec.replicas");
    story.new.entries[0] = (struct entry){0};
    story.manager = "team";
    expect_dropped(state, &story);
    /* Another manager owns the number, so it stays. */
    struct story kept = story;
    kept.new.body = kept.old.body;
    expect_kept(state, &kept);
    /* It was never this manager's. */
    story.old.entries[0].fields = ".spec.paused";
    expect_kept(state, &story);
    /* A pipeline is warned at most. */
    story.old.entries[0].fields = ".spec.replicas";
    story.user = "system:serviceaccount:ci:deployer";
    expect_finding(judge_story(*state, STRICT, &story), RULE_dropped_replicas, ACTION_WARN, ".spec.replicas");
}

/* Another manager owns the number, so it stays. */
static void handing_over_is_silent(void **state)
{
    struct story story = server_side();
    story.new.body = story.old.body;
    expect_kept(state, &story);
}

/* A manifest that asks for fewer says so itself. */
static void declaring_fewer_is_silent(void **state)
{
    struct story story = client_side();
    story.new.last_applied = "{'spec':{'replicas':1,'paused':true}}";
    expect_kept(state, &story);
    story = server_side();
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.replicas .spec.paused", .time = NOW);
    expect_kept(state, &story);
}

/* Taken out of the annotation beforehand, as documented: the apply does not touch the number. */
static void never_declared_is_silent(void **state)
{
    struct story story = client_side();
    story.old.last_applied = "{'spec':{'paused':true}}";
    expect_kept(state, &story);
    story.old.last_applied = "{'spec':{'replicas':null,'paused':true}}";
    expect_kept(state, &story);
}

/* More than before, or no number at all: nothing is lost. */
static void no_fewer_is_silent(void **state)
{
    struct story story = client_side();
    story.old.body = "'spec':{'replicas':0,'paused':true}";
    expect_kept(state, &story);
    story.old.body = "'spec':{'replicas':'5','paused':true}";
    expect_kept(state, &story);
    story.old.body = "'spec':{'paused':true}";
    expect_kept(state, &story);
}

/* An edit declares nothing, so it drops nothing. */
static void other_writers_are_silent(void **state)
{
    struct story story = client_side();
    story.manager = "kubectl-edit";
    story.new.entries[1] = (struct entry)UPDATES("kubectl-edit", ".spec.replicas", .time = NOW);
    expect_kept(state, &story);
}

/* In a preview or a policy test, no API server sets the default. */
static void a_default_that_is_not_set_yet_fires(void **state)
{
    struct story story = server_side();
    story.new.body = "'spec':{'paused':true}";
    expect_dropped(state, &story);
    story.old.body = "'spec':{'replicas':1}";
    expect_kept(state, &story);
    story.old.body = "'spec':{'replicas':'5'}";
    expect_kept(state, &story);
    /* Another kind has another default, or none. */
    story = server_side();
    story.new.body = "'spec':{'paused':true}";
    story.group = "example.com";
    expect_kept(state, &story);
    story = client_side();
    story.new.body = "'spec':{'paused':true}";
    expect_dropped(state, &story);
}

/* A custom resource may have no default in its schema: the number is gone, and its controller runs one pod.
 */
static void custom_resources_that_are_scaled_fire(void **state)
{
    struct story story = client_side();
    story.new.body = "'spec':{'paused':true}";
    story.group = "argoproj.io";
    story.version = "v1alpha1";
    story.kind = "Rollout";
    expect_dropped(state, &story);
    /* Nobody has scaled it yet: its controller's default is still known. */
    story.old.entries[1] = (struct entry){.manager = NULL};
    expect_dropped(state, &story);
    story = server_side();
    story.new.body = "'spec':{'paused':true}";
    story.group = "argoproj.io";
    story.kind = "Rollout";
    expect_dropped(state, &story);
    /* For any kind that an autoscaler has scaled. */
    story = client_side();
    story.new.body = "'spec':{'paused':true}";
    story.group = "example.com";
    story.kind = "Pool";
    expect_dropped(state, &story);
    story.old.entries[1] = (struct entry){.manager = NULL};
    expect_kept(state, &story);
    /* Through the same subresource, but another field. */
    story.old.entries[1] = (struct entry)UPDATES("keda", ".spec.other", .subresource = "scale");
    expect_kept(state, &story);
}

/* The number stays with the autoscaler, or the manifest goes on to declare it. */
static void custom_resources_that_keep_their_replicas_are_silent(void **state)
{
    struct story story = server_side();
    story.group = "argoproj.io";
    story.kind = "Rollout";
    story.new.body = story.old.body;
    expect_kept(state, &story);
    story = client_side();
    story.group = "argoproj.io";
    story.kind = "Rollout";
    story.new.last_applied = "{'spec':{'replicas':1,'paused':true}}";
    expect_kept(state, &story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(dropping_client_side_fires),
        IN_COURT(ownership_conflict_tells_where_this_rule_is_off),
        IN_COURT(dropping_the_last_field_fires),
        IN_COURT(dropping_server_side_fires),
        IN_COURT(handing_over_is_silent),
        IN_COURT(declaring_fewer_is_silent),
        IN_COURT(never_declared_is_silent),
        IN_COURT(no_fewer_is_silent),
        IN_COURT(other_writers_are_silent),
        IN_COURT(other_losses_are_told_beside_it),
        IN_COURT(a_default_that_is_not_set_yet_fires),
        IN_COURT(custom_resources_that_are_scaled_fire),
        IN_COURT(custom_resources_that_keep_their_replicas_are_silent),
    };
    return cmocka_run_group_tests_name("dropped-replicas", tests, NULL, NULL);
}
