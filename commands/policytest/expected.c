#include "commands/policytest/expected.h"

#include "base/array_size.h"

#include <stddef.h>

/*
 * Reading
 */

/* A request has no findings of rules for manifests or stored objects. */
static int read_rule(const struct config_value *value, void *target)
{
    enum rule_id *rule = target;
    if (config_expect_text(value, "ownership-conflict") < 0 || config_find_rule(value, value->node, rule) < 0)
        return -1;
    if (rules[*rule].scope != SCOPE_REVIEW)
        return config_refuse(
            value, "is never found in a request: only `applyguard %s` judges by %s",
            rules[*rule].scope == SCOPE_MANIFEST ? "check" : "scan", rules[*rule].name);
    if (*rule == RULE_contested_field)
        return config_refuse(value, "is never found in a single request: contested-field counts several");
    return 0;
}

static const struct config_key finding_keys[] = {
    {.name = "rule", .read = read_rule, .offset = offsetof(struct test_expected, rule), .required = true},
    {.name = "action", .read = config_read_action, .offset = offsetof(struct test_expected, action)},
    {.name = "policyAction",
     .read = config_read_action,
     .offset = offsetof(struct test_expected, policy_action)},
    {.name = "fields", .read_each = config_read_path, .offset = offsetof(struct test_expected, fields)},
    {.name = "taker", .read = config_read_text, .offset = offsetof(struct test_expected, writer)},
    {.name = "losers",
     .read_each = config_read_text,
     .offset = offsetof(struct test_expected, previous_owners)},
};

static int read_finding(const struct config_value *value, void *target)
{
    static const struct config_keys keys = {
        finding_keys, ARRAY_SIZE(finding_keys), "{rule: ownership-conflict, action: deny}"};
    struct test_expected *expected = target;
    expected->has_action = yaml_member(value->node, SLICE("action"));
    expected->has_policy_action = yaml_member(value->node, SLICE("policyAction"));
    expected->has_fields = yaml_member(value->node, SLICE("fields"));
    expected->has_writer = yaml_member(value->node, SLICE("taker"));
    expected->has_previous_owners = yaml_member(value->node, SLICE("losers"));
    if (config_read_map(value, &keys, expected) < 0)
        return -1;
    bool is_off = (expected->has_action && expected->action == ACTION_OFF) ||
        (expected->has_policy_action && expected->policy_action == ACTION_OFF);
    if (is_off)
        return config_refuse(value, "expects the action off, which no finding has; leave the finding out");
    return 0;
}

static int read_findings(const struct config_value *value, void *target)
{
    struct test_case *each = target;
    if (value->node->kind == YAML_KIND_LIST && value->node->count > TEST_EXPECTED_MAX)
        return config_refuse(value, "has more than %d findings; no review has as many", TEST_EXPECTED_MAX);
    each->expected =
        config_read_list(value, read_finding, sizeof(struct test_expected), &each->expected_count);
    return each->expected ? 0 : -1;
}

int expected_read(const struct config_value *value, void *target)
{
    static const struct config_key at_least[] = {
        {.name = "atLeast", .read = read_findings, .required = true}};
    static const struct config_keys keys = {
        at_least, ARRAY_SIZE(at_least), "{atLeast: [{rule: mixed-apply}]}"};
    struct test_case *each = target;
    each->has_expected = true;
    each->is_at_least = value->node->kind == YAML_KIND_MAP;
    return each->is_at_least ? config_read_map(value, &keys, each) : read_findings(value, each);
}

/*
 * Comparing
 */

/* A finding lists only its first fields: if it has more, only the listed ones are compared. */
static bool fits_fields(const struct slice_list *expected, const struct finding *finding)
{
    for (size_t i = 0; i < finding->field_count; i++)
        if (!slice_is_in(finding->fields[i], expected->items, expected->count))
            return false;
    for (size_t i = 0; i < expected->count && finding->field_total == finding->field_count; i++)
        if (!slice_is_in(expected->items[i], finding->fields, finding->field_count))
            return false;
    return true;
}

static bool has_previous_owner(const struct finding *finding, struct slice name)
{
    for (size_t i = 0; i < finding->previous_owner_count; i++)
        if (slice_equal(finding->previous_owners[i].name, name))
            return true;
    return false;
}

static bool fits_previous_owners(const struct slice_list *expected, const struct finding *finding)
{
    for (size_t i = 0; i < finding->previous_owner_count; i++)
        if (!slice_is_in(finding->previous_owners[i].name, expected->items, expected->count))
            return false;
    for (size_t i = 0; i < expected->count; i++)
        if (!has_previous_owner(finding, expected->items[i]))
            return false;
    return true;
}

static bool fits(const struct test_expected *expected, const struct finding *finding)
{
    return expected->rule == finding->rule &&
        (!expected->has_action || expected->action == finding->action) &&
        (!expected->has_policy_action || expected->policy_action == finding->policy_action) &&
        (!expected->has_fields || fits_fields(&expected->fields, finding)) &&
        (!expected->has_writer ||
         (finding->has_writer && slice_equal(expected->writer, finding->writer.name))) &&
        (!expected->has_previous_owners || fits_previous_owners(&expected->previous_owners, finding));
}

/* Pairs expected findings with actual ones: each has at most one partner. */
struct pairing {
    const struct verdict *verdict;
    bool fits[TEST_EXPECTED_MAX][VERDICT_FINDINGS_MAX];
    bool is_seen[VERDICT_FINDINGS_MAX];
    size_t partner[VERDICT_FINDINGS_MAX]; /* for each finding: 1 + the index of the expected one; 0: none */
};

/*
 * An expected finding may fit two findings, one of which fits another expected one: then pairs are
 * rearranged.
 */
static bool pair(struct pairing *pairing, size_t expected)
{
    for (size_t i = 0; i < pairing->verdict->finding_count; i++) {
        if (!pairing->fits[expected][i] || pairing->is_seen[i])
            continue;
        pairing->is_seen[i] = true;
        if (!pairing->partner[i] || pair(pairing, pairing->partner[i] - 1)) {
            pairing->partner[i] = expected + 1;
            return true;
        }
    }
    return false;
}

static void compare_findings(
    const struct test_case *each, const struct verdict *verdict, struct difference *difference)
{
    struct pairing pairing = {.verdict = verdict};
    for (size_t i = 0; i < each->expected_count; i++)
        for (size_t j = 0; j < verdict->finding_count; j++)
            pairing.fits[i][j] = fits(&each->expected[i], &verdict->findings[j]);
    for (size_t i = 0; i < each->expected_count; i++) {
        memset(pairing.is_seen, 0, sizeof(pairing.is_seen));
        difference->is_missing[i] = !pair(&pairing, i);
        difference->missing_count += difference->is_missing[i];
    }
    for (size_t i = 0; i < verdict->finding_count && !each->is_at_least; i++) {
        difference->is_unexpected[i] = !pairing.partner[i];
        difference->unexpected_count += difference->is_unexpected[i];
    }
}

bool expected_compare(
    const struct test_case *each, const struct verdict *verdict, struct difference *difference)
{
    *difference = (struct difference){0};
    difference->allowed_differs = each->has_allowed && each->allowed != verdict->allowed;
    if (each->has_expected)
        compare_findings(each, verdict, difference);
    return !difference->allowed_differs && !difference->missing_count && !difference->unexpected_count;
}
