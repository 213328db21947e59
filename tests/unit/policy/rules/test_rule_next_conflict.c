/*
 * next-conflict: fields of a stored object on which the next server-side apply conflicts.
 */
#include "base/array_size.h"
#include "policy/analysis/stored_object.h"
#include "tests/unit/review_builder.h"

#define WORKLOAD                                                                                             \
    "'spec':{'selector':{},'replicas':2,'template':{'spec':{'containers':[{'name':'a','image':'b'}]}}}"
#define WHOLE                                                                                                \
    ".spec.selector .spec.replicas .spec.template.spec.containers[name=a]. "                                 \
    ".spec.template.spec.containers[name=a].name"
#define PRINTED_IMAGE ".spec.template.spec.containers[name=\"a\"].image"
#define IMAGE ".spec.template.spec.containers[name=a].image"

/* The new object of the story as a cluster stores it, judged without its request. */
static const struct verdict *judge_stored(void **state, struct story *story)
{
    static const struct stored_object alone = {0};
    struct court *court = *state;
    const struct verdict *verdict = NULL;
    const struct judge_options options = {.ceiling = MODE_ENFORCE, .stored = &alone};
    court_load(court, STRICT);
    assert_int_equal(
        judge_review(court->policy, decode_story(court, story), &options, &verdict, NULL), JUDGE_OK);
    return verdict;
}

static struct story applied_by(const char *tool, const char *fields, struct entry other)
{
    return (struct story){.new = {.body = WORKLOAD, .entries = {APPLIES(tool, fields), other}}};
}

static void a_taken_image_conflicts(void **state)
{
    struct story story = applied_by("helm", WHOLE, (struct entry)UPDATES("kubectl-edit", IMAGE));
    const struct finding *found =
        expect_finding(judge_stored(state, &story), RULE_next_conflict, ACTION_WARN, PRINTED_IMAGE);
    expect_text(
        found->message,
        "Deployment default/web: kubectl edit holds a's image, so the next helm upgrade fails with a "
        "conflict; hand it over: applyguard migrate "
        "deployment.apps/web -n default --from kubectl-edit --to helm -o command");
    assert_int_equal(found->previous_owner_count, 1);
    expect_part(found->previous_owners[0].name, "kubectl-edit");
}

static void a_shared_field_conflicts_once_it_changes(void **state)
{
    static const char *const others[] = {"kubectl-edit", "some-operator", "kube-controller-manager"};
    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        struct story story = applied_by("helm", WHOLE, (struct entry)UPDATES(others[i], ".spec.replicas"));
        expect_part(
            expect_finding(judge_stored(state, &story), RULE_next_conflict, ACTION_WARN, ".spec.replicas")
                ->message,
            "fails with a conflict once the chart or its values changes it; hand it over");
    }
    /* The versions of an autoscaler call a field by one name. */
    struct story story = {
        .group = "autoscaling",
        .kind = "HorizontalPodAutoscaler",
        .new =
            {.body = "'spec':{'minReplicas':1,'maxReplicas':2}",
             .entries =
                 {APPLIES("helm", ".spec.minReplicas .spec.maxReplicas", .api_version = "autoscaling/v1"),
                  UPDATES("kubectl-edit", ".spec.maxReplicas", .api_version = "autoscaling/v2")}},
    };
    expect_finding(judge_stored(state, &story), RULE_next_conflict, ACTION_WARN, ".spec.maxReplicas");
}

/* Tools that force, tools of the same name, other appliers, and what only looks like a shared field. */
static void what_does_not_conflict_is_silent(void **state)
{
    struct story stories[] = {
        applied_by("kustomize-controller", WHOLE, (struct entry)UPDATES("kubectl-edit", IMAGE)),
        applied_by("argocd-controller", WHOLE, (struct entry)UPDATES("kubectl-edit", ".spec.replicas")),
        applied_by("helm", WHOLE, (struct entry)UPDATES("helm", ".spec.replicas")),
        applied_by("helm", WHOLE, (struct entry)APPLIES("kubectl", ".spec.replicas")),
        applied_by("kubectl", WHOLE, (struct entry)UPDATES("kubectl-client-side-apply", ".spec.replicas")),
        applied_by(
            "helm", WHOLE,
            (struct entry)UPDATES("kubectl-edit", ".spec.template.spec.containers[name=a].name")),
        applied_by("helm", WHOLE, (struct entry)UPDATES("kubectl-edit", ".spec.minReadySeconds")),
        applied_by(
            "helm", WHOLE,
            (struct entry)UPDATES("kubectl-edit", ".spec.replicas", .api_version = "apps/v1beta1")),
        /* A few fields: the image may be in another manifest. */
        applied_by(
            "helm", ".spec.template.spec.containers[name=a]. .spec.template.spec.containers[name=a].name",
            (struct entry)UPDATES("kubectl-edit", IMAGE)),
        /* No tool applies it. */
        {.new =
             {.body = WORKLOAD, .entries = {UPDATES("a", ".spec.replicas"), UPDATES("b", ".spec.replicas")}}},
    };
    for (size_t i = 0; i < ARRAY_SIZE(stories); i++)
        expect_silence(judge_stored(state, &stories[i]), RULE_next_conflict);
}

/* A request has no finding of it. */
static void requests_are_silent(void **state)
{
    struct story story = applied_by("helm", WHOLE, (struct entry)UPDATES("kubectl-edit", IMAGE));
    expect_silence(judge_story(*state, STRICT, &story), RULE_next_conflict);
}

/* With many managers and broken sets it ends, and says what was not judged. */
static void hostile_sets_end(void **state)
{
    struct story story =
        applied_by("helm", WHOLE, (struct entry)UPDATES("kubectl-edit", "{'f:spec':{'x':{}}}"));
    for (size_t i = 2; i < ENTRIES_MAX; i++)
        story.new.entries[i] = (struct entry)UPDATES("x", ".spec.replicas", .api_version = "apps/v1");
    judge_stored(state, &story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_taken_image_conflicts, court_open, court_close),
        cmocka_unit_test_setup_teardown(a_shared_field_conflicts_once_it_changes, court_open, court_close),
        cmocka_unit_test_setup_teardown(what_does_not_conflict_is_silent, court_open, court_close),
        cmocka_unit_test_setup_teardown(requests_are_silent, court_open, court_close),
        cmocka_unit_test_setup_teardown(hostile_sets_end, court_open, court_close),
    };
    return cmocka_run_group_tests_name("next-conflict", tests, NULL, NULL);
}
