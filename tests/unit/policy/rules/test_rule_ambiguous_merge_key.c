/*
 * ambiguous-merge-key: client-side apply goes by fewer keys than the API server, and mixes up items that only
 * differ in the others. The writer that causes it gets the finding; what a list may look like is in
 * test_rule_repeated_items.
 */
#include "tests/unit/policy/rules/declared_lists_story.h"

#define BODY(members) "'spec':{'template':{'spec':{'containers':[{'name':'c'," members "}]}}}"
#define ONE_PROTOCOL "'ports':[{'containerPort':53,'protocol':'TCP'}]"
#define BOTH_PROTOCOLS "'ports':[{'containerPort':53,'protocol':'TCP'},{'containerPort':53,'protocol':'UDP'}]"
#define PORT_53 POD_PATH ".containers[name=\"c\"].ports[containerPort=53]"

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_ambiguous_merge_key);
}

/* Every kind of container. */
static void all_containers_fire(void **state)
{
    struct story story = applied(POD("'initContainers':[{'name':'i'," TWO_PROTOCOLS "}],"
                                     "'ephemeralContainers':[{'name':'e'," TWO_PROTOCOLS "}]"));
    expect_finding(
        judge_story(*state, BASELINE, &story), RULE_ambiguous_merge_key, ACTION_WARN,
        POD_PATH ".initContainers[name=\"i\"].ports[containerPort=53] " POD_PATH
                 ".ephemeralContainers[name=\"e\"].ports[containerPort=53]");
}

/* duplicate-list-key reports a list with items of one key, with any other content. */
static void duplicates_are_reported_once(void **state)
{
    struct story story =
        applied(CONTAINER("'ports':[{'containerPort':53},{'containerPort':53,'protocol':'TCP'},"
                          "{'containerPort':53,'protocol':'UDP'}]"));
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_silence(verdict, RULE_ambiguous_merge_key);
    expect_count(verdict, RULE_duplicate_list_key, 1);
    story = applied(CONTAINER("'ports':[{'containerPort':80},{'containerPort':80},{'containerPort':53},"
                              "{'containerPort':53,'protocol':'UDP'}]"));
    verdict = judge_story(*state, STRICT, &story);
    expect_silence(verdict, RULE_ambiguous_merge_key);
    expect_count(verdict, RULE_duplicate_list_key, 1);
    /* With two lists, each rule reports one. */
    story = applied(CONTAINER(SAME_ENV "," TWO_PROTOCOLS));
    verdict = judge_story(*state, STRICT, &story);
    expect_finding(verdict, RULE_ambiguous_merge_key, ACTION_WARN, PORT_53);
    expect_count(verdict, RULE_duplicate_list_key, 1);
}

/* Server-side apply distinguishes them, and lists of custom resources are replaced whole. */
static void other_ways_and_kinds_are_silent(void **state)
{
    struct story story = applied(NULL);
    story.manager = "flux";
    story.new.body = BODY(BOTH_PROTOCOLS);
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.replicas", .time = NOW);
    expect_quiet(state, &story);
    story = applied(CONTAINER(TWO_PROTOCOLS));
    story.group = "example.com";
    expect_quiet(state, &story);
}

/* `manager` makes 53/UDP out of nothing on a Deployment that kubectl apply declares with 53/TCP. */
static struct story brought_about(const char *manager)
{
    return (struct story){
        .manager = manager,
        .old =
            {.body = BODY(ONE_PROTOCOL),
             .last_applied = CONTAINER(ONE_PROTOCOL),
             .entries = {UPDATES(CLIENT_SIDE, ANNOTATION)}},
        .new =
            {.body = BODY(BOTH_PROTOCOLS),
             .last_applied = CONTAINER(ONE_PROTOCOL),
             .entries = {UPDATES(CLIENT_SIDE, ANNOTATION), UPDATES(manager, ".spec.x", .time = NOW)}},
    };
}

/* A writer that adds an item with the key of one that client-side apply declares breaks the next apply. */
static void item_beside_a_declared_one_fires(void **state)
{
    struct story story = brought_about("kubectl-patch");
    const struct finding *finding =
        expect_finding(judge_story(*state, STRICT, &story), RULE_ambiguous_merge_key, ACTION_WARN, PORT_53);
    expect_text(
        finding->message,
        "Deployment default/web: kubectl patch repeats c's ports[containerPort=53], which is fine, but "
        "client-side apply may change the wrong one; use --server-side");
    story.old.body = BODY("'image':'x'");
    expect_count(judge_story(*state, STRICT, &story), RULE_ambiguous_merge_key, 1);
    /* A controller that is denied would only try again. */
    story = brought_about("my-operator");
    story.user = "system:serviceaccount:ops:operator";
    expect_finding(judge_story(*state, STRICT, &story), RULE_ambiguous_merge_key, ACTION_WARN, PORT_53);
}

/* Items of one name are no riddle to client-side apply, which goes by that name: another rule reports them.
 */
static void items_of_the_merge_key_itself_are_silent(void **state)
{
    struct story story = brought_about("kubectl-patch");
    story.old.body = BODY("'env':[{'name':'A','value':'1'}]");
    story.old.last_applied = story.new.last_applied = CONTAINER("'env':[{'name':'A','value':'1'}]");
    story.new.body = BODY("'env':[{'name':'A','value':'1'},{'name':'A','value':'2'}]");
    expect_quiet(state, &story);
}

/* A PodTemplate has no spec of its own: its pods stand right below. */
static void lists_outside_of_spec_fire(void **state)
{
    struct story story = brought_about("kubectl-patch");
    story.group = "";
    story.kind = "PodTemplate";
    story.old.body = "'template':{'spec':{'containers':[{'name':'c'," ONE_PROTOCOL "}]}}";
    story.old.last_applied = story.new.last_applied =
        "{'template':{'spec':{'containers':[{'name':'c'," ONE_PROTOCOL "}]}}}";
    story.new.body = "'template':{'spec':{'containers':[{'name':'c'," BOTH_PROTOCOLS "}]}}";
    expect_count(judge_story(*state, STRICT, &story), RULE_ambiguous_merge_key, 1);
}

/* An old ambiguity is not the writer's, and an undeclared item disturbs no apply. */
static void others_that_bring_nothing_about_are_silent(void **state)
{
    struct story story = brought_about("kubectl-patch");
    story.old.body = story.new.body;
    expect_quiet(state, &story);
    story.new.body = BODY(BOTH_PROTOCOLS ",'image':'x'");
    expect_quiet(state, &story);
    story.new.body =
        BODY("'ports':[{'containerPort':53,'protocol':'UDP'},{'containerPort':53,'protocol':'SCTP'}]");
    expect_quiet(state, &story);
    story.new.body = BODY(ONE_PROTOCOL);
    expect_quiet(state, &story);
    story = brought_about("kubectl-patch");
    story.old.last_applied = story.new.last_applied = CONTAINER("'ports':[{'containerPort':54}]");
    expect_quiet(state, &story);
    story.old.last_applied = story.new.last_applied = CONTAINER("'image':'x'");
    expect_quiet(state, &story);
    story.old.last_applied = story.new.last_applied = NULL;
    expect_quiet(state, &story);
}

/* A relic of client-side apply has no effect: kubectl goes over to server-side apply by adding a port. */
static void server_side_applied_objects_are_silent(void **state)
{
    struct story story = brought_about("kubectl");
    story.new.entries[1] = (struct entry)APPLIES("kubectl", ".spec.x", .time = NOW);
    expect_quiet(state, &story);
    /* The API server writes the annotation again for it. */
    story.new.last_applied = CONTAINER(BOTH_PROTOCOLS);
    expect_quiet(state, &story);
    story = brought_about("kubectl-patch");
    story.old.entries[1] = (struct entry)APPLIES("flux", ".spec.y");
    expect_quiet(state, &story);
}

/* The applier gets a finding about items that others have added to its list: a change of one may hit the
 * other. */
static void apply_onto_an_ambiguous_list_fires(void **state)
{
    struct story story = brought_about(CLIENT_SIDE);
    story.old.body = story.new.body;
    story.old.last_applied = "{}";
    story.new.entries[0].time = NOW;
    story.new.entries[1] = (struct entry){0};
    expect_finding(judge_story(*state, BASELINE, &story), RULE_ambiguous_merge_key, ACTION_WARN, PORT_53);
    /* Not of items that it does not declare. */
    story.new.last_applied = CONTAINER("'ports':[{'containerPort':80}]");
    expect_quiet(state, &story);
}

/* Client-side apply deletes by the port alone, and does not see that the manifest still has another protocol.
 */
static void losing_both_items_fires(void **state)
{
    struct story story = applied(CONTAINER("'ports':[{'containerPort':53,'protocol':'UDP'}],'image':'b'"));
    story.old = applied(CONTAINER(TWO_PROTOCOLS ",'image':'b'")).new;
    story.old.entries[0].time = NULL;
    story.old.entries[0].fields = ".spec.template.spec.containers[name=\"c\"].ports";
    story.new.body = "'spec':{'template':{'spec':{'containers':[{'name':'c','image':'b'}]}}}";
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    const struct finding *finding = expect_finding(verdict, RULE_ambiguous_merge_key, ACTION_WARN, PORT_53);
    expect_text(
        finding->message,
        "Deployment default/web: kubectl apply removes c's ports[containerPort=53], which the manifest had "
        "twice "
        "and still has; use --server-side --force-conflicts");
    expect_silence(verdict, RULE_duplicate_list_key);
    story.new.body =
        "'spec':{'template':{'spec':{'containers':[{'name':'c','image':'b','ports':[{'containerPort':53,"
        "'protocol':'UDP'}]}]}}}";
    expect_quiet(state, &story);
}

/* Lists as long as a request can carry, on all three sides. */
static void long_lists_are_judged(void **state)
{
    enum { ITEMS = 100000 };
    char *declared = long_list(
        "{'spec':{'template':{'spec':{'containers':[{'name':'c','ports':[", ITEMS, "{'containerPort':%zu}",
        "]}]}}}}");
    char *object = long_list(
        "'spec':{'template':{'spec':{'containers':[{'name':'c','ports':["
        "{'containerPort':7,'protocol':'UDP'},",
        ITEMS, "{'containerPort':%zu}", "]}]}}}");
    struct story story = brought_about("kubectl-patch");
    story.old.last_applied = story.new.last_applied = declared;
    story.new.body = object;
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_ambiguous_merge_key, ACTION_WARN,
        POD_PATH ".containers[name=\"c\"].ports[containerPort=7]");
    free(declared);
    free(object);
    /* One run of all items: no pair is compared twice. */
    declared = long_list(
        "{'spec':{'template':{'spec':{'containers':[{'name':'c','ports':[", ITEMS,
        "{'containerPort':1,'protocol':'P%zu'}", "]}]}}}}");
    story = applied(declared);
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_ambiguous_merge_key, ACTION_WARN,
        POD_PATH ".containers[name=\"c\"].ports[containerPort=1]");
    free(declared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(all_containers_fire),
        IN_COURT(duplicates_are_reported_once),
        IN_COURT(other_ways_and_kinds_are_silent),
        IN_COURT(items_of_the_merge_key_itself_are_silent),
        IN_COURT(item_beside_a_declared_one_fires),
        IN_COURT(lists_outside_of_spec_fire),
        IN_COURT(others_that_bring_nothing_about_are_silent),
        IN_COURT(server_side_applied_objects_are_silent),
        IN_COURT(apply_onto_an_ambiguous_list_fires),
        IN_COURT(losing_both_items_fires),
        IN_COURT(long_lists_are_judged),
    };
    return cmocka_run_group_tests_name("ambiguous-merge-key", tests, NULL, NULL);
}
