/* A scale is judged as the change of the scaled object's replicas, where that object is known, and not at all
 * where it is not. */
#include "base/array_size.h"
#include "policy/review/scale.h"
#include "tests/unit/review_builder.h"

#define UID "'uid':'u-1','resourceVersion':'7'"
#define REPLICAS(count) "'spec':{'replicas':" count "}"

/* kubectl scale deployment/web --replicas=5, of three. */
static struct story scale(void)
{
    return (struct story){
        .group = "autoscaling",
        .kind = "Scale",
        .resource = "deployments",
        .subresource = "scale",
        .old = {.body = REPLICAS("3"), .metadata = UID},
        .new = {.body = REPLICAS("5"), .metadata = UID},
    };
}

/* The Deployment, applied by `owner`. */
static struct story scaled(struct entry owner)
{
    return (struct story){
        .old = {
            .body = "'spec':{'replicas':3,'paused':true},'status':{'replicas':3}",
            .metadata = UID,
            .entries = {owner, UPDATES("kube-controller-manager", ".status.replicas")},
        }};
}

static struct slice object_text(const struct story *story)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    put_object(out, story, &story->old);
    fclose(out);
    return (struct slice){bytes, length};
}

static const struct verdict *judge_text(
    struct court *court, const char *policy, const struct story *scale, struct slice object)
{
    struct judge_options options = {
        .ceiling = court->ceiling,
        .scaled = object,
        .now = court->now,
        .takeover_history = court->takeover_history};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    struct slice body = build_review(scale);
    court_load(court, policy);
    arena_reset(court->arena);
    assert_int_equal(judge(court->policy, body, &options, court->arena, &verdict, &error), JUDGE_OK);
    free((char *)(uintptr_t)body.bytes);
    return verdict;
}

static const struct verdict *judge_scale(
    void **state, const char *policy, const struct story *scale, const struct story *object)
{
    struct slice text = object_text(object);
    const struct verdict *verdict = judge_text(*state, policy, scale, text);
    free((char *)(uintptr_t)text.bytes);
    return verdict;
}

/* ' for ". */
static const struct verdict *judge_piece(struct court *court, const struct story *scale, const char *piece)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    put_piece(out, piece);
    fclose(out);
    const struct verdict *verdict = judge_text(court, STRICT, scale, (struct slice){bytes, length});
    free(bytes);
    return verdict;
}

/*
 * Who loses
 */

/* The next apply undoes a scale by hand: the same as an edit of the field. */
static void an_applier_loses_its_replicas(void **state)
{
    struct story request = scale(),
                 object = scaled((struct entry)APPLIES("kubectl", ".spec.replicas .spec.paused"));
    const struct verdict *verdict = judge_scale(state, BASELINE, &request, &object);
    const struct finding *finding = finding_of(verdict, RULE_ownership_conflict);
    assert_int_equal(verdict->finding_count, 1);
    assert_int_equal(finding->action, ACTION_WARN);
    assert_int_equal(finding->field_count, 1);
    assert_true(slice_equal(finding->fields[0], SLICE(".spec.replicas")));
    assert_true(slice_equal(
        finding->message,
        SLICE("Deployment default/web: this request changes replicas, which kubectl apply --server-side "
              "manages: the next apply fails or undoes this; change the manifest")));
    assert_false(finding->has_writer);
    assert_true(slice_equal(verdict->review->group_kind, SLICE("Deployment.apps")));
    assert_true(slice_equal(verdict->review->subresource, SLICE("scale")));
    verdict = judge_scale(state, STRICT, &request, &object);
    assert_false(verdict->allowed);
}

/* Zero replicas are absent on the wire: the API server leaves the zero of a Scale out. */
static void scaling_to_zero_and_from_it(void **state)
{
    struct story request = scale(), object = scaled((struct entry)APPLIES("kubectl", ".spec.replicas"));
    static const char *const zeros[] = {
        "'spec':{}", "'spec':{'replicas':0}", "'spec':{'replicas':null}", "'spec':null"};
    for (size_t i = 0; i < ARRAY_SIZE(zeros); i++) {
        request = scale();
        request.new.body = zeros[i];
        object.old.body = REPLICAS("3");
        const struct verdict *verdict = judge_scale(state, BASELINE, &request, &object);
        expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.replicas");
        request = scale();
        request.old.body = zeros[i];
        object.old.body = REPLICAS("0");
        verdict = judge_scale(state, BASELINE, &request, &object);
        expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.replicas");
        request.new.body = zeros[ARRAY_SIZE(zeros) - 1 - i];
        expect_nothing(judge_scale(state, BASELINE, &request, &object));
    }
}

/* The number that a client-side applier declares comes back with its next apply. */
static void a_declared_number_is_changed(void **state)
{
    struct story request = scale();
    struct story object = scaled((struct entry)UPDATES("kubectl-client-side-apply", ".spec.paused"));
    object.old.last_applied = "{'spec':{'replicas':3,'paused':true}}";
    const struct verdict *verdict = judge_scale(state, BASELINE, &request, &object);
    assert_int_equal(verdict->finding_count, 1);
    assert_int_equal(finding_of(verdict, RULE_last_applied_drift)->action, ACTION_WARN);
    object = scaled((struct entry)UPDATES("kubectl-client-side-apply", ".spec.replicas .spec.paused"));
    object.old.last_applied = "{'spec':{'replicas':3,'paused':true}}";
    verdict = judge_scale(state, BASELINE, &request, &object);
    assert_int_equal(verdict->finding_count, 1);
    assert_int_equal(finding_of(verdict, RULE_ownership_conflict)->action, ACTION_WARN);
}

/* The annotation of a tool other than kubectl shows its declared fields, too, and not the defaults that it
 * owns.
 */
static void the_annotation_of_each_tool_says_what_it_declares(void **state)
{
    struct story request = scale();
    static const char owned[] =
        ".spec.replicas .spec.paused .metadata.annotations.{" LAST_APPLIED_ANNOTATION "}";
    static const char *const tools[] = {"kubectl-client-side-apply", "argocd-controller"};
    for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
        struct story object = scaled((struct entry)UPDATES(tools[i], owned));
        object.old.last_applied = "{'spec':{'paused':true}}";
        expect_finding(
            judge_scale(state, STRICT, &request, &object), RULE_ownership_conflict, ACTION_AUDIT,
            ".spec.replicas");
        object.old.last_applied = "{'spec':{'replicas':1}}";
        object.old.body = "'spec':{'replicas':1,'paused':true}";
        request.old.body = REPLICAS("1");
        expect_finding(
            judge_scale(state, STRICT, &request, &object), RULE_ownership_conflict, ACTION_DENY,
            ".spec.replicas");
        request = scale();
    }
}

/* Other tools name themselves, and are classed by that name. */
static void a_named_manager_takes(void **state)
{
    struct story request = scale(), object = scaled((struct entry)APPLIES("flux", ".spec.replicas"));
    request.manager = "keda";
    const struct finding *finding =
        finding_of(judge_scale(state, STRICT, &request, &object), RULE_ownership_conflict);
    assert_int_equal(finding->action, ACTION_WARN);
    assert_true(slice_equal(finding->writer.name, SLICE("keda")));
    object.old.entries[0] = (struct entry)UPDATES("keda", ".spec.replicas", .subresource = "scale");
    expect_nothing(judge_scale(state, STRICT, &request, &object));
}

/* Nobody denies an autoscaler: it would only try again. */
static void an_autoscaler_takes(void **state)
{
    struct story request = scale(), object = scaled((struct entry)APPLIES("flux", ".spec.replicas"));
    request.user = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";
    assert_int_equal(
        finding_of(judge_scale(state, STRICT, &request, &object), RULE_ownership_conflict)->action,
        ACTION_WARN);
}

/* A person takes from an autoscaler; the table makes that a record, and a warning where it is strict. */
static void an_autoscaler_loses(void **state)
{
    struct story request = scale();
    struct story object =
        scaled((struct entry)UPDATES("kube-controller-manager", ".spec.replicas", .subresource = "scale"));
    assert_int_equal(
        finding_of(judge_scale(state, BASELINE, &request, &object), RULE_ownership_conflict)->action,
        ACTION_AUDIT);
    assert_int_equal(
        finding_of(judge_scale(state, STRICT, &request, &object), RULE_ownership_conflict)->action,
        ACTION_WARN);
}

/*
 * Writers that do not declare
 */

/* The last scaler may be the current one: the review does not show it. */
static void scaling_again_is_silent(void **state)
{
    struct story request = scale();
    struct story object = scaled((struct entry)UPDATES("kubectl", ".spec.replicas", .subresource = "scale"));
    expect_nothing(judge_scale(state, STRICT, &request, &object));
    request.user = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";
    object =
        scaled((struct entry)UPDATES("kube-controller-manager", ".spec.replicas", .subresource = "scale"));
    expect_nothing(judge_scale(state, STRICT, &request, &object));
}

static void replicas_of_nobody_are_free(void **state)
{
    struct story request = scale(), object = scaled((struct entry)APPLIES("flux", ".spec.paused"));
    expect_nothing(judge_scale(state, STRICT, &request, &object));
    object.old.entries[0].manager = NULL;
    expect_nothing(judge_scale(state, STRICT, &request, &object));
}

/* Other faults of the object do not come from the scale. */
static void other_rules_are_not_asked(void **state)
{
    struct story request = scale();
    struct story object = scaled((struct entry)UPDATES("before-first-apply", ".spec.paused"));
    object.old.last_applied = "[]";
    object.old.entries[1] = (struct entry)APPLIES("flux", ".spec.paused");
    expect_nothing(judge_scale(state, STRICT, &request, &object));
}

static void the_policy_may_leave_it(void **state)
{
    struct story request = scale(), object = scaled((struct entry)APPLIES("flux", ".spec.replicas"));
    expect_nothing(judge_scale(
        state, "rules: {ownership-conflict: {ignoreFields: ['.spec.replicas']}}\n", &request, &object));
    expect_nothing(judge_scale(
        state,
        "overrides:\n- {match: {kinds: [Deployment.apps]}, rules: {ownership-conflict: {action: \"off\"}}}\n",
        &request, &object));
}

/*
 * Facts about the object
 */

/* The same name may be another object by now, and an object that cannot be read says nothing. */
static void another_object_is_not_judged(void **state)
{
    struct story request = scale(), object = scaled((struct entry)APPLIES("flux", ".spec.replicas"));
    object.old.metadata = "'uid':'u-2'";
    expect_nothing(judge_scale(state, STRICT, &request, &object));
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "null",
        "{'metadata':{'uid':'u-1'}}",
        "{'metadata':{'uid':'u-1'},'spec':{'replicas':3}}",
        "{'kind':'Deployment','metadata':{'uid':'u-1'},'spec':{'replicas':'3'}}",
        "{'kind':'Deployment','metadata':{'uid':'u-1','managedFields':7},'spec':{'replicas':3}}",
    };
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        expect_nothing(judge_piece(*state, &request, texts[i]));
}

static void expect_no_target(void **state, const struct story *story)
{
    struct scale_target target;
    assert_false(scale_target_of(decode_story(*state, story), &target));
}

/* Nothing is fetched for what would not be judged, nor for a name that would lead elsewhere. */
static void what_is_worth_fetching(void **state)
{
    struct story story = scale();
    struct scale_target target;
    assert_true(scale_target_of(decode_story(*state, &story), &target));
    assert_true(slice_equal(target.resource.name, SLICE("deployments")));
    assert_true(slice_equal(target.namespace, SLICE("default")));
    assert_true(slice_equal(target.name, SLICE("web")));
    assert_true(slice_equal(target.uid, SLICE("u-1")));
    assert_true(slice_equal(target.resource_version, SLICE("7")));
    story.new.body = REPLICAS("3");
    expect_no_target(state, &story);
    story = scale();
    story.new.body = "'spec':{}";
    assert_true(scale_target_of(decode_story(*state, &story), &target));
    story.old.body = REPLICAS("0");
    expect_no_target(state, &story);
    static const char *const no_numbers[] = {
        REPLICAS("'5'"), REPLICAS("-1"), REPLICAS("0.5"), REPLICAS("[]"), NULL};
    for (size_t i = 0; i < ARRAY_SIZE(no_numbers); i++) {
        story = scale();
        story.new.body = no_numbers[i];
        expect_no_target(state, &story);
        story = scale();
        story.operation = "UPDATE";
        story.old.body = no_numbers[i];
        expect_no_target(state, &story);
    }
    story = scale();
    story.resource = "replicationcontrollers";
    expect_no_target(state, &story);
    story = scale();
    story.subresource = "status";
    expect_no_target(state, &story);
    story = scale();
    story.name = "../secrets";
    expect_no_target(state, &story);
    story = scale();
    story.namespace = "a?b";
    expect_no_target(state, &story);
    story = scale();
    story.old.metadata = NULL;
    expect_no_target(state, &story);
    story = scale();
    story.kind = "Deployment";
    expect_no_target(state, &story);
}

/* An applier that sets an autoscaler's number back at each sync fights it, though every other take is a
 * scale. */
static void takes_by_scaling_are_remembered(void **state)
{
    struct court *court = *state;
    court->takeover_history = takeover_history_create((struct siphash_seed){{3, 5}});
    court->now = 1000;
    for (int take = 1; take <= 3; take++) {
        char time[32], metadata[80];
        snprintf(time, sizeof(time), "2026-01-01T00:00:%02dZ", take);
        snprintf(metadata, sizeof(metadata), "'uid':'u-1','resourceVersion':'%d'", take);
        struct story request = scale(),
                     object = scaled((struct entry)APPLIES("flux", ".spec.replicas", .time = time));
        request.user = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";
        request.old.metadata = request.new.metadata = object.old.metadata = metadata;
        court->now++;
        const struct verdict *verdict =
            judge_scale(state, "rules: {contested-field: {action: warn, changes: 2}}\n", &request, &object);
        if (take < 3)
            expect_silence(verdict, RULE_contested_field);
        else
            expect_finding(verdict, RULE_contested_field, ACTION_WARN, ".spec.replicas");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(an_applier_loses_its_replicas), IN_COURT(a_declared_number_is_changed),
        IN_COURT(scaling_to_zero_and_from_it),   IN_COURT(the_annotation_of_each_tool_says_what_it_declares),
        IN_COURT(a_named_manager_takes),         IN_COURT(an_autoscaler_takes),
        IN_COURT(an_autoscaler_loses),           IN_COURT(scaling_again_is_silent),
        IN_COURT(replicas_of_nobody_are_free),   IN_COURT(other_rules_are_not_asked),
        IN_COURT(the_policy_may_leave_it),       IN_COURT(another_object_is_not_judged),
        IN_COURT(what_is_worth_fetching),        IN_COURT(takes_by_scaling_are_remembered),
    };
    return cmocka_run_group_tests_name("scale", tests, NULL, NULL);
}
