/*
 * Memory that runs out while manifests are checked: each allocation in turn, once and for ever after. The
 * report has all findings of an object, or says that memory ran out, and nothing leaks.
 */
#include "tests/torture/failing_memory.h"

#include "base/array_size.h"
#include "commands/check/check.h"

/* Files that concern each other in all ways: an autoscaler, an object twice, a field of two sources. */
static const char web[] =
    "apiVersion: apps/v1\n"
    "kind: Deployment\n"
    "metadata: {name: web, namespace: shop}\n"
    "spec:\n"
    "  replicas: 2 # applyguard:waive explicit-fields there is one\n"
    "  strategy: {type: Recreate, rollingUpdate: {}}\n"
    "  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: a}]}}\n";
static const char scaler[] =
    "apiVersion: autoscaling/v2\n"
    "kind: HorizontalPodAutoscaler\n"
    "metadata: {name: web, namespace: shop}\n"
    "spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n"
    "---\n"
    "apiVersion: v1\n"
    "kind: ConfigMap\n"
    "metadata: {name: c, namespace: shop}\n"
    "data: {a: on}\n";
static const char map[] = "apiVersion: v1\n"
                          "kind: ConfigMap\n"
                          "metadata: {name: c, namespace: shop}\n"
                          "data: {a: '1'}\n";

static const char former[] = "apiVersion: apiextensions.k8s.io/v1\n"
                             "kind: CustomResourceDefinition\n"
                             "metadata: {name: widgets.example.com}\n"
                             "spec: {versions: [{name: v1, schema: {openAPIV3Schema: {type: object, "
                             "properties: {a: {type: array}}}}}]}\n";
static const char definition[] =
    "apiVersion: apiextensions.k8s.io/v1\n"
    "kind: CustomResourceDefinition\n"
    "metadata: {name: widgets.example.com}\n"
    "spec: {versions: [{name: v1, schema: {openAPIV3Schema: {type: object, properties: {a: {type: array,\n"
    "  x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b, a]}}}}}]}\n";

static const struct check_input inputs[] = {
    {.path = "former.yaml", .has_text = true, .text = {former, sizeof(former) - 1}, .is_former = true},
    {.path = "definition.yaml", .has_text = true, .text = {definition, sizeof(definition) - 1}},
    {.path = "web.yaml", .has_text = true, .text = {web, sizeof(web) - 1}, .source = SLICE_LITERAL("a")},
    {.path = "again.yaml", .has_text = true, .text = {web, sizeof(web) - 1}, .source = SLICE_LITERAL("a")},
    {.path = "scaler.yaml",
     .has_text = true,
     .text = {scaler, sizeof(scaler) - 1},
     .source = SLICE_LITERAL("a")},
    {.path = "map.yaml", .has_text = true, .text = {map, sizeof(map) - 1}, .source = SLICE_LITERAL("b")},
};

static struct policy *policy;
static FILE *nowhere;

/* False if memory ran out. An object for which memory runs out is a problem in the report. */
static bool run(struct report_summary *summary)
{
    const struct report_options form = {
        .format = OUTPUT_JSON, .out = nowhere, .err = nowhere, .version = "", .pages = ""};
    struct check_result result;
    const struct check_options options = {
        .policy = policy,
        .applier = {.now = 1800000000},
        .inputs = inputs,
        .input_count = ARRAY_SIZE(inputs),
        .threads = 1,
        .fail_on = ACTION_DENY,
        .report = report_begin(&form),
    };
    if (!options.report)
        return false;
    bool is_whole = check_run(&options, &result);
    *summary = result.summary;
    return report_end(options.report, summary) == 0 && is_whole;
}

static bool check_again(void *data, size_t number)
{
    const struct report_summary *truth = data;
    struct report_summary summary;
    bool is_whole = run(&summary);
    if (is_whole && summary.problems == truth->problems && memcmp(&summary, truth, sizeof(summary)) != 0)
        fail_msg("allocation %zu fails, and a finding is missing", number);
    return is_whole;
}

static void all_is_told_or_that_there_is_no_memory(void **state)
{
    (void)state;
    struct report_summary truth;
    policy = policy_default();
    nowhere = fopen("/dev/null", "w");
    assert_non_null(policy);
    assert_non_null(nowhere);
    assert_true(run(&truth));
    assert_int_equal(truth.items, 6);
    assert_int_equal(truth.problems, 0);
    assert_true(truth.by_action[ACTION_WARN] + truth.by_action[ACTION_DENY] >= 7);
    fail_each_allocation(check_again, &truth, failures_of_each(400));
    fclose(nowhere);
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_told_or_that_there_is_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, tell_fault_points);
}
