/*
 * Values that the API server fills in: its owner has perhaps never written it, so its change gets no finding.
 * Any other value was written by a manager. The table of Kubernetes' defaults.go, with the nearest value that
 * is not a default.
 */
#include "tests/unit/parse.h"

#include "base/array_size.h"
#include "policy/analysis/defaults.h"

static bool may_be_default(struct arena *arena, const char *field, const char *json)
{
    const struct path path = {.depth = 1, .kind = PATH_FIELD, .text = slice_of(field)};
    return value_may_be_default(&path, parse_json(arena, slice_of(json)));
}

static void defaults_are_known_by_field_and_value(void **state)
{
    (void)state;
    static const struct {
        const char *field, *value, *other;
    } rows[] = {
        {"replicas", "1", "2"},
        {"revisionHistoryLimit", "10", "11"},
        {"progressDeadlineSeconds", "600", "601"},
        {"partition", "0", "1"},
        {"type", "\"RollingUpdate\"", "\"Recreate\""},
        {"type", "\"ClusterIP\"", "\"NodePort\""},
        {"type", "\"Opaque\"", "\"kubernetes.io/tls\""},
        {"maxSurge", "\"25%\"", "\"24%\""},
        {"maxSurge", "0", "1"},
        {"maxUnavailable", "\"25%\"", "\"26%\""},
        {"maxUnavailable", "1", "0"},
        {"podManagementPolicy", "\"OrderedReady\"", "\"Parallel\""},
        {"whenDeleted", "\"Retain\"", "\"Delete\""},
        {"suspend", "false", "true"},
        {"concurrencyPolicy", "\"Allow\"", "\"Forbid\""},
        {"successfulJobsHistoryLimit", "3", "2"},
        {"failedJobsHistoryLimit", "1", "0"},
        {"completions", "1", "2"},
        {"parallelism", "1", "0"},
        {"backoffLimit", "6", "5"},
        {"manualSelector", "false", "true"},
        {"minReplicas", "1", "2"},
        {"restartPolicy", "\"Always\"", "\"Never\""},
        {"dnsPolicy", "\"ClusterFirst\"", "\"Default\""},
        {"terminationGracePeriodSeconds", "30", "31"},
        {"enableServiceLinks", "true", "false"},
        {"imagePullPolicy", "\"Always\"", "\"Never\""},
        {"imagePullPolicy", "\"IfNotPresent\"", "\"ifNotPresent\""},
        {"protocol", "\"TCP\"", "\"UDP\""},
        {"path", "\"/\"", "\"/x\""},
        {"timeoutSeconds", "1", "2"},
        {"timeoutSeconds", "10800", "10801"},
        {"periodSeconds", "10", "9"},
        {"successThreshold", "1", "2"},
        {"failureThreshold", "3", "4"},
        {"defaultMode", "420", "421"},
        {"mode", "420", "419"},
        {"allocateLoadBalancerNodePorts", "true", "false"},
        {"publishNotReadyAddresses", "false", "true"},
        {"persistentVolumeReclaimPolicy", "\"Retain\"", "\"Delete\""},
        {"reclaimPolicy", "\"Delete\"", "\"Retain\""},
        {"selectPolicy", "\"Max\"", "\"Min\""},
        {"stabilizationWindowSeconds", "0", "300"},
        {"expirationSeconds", "3600", "7200"},
        {"volumeMode", "\"Filesystem\"", "\"Block\""},
        {"failurePolicy", "\"Fail\"", "\"Ignore\""},
        {"resources", "{}", "{\"limits\":{}}"},
        {"args", "[]", "[\"x\"]"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (!may_be_default(arena, rows[i].field, rows[i].value))
            fail_msg("%s: %s is what the API server fills in", rows[i].field, rows[i].value);
        if (may_be_default(arena, rows[i].field, rows[i].other))
            fail_msg("%s: %s is what somebody wrote", rows[i].field, rows[i].other);
    }
    arena_destroy(arena);
}

/* A number in a text, a fraction, a text for a truth value and a null are not what the API server fills in.
 */
static void other_types_are_no_defaults(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    assert_false(may_be_default(arena, "replicas", "\"1\""));
    assert_false(may_be_default(arena, "replicas", "1.0"));
    assert_false(may_be_default(arena, "suspend", "\"false\""));
    assert_false(may_be_default(arena, "suspend", "null"));
    assert_false(may_be_default(arena, "replica", "1"));
    arena_destroy(arena);
}

static bool may_be_default_of_item(struct arena *arena, const char *key, const char *field, const char *json)
{
    const struct path item = {.depth = 1, .kind = PATH_KEY, .json = parse_json(arena, slice_of(key))};
    const struct path path = path_member(&item, slice_of(field));
    return value_may_be_default(&path, parse_json(arena, slice_of(json)));
}

/* A webhook waits for ten seconds where a probe waits for one, and a Service's port leads to the same one. */
static void some_defaults_are_those_of_items(void **state)
{
    (void)state;
    static const char webhook[] = "{\"name\":\"a.example.com\"}",
                      port[] = "{\"port\":80,\"protocol\":\"TCP\"}";
    struct arena *arena = arena_create();
    assert_true(may_be_default_of_item(arena, webhook, "timeoutSeconds", "10"));
    assert_false(may_be_default_of_item(arena, webhook, "timeoutSeconds", "11"));
    assert_false(may_be_default(arena, "timeoutSeconds", "10"));
    assert_true(may_be_default_of_item(arena, port, "targetPort", "80"));
    assert_false(may_be_default_of_item(arena, port, "targetPort", "8080"));
    assert_false(may_be_default_of_item(arena, port, "targetPort", "\"80\""));
    assert_false(may_be_default_of_item(arena, webhook, "targetPort", "80"));
    assert_false(may_be_default_of_item(arena, webhook, "targetPort", "null"));
    assert_false(may_be_default(arena, "targetPort", "80"));
    arena_destroy(arena);
}

/* Items of lists have no defaults: the field above them has. */
static void items_are_no_defaults(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct path item = {.depth = 1, .kind = PATH_INDEX, .text = SLICE("replicas")};
    assert_false(value_may_be_default(&item, parse_json(arena, SLICE("1"))));
    assert_false(value_may_be_default(&item, parse_json(arena, SLICE("{}"))));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_known_by_field_and_value),
        cmocka_unit_test(other_types_are_no_defaults),
        cmocka_unit_test(some_defaults_are_those_of_items),
        cmocka_unit_test(items_are_no_defaults),
    };
    return cmocka_run_group_tests_name("defaults", tests, NULL, NULL);
}
