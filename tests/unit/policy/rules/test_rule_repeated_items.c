/*
 * duplicate-list-key and ambiguous-merge-key: list items that client-side apply takes for one another. Each
 * list is reported by one of the two rules.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define OWNS_ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"
#define CONTAINERS(members) "{'spec':{'template':{'spec':{'containers':[{'name':'a'," members "}]}}}}"
#define POD ".spec.template.spec"
#define CONTAINER POD ".containers[name=\"a\"]"

struct repeated_case {
    const char *group, *kind; /* NULL: a Deployment of apps */
    const char *declared;
    const char *duplicate; /* fields of duplicate-list-key; NULL: silent */
    const char *ambiguous; /* of ambiguous-merge-key */
};

static struct story applied(const struct repeated_case *test)
{
    return (struct story){
        .manager = "kubectl-client-side-apply",
        .group = test->group,
        .kind = test->kind,
        .new =
            {.body = "",
             .last_applied = test->declared,
             .entries = {UPDATES("kubectl-client-side-apply", OWNS_ANNOTATION, .time = NOW)}},
    };
}

static void expect_rule(
    const struct verdict *verdict, enum rule_id rule, const char *fields, const char *declared)
{
    size_t expected = fields ? 1 : 0;
    if (count_findings(verdict, rule) != expected)
        fail_msg("%s %s: %s", rules[rule].name, expected ? "is silent" : "fires", declared);
    if (fields)
        expect_finding(verdict, rule, rule == RULE_duplicate_list_key ? ACTION_DENY : ACTION_WARN, fields);
}

static void check_cases(void **state, const struct repeated_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct story story = applied(&cases[i]);
        const struct verdict *verdict = judge_story(*state, STRICT, &story);
        expect_rule(verdict, RULE_duplicate_list_key, cases[i].duplicate, cases[i].declared);
        expect_rule(verdict, RULE_ambiguous_merge_key, cases[i].ambiguous, cases[i].declared);
    }
}

#define CHECK(state, cases) check_cases(state, cases, ARRAY_SIZE(cases))

static void same_keys_are_duplicates(void **state)
{
    static const struct repeated_case cases[] = {
        {.declared = CONTAINERS("'env':[{'name':'A','value':'1'},{'name':'B'},{'name':'A','value':'2'}]"),
         .duplicate = CONTAINER ".env[name=\"A\"]"},
        {.declared = CONTAINERS("'ports':[{'containerPort':80},{'containerPort':80,'protocol':'TCP'}]"),
         .duplicate = CONTAINER ".ports[containerPort=80]"},
        {.declared = "{'spec':{'template':{'spec':{'volumes':[{'name':'v'},{'name':'v'},{'name':'v'}]}}}}",
         .duplicate = POD ".volumes[name=\"v\"]"},
        {.declared = "{'spec':{'template':{'spec':{'initContainers':[{'name':'i','env':[{'name':'A'},{'name':"
                     "'A'}]}]}}}}",
         .duplicate = POD ".initContainers[name=\"i\"].env[name=\"A\"]"},
        {.group = "batch",
         .kind = "CronJob",
         .declared = "{'spec':{'jobTemplate':{'spec':{'template':{'spec':{'containers':[{'name':'a'},{'name':"
                     "'a'}]}}}}}}",
         .duplicate = ".spec.jobTemplate.spec.template.spec.containers[name=\"a\"]"},
    };
    CHECK(state, cases);
}

static void same_merge_keys_are_ambiguous(void **state)
{
    static const struct repeated_case cases[] = {
        {.declared = CONTAINERS("'ports':[{'containerPort':53},{'containerPort':53,'protocol':'UDP'}]"),
         .ambiguous = CONTAINER ".ports[containerPort=53]"},
        {.group = "",
         .kind = "Service",
         .declared =
             "{'spec':{'ports':[{'port':53,'protocol':'UDP'},{'port':80},{'port':53,'protocol':'TCP'}]}}",
         .ambiguous = ".spec.ports[port=53]"},
        {.declared = "{'spec':{'template':{'spec':{'topologySpreadConstraints':["
                     "{'topologyKey':'zone','whenUnsatisfiable':'DoNotSchedule'},"
                     "{'topologyKey':'zone','whenUnsatisfiable':'ScheduleAnyway'}]}}}}",
         .ambiguous = POD ".topologySpreadConstraints[topologyKey=\"zone\"]"},
    };
    CHECK(state, cases);
}

/* A list is reported by one rule: by the worse, where it has both troubles. */
static void each_list_is_reported_once(void **state)
{
    static const struct repeated_case cases[] = {
        {.declared = CONTAINERS("'ports':[{'containerPort':53},{'containerPort':53,'protocol':'UDP'},"
                                "{'containerPort':53,'protocol':'UDP'}]"),
         .duplicate = CONTAINER ".ports[containerPort=53]"},
        {.declared = CONTAINERS("'ports':[{'containerPort':53},{'containerPort':53,'protocol':'UDP'}],"
                                "'env':[{'name':'A'},{'name':'A'}]"),
         .duplicate = CONTAINER ".env[name=\"A\"]",
         .ambiguous = CONTAINER ".ports[containerPort=53]"},
    };
    CHECK(state, cases);
}

/* Different keys, keys that are not declared, lists whose keys are not known, custom resources. */
static void the_rest_is_silent(void **state)
{
    static const struct repeated_case cases[] = {
        {.declared = CONTAINERS("'ports':[{'containerPort':80},{'containerPort':81,'protocol':'UDP'}]")},
        {.declared =
             CONTAINERS("'ports':[{'containerPort':80,'name':'a'},{'containerPort':'80','name':'a'}]")},
        {.declared = CONTAINERS(
             "'env':[{'value':'1'},{'value':'2'},{'name':null},{'name':null},{'name':{}},1,null]")},
        {.declared = CONTAINERS("'args':['-v','-v'],'envFrom':[{'prefix':'a'},{'prefix':'a'}]")},
        {.declared = CONTAINERS("'env':{'name':'A'}")},
        {.declared = "{'spec':{'env':[{'name':'A'}],'unknown':[{'name':'a'},{'name':'a'}]}}"},
        {.group = "example.com",
         .kind = "Widget",
         .declared = CONTAINERS("'env':[{'name':'A'},{'name':'A'}]")},
        {.declared = "{'metadata':{'name':'original'},'spec':{'template':{'spec':{'volumes':[{'name':'v'},{'"
                     "name':'v'}]}}}}"},
    };
    CHECK(state, cases);
}

/* Reported to the writer of the annotation; kubectl's bookkeeping with a server-side apply writes it, but no
 * merge uses it. */
static void who_declares_nothing_is_not_reported(void **state)
{
    static const struct repeated_case test = {
        .declared = CONTAINERS("'ports':[{'containerPort':53},{'containerPort':53,'protocol':'UDP'}]")};
    struct story story = applied(&test);
    story.old = story.new;
    story.manager = "kubectl-label";
    expect_silence(judge_story(*state, STRICT, &story), RULE_ambiguous_merge_key);
    story = applied(&test);
    story.manager = "kubectl-last-applied";
    story.new.entries[0] = (struct entry)APPLIES("kubectl-last-applied", OWNS_ANNOTATION, .time = NOW);
    expect_silence(judge_story(*state, STRICT, &story), RULE_ambiguous_merge_key);
}

static void messages_say_what_to_do(void **state)
{
    static const struct repeated_case test = {
        .declared = CONTAINERS("'ports':[{'containerPort':53},{'containerPort':53,'protocol':'UDP'}],"
                               "'env':[{'name':'A'},{'name':'A'}]")};
    struct story story = applied(&test);
    const struct verdict *verdict = judge_story(*state, BASELINE, &story);
    expect_text(
        expect_finding(verdict, RULE_ambiguous_merge_key, ACTION_WARN, CONTAINER ".ports[containerPort=53]")
            ->message,
        "Deployment default/web: a's ports[containerPort=53] is repeated, which is fine, but client-side "
        "apply may change the wrong one; use --server-side");
    expect_text(
        expect_finding(verdict, RULE_duplicate_list_key, ACTION_WARN, CONTAINER ".env[name=\"A\"]")->message,
        "Deployment default/web: the manifest lists a's env[name=\"A\"] twice; delete one before the "
        "next apply; deleting it later removes both");
}

/* More than a finding lists are counted. */
static void many_items_are_counted(void **state)
{
    char declared[8192] = "{'spec':{'template':{'spec':{'volumes':[{'name':'v'}";
    size_t length = strlen(declared);
    for (int i = 0; i < 2 * (FINDING_FIELDS_MAX + 3); i++)
        length += (size_t)snprintf(declared + length, sizeof(declared) - length, ",{'name':'v%d'}", i / 2);
    snprintf(declared + length, sizeof(declared) - length, "]}}}}");
    const struct repeated_case test = {.declared = declared};
    struct story story = applied(&test);
    const struct finding *finding = finding_of(judge_story(*state, STRICT, &story), RULE_duplicate_list_key);
    assert_int_equal(finding->field_count, FINDING_FIELDS_MAX);
    assert_int_equal(finding->field_total, FINDING_FIELDS_MAX + 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(same_keys_are_duplicates),
        IN_COURT(same_merge_keys_are_ambiguous),
        IN_COURT(each_list_is_reported_once),
        IN_COURT(the_rest_is_silent),
        IN_COURT(who_declares_nothing_is_not_reported),
        IN_COURT(messages_say_what_to_do),
        IN_COURT(many_items_are_counted),
    };
    return cmocka_run_group_tests_name("repeated items", tests, NULL, NULL);
}
