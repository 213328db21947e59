/*
 * explicit-selector: a defaulted selector changes with the labels that it was made from. Judged from what was
 * applied, never from the object, which already holds the defaults.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "} "
#define WHOLE                                                                                                \
    "'spec':{'selector':{'a':'b'},'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[]}}}"
#define WITHOUT_SELECTOR "{'spec':{'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[]}}}}"
#define CONTAINERS ".spec.template.spec.containers[name=a].image "

static struct story server_side(const char *fields)
{
    return (struct story){
        .manager = "kubectl", .new = {.body = WHOLE, .entries = {APPLIES("kubectl", fields)}}};
}

static struct story client_side(const char *annotation)
{
    return (struct story){
        .manager = "kubectl-client-side-apply",
        .new =
            {.body = WHOLE,
             .last_applied = annotation,
             .entries = {UPDATES(
                 "kubectl-client-side-apply", ANNOTATION ".spec.selector .spec.template.metadata.labels.a")}},
    };
}

static void expect_missing(void **state, const struct story *story, const char *fields)
{
    expect_finding(judge_story(*state, BASELINE, story), RULE_explicit_selector, ACTION_WARN, fields);
    expect_finding(judge_story(*state, STRICT, story), RULE_explicit_selector, ACTION_DENY, fields);
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_explicit_selector);
}

/* Either way of applying, created or updated. */
static void configuration_without_selector_fires(void **state)
{
    struct story story = server_side(CONTAINERS ".spec.template.metadata.labels.a");
    expect_missing(state, &story, ".spec.selector");
    story = client_side(WITHOUT_SELECTOR);
    expect_missing(state, &story, ".spec.selector");
    story.old.body = WHOLE;
    expect_missing(state, &story, ".spec.selector");
    story = server_side(CONTAINERS ".spec.selector");
    expect_missing(state, &story, ".spec.template.metadata.labels");
    story = client_side("{'spec':{}}");
    expect_missing(state, &story, ".spec.selector .spec.template.metadata.labels");
}

/* Both written down: nothing to say. */
static void whole_configuration_is_silent(void **state)
{
    struct story story = server_side(CONTAINERS ".spec.selector .spec.template.metadata.labels.a");
    expect_quiet(state, &story);
    story.new.entries[0].fields = CONTAINERS ".spec.selector.matchLabels.a .spec.template.metadata.labels.a";
    expect_quiet(state, &story);
    story = client_side("{" WHOLE "}");
    expect_quiet(state, &story);
}

/* A manifest of an annotation alone is no workload's configuration, either. */
static void partial_client_side_apply_is_silent(void **state)
{
    struct story story = client_side("{'metadata':{'annotations':{'a':'b'}}}");
    story.old.body = WHOLE;
    expect_quiet(state, &story);
}

/* Replicas or one image alone are no workload's configuration. */
static void partial_server_side_apply_is_silent(void **state)
{
    struct story story = server_side(".spec.replicas");
    story.old = (struct object_story){.body = WHOLE, .entries = {APPLIES("flux", ".spec.selector")}};
    story.new.entries[1] = story.old.entries[0];
    expect_quiet(state, &story);
    /* Nobody is known to have declared it, and still it is not this request's to declare. */
    story.new.entries[1] = story.old.entries[0] = (struct entry){.manager = NULL};
    expect_quiet(state, &story);
    /* The image alone, while another applier has the rest. */
    story.new.entries[0].fields = CONTAINERS;
    story.new.entries[1] = story.old.entries[0] =
        (struct entry)APPLIES("flux", ".spec.selector .spec.template.metadata.labels.a");
    expect_quiet(state, &story);
}

/* The object's own fields are defaults as likely as not: plain writes are not judged. */
static void other_writes_are_silent(void **state)
{
    static const char *const writers[] = {"kubectl-create", "kubectl-edit", "operator", "kubectl-replace"};
    for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
        struct story story = {
            .manager = writers[i],
            .new = {.body = "'spec':{}", .entries = {UPDATES(writers[i], ".spec.replicas")}},
        };
        expect_quiet(state, &story);
        story.old.body = "'spec':{}";
        expect_quiet(state, &story);
    }
}

/* kubectl edit and set-last-applied write the annotation without applying it. */
static void annotation_written_by_an_edit_is_silent(void **state)
{
    struct story story = client_side("{'spec':{}}");
    story.manager = story.new.entries[0].manager = "kubectl-edit";
    expect_quiet(state, &story);
}

struct kind_case {
    const char *group;
    const char *kind;
    bool judged;
};

/* The workloads that select pods, and nothing else that has a selector. */
static void workloads_are_judged(void **state)
{
    static const struct kind_case cases[] = {
        {"apps", "Deployment", true},
        {"apps", "ReplicaSet", true},
        {"apps", "StatefulSet", true},
        {"apps", "DaemonSet", true},
        {"", "ReplicationController", true},
        {"apps", "ReplicationController", false},
        {"", "Service", false},
        {"batch", "Job", false},
        {"batch", "CronJob", false},
        {"", "Pod", false},
        {"", "Deployment", false},
        {"example.com", "Deployment", false},
        {"apps", "ControllerRevision", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = server_side(CONTAINERS);
        story.group = cases[i].group;
        story.kind = cases[i].kind;
        if (count_findings(judge_story(*state, STRICT, &story), RULE_explicit_selector) !=
            (cases[i].judged ? 1 : 0))
            fail_msg("%s.%s is judged wrongly", cases[i].kind, cases[i].group);
    }
}

/* One line, which names the missing field and its object. */
static void message_names_object_and_fields(void **state)
{
    struct story story = client_side("{'spec':{}}");
    expect_text(
        finding_of(judge_story(*state, STRICT, &story), RULE_explicit_selector)->message,
        "Deployment default/web: the API server refuses this, because apps/v1 requires .spec.selector and "
        ".spec.template.metadata.labels; set both");
    story = client_side(WITHOUT_SELECTOR);
    story.old.body = WHOLE;
    expect_text(
        finding_of(judge_story(*state, STRICT, &story), RULE_explicit_selector)->message,
        "Deployment default/web: the manifest has no .spec.selector, so it cannot create the object; set it");
    story = client_side("{'spec':{'selector':{},'template':{}}}");
    story.group = "";
    story.kind = "ReplicationController";
    expect_text(
        finding_of(judge_story(*state, STRICT, &story), RULE_explicit_selector)->message,
        "ReplicationController default/web: the manifest has no .spec.template.metadata.labels; set it");
    story = client_side(WITHOUT_SELECTOR);
    story.group = "";
    story.kind = "ReplicationController";
    expect_text(
        finding_of(judge_story(*state, STRICT, &story), RULE_explicit_selector)->message,
        "ReplicationController default/web: the manifest has no .spec.selector, so a default picks its pods; "
        "set it");
}

/* A manifest that always lacked it is reported once: when it is applied first, drops it or changes the value.
 */
static void repeated_apply_is_audited(void **state)
{
    struct story story = client_side(WITHOUT_SELECTOR);
    story.group = "";
    story.kind = "ReplicationController";
    story.old = story.new;
    story.old.last_applied = "{'spec':{'replicas':1,'template':{'metadata':{'labels':{'a':'b'}}}}}";
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_explicit_selector, ACTION_AUDIT, ".spec.selector");
    story.old.body = "'spec':{'selector':{'a':'c'}}";
    expect_missing(state, &story, ".spec.selector");
    story.old.body = WHOLE;
    story.old.last_applied = "{" WHOLE "}";
    expect_missing(state, &story, ".spec.selector");
}

/* A server-side apply that creates an object is its configuration, even with few fields. */
static void creation_is_never_partial(void **state)
{
    struct story story = server_side(".spec.replicas");
    story.group = "";
    story.kind = "ReplicationController";
    expect_missing(state, &story, ".spec.selector .spec.template.metadata.labels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(configuration_without_selector_fires),
        IN_COURT(whole_configuration_is_silent),
        IN_COURT(partial_client_side_apply_is_silent),
        IN_COURT(partial_server_side_apply_is_silent),
        IN_COURT(creation_is_never_partial),
        IN_COURT(other_writes_are_silent),
        IN_COURT(annotation_written_by_an_edit_is_silent),
        IN_COURT(workloads_are_judged),
        IN_COURT(repeated_apply_is_audited),
        IN_COURT(message_names_object_and_fields),
    };
    return cmocka_run_group_tests_name("explicit-selector", tests, NULL, NULL);
}
