/*
 * Which overrides are for a review, and which have expired. A wrong match refuses the wrong people, or lets
 * them by.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#include "policy/verdict/overrides.h"

/* Whether an override with this match, which turns the rule off, is for the story. */
static bool matches(void **state, const struct story *story, const char *match)
{
    char policy[1024];
    snprintf(
        policy, sizeof(policy),
        STRICT "overrides: [{match: {%s}, rules: {ownership-conflict: {action: \"off\"}}}]\n", match);
    return count_findings(judge_story(*state, policy, story), RULE_ownership_conflict) == 0;
}

struct match_case {
    const char *match;
    bool matches;
};

static void check_cases(void **state, const struct story *story, const struct match_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (matches(state, story, cases[i].match) != cases[i].matches)
            fail_msg("{%s} %s", cases[i].match, cases[i].matches ? "does not match" : "matches");
    }
}

#define CHECK(state, story, cases) check_cases(state, story, cases, ARRAY_SIZE(cases))

/* Globs of names that the request carries. */
static void names_match_by_glob(void **state)
{
    static const struct match_case cases[] = {
        {"namespaces: [default]", true},
        {"namespaces: [\"def*\"]", true},
        {"namespaces: [other, default]", true},
        {"namespaces: [defaul]", false},
        {"namespaces: [\"\"]", false},
        {"kinds: [Deployment.apps]", true},
        {"kinds: [\"*.apps\"]", true},
        {"kinds: [Deployment]", false},
        {"kinds: [\"Deployment*\"]", true},
        {"users: [alice]", true},
        {"users: [\"*\"]", true},
        {"users: [bob]", false},
        {"users: [Alice]", false},
        {"managers: [kubectl-edit]", true},
        {"managers: [\"kubectl-*\"]", true},
        {"managers: [flux]", false},
        {"operations: [UPDATE]", true},
        {"operations: [CREATE]", false},
        {"operations: [CREATE, UPDATE]", true},
    };
    struct story story = plain_edit();
    CHECK(state, &story, cases);
}

/* No list, or an empty one, is for all; of several lists all must match. */
static void all_lists_must_match(void **state)
{
    static const struct match_case cases[] = {
        {"", true},
        {"namespaces: []", true},
        {"namespaces: [], users: [bob]", false},
        {"namespaces: [default], users: [alice], kinds: [Deployment.apps], managers: [kubectl-edit]", true},
        {"namespaces: [default], users: [bob]", false},
        {"namespaces: [other], users: [alice]", false},
        {"namespaces: [default], groups: [nobody]", false},
    };
    struct story story = plain_edit();
    CHECK(state, &story, cases);
}

/* The object's own name; it is the request's. */
static void object_names_match_by_glob(void **state)
{
    static const struct match_case cases[] = {
        {"names: [web]", true},  {"names: [\"w*\"]", true},     {"names: [api, web]", true},
        {"names: [Web]", false}, {"names: [\"web-*\"]", false}, {"names: [web], namespaces: [x]", false},
    };
    struct story story = plain_edit();
    CHECK(state, &story, cases);
}

/* All labels must match; a value that is not a string does not count as a label. */
static void labels_match_by_glob(void **state)
{
    static const struct match_case cases[] = {
        {"labels: {app: web}", true},
        {"labels: {app: \"w*\", example.com/tier: \"?\"}", true},
        {"labels: {empty: \"\"}", true},
        {"labels: {empty: \"*\"}", true},
        {"labels: {app: api}", false},
        {"labels: {app: web, other: \"*\"}", false},
        {"labels: {number: \"*\"}", false},
        {"labels: {app: web}, names: [api]", false},
        {"labels: {}", true},
    };
    struct story story = plain_edit();
    story.old.metadata = story.new.metadata =
        "'labels':{'app':'web','example.com/tier':'1','empty':'','number':5}";
    CHECK(state, &story, cases);
    static const struct match_case none[] = {{"labels: {app: \"*\"}", false}, {"labels: {}", true}};
    story.old.metadata = story.new.metadata = NULL;
    CHECK(state, &story, none);
    story.old.metadata = "'labels':['app']";
    CHECK(state, &story, none);
}

/* A request neither gains a milder action by the label that it sets, nor escapes by removing one. */
static void stored_labels_decide(void **state)
{
    static const struct match_case has[] = {{"labels: {app: web}", true}, {"labels: {app: api}", false}};
    static const struct match_case lacks[] = {{"labels: {app: web}", false}};
    struct story story = plain_edit();
    story.old.metadata = "'labels':{'app':'web'}";
    CHECK(state, &story, has);
    story.new.metadata = "'labels':{'app':'api'}";
    CHECK(state, &story, has);
    story.old.metadata = "'labels':{}";
    story.new.metadata = "'labels':{'app':'web'}";
    CHECK(state, &story, lacks);
}

/* A created object has its own labels alone. */
static void labels_of_a_created_object_decide(void **state)
{
    struct story story = {
        .manager = "kubectl-create",
        .new = {.body = "'spec':{}", .metadata = "'labels':{'app':'web'}", .annotations = "'a':'b'"},
    };
    static const char policy[] = STRICT "rules: {oversized-annotations: {warnBytes: 1, denyBytes: 2}}\n"
                                        "overrides: [{match: {labels: {app: %s}}, mode: audit}]\n";
    static const char *const values[] = {"web", "api"};
    for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
        char text[512];
        snprintf(text, sizeof(text), policy, values[i]);
        assert_int_equal(judge_story(*state, text, &story)->allowed, i == 0);
    }
}

/* A user is in several groups; one of them is enough. */
static void groups_match_any_of_the_user(void **state)
{
    static const struct match_case cases[] = {
        {"groups: [sre-oncall]", true},
        {"groups: [\"system:*\"]", true},
        {"groups: [other, \"sre-*\"]", true},
        {"groups: [oncall]", false},
        {"groups: [\"\"]", false},
    };
    struct story story = plain_edit();
    story.groups = "'system:authenticated','sre-oncall'";
    CHECK(state, &story, cases);
    static const struct match_case none[] = {{"groups: [\"*\"]", false}, {"groups: []", true}};
    story.groups = NULL;
    CHECK(state, &story, none);
    /* A value that is not a string does not count as a group. */
    story.groups = "5,null,{},['sre-oncall']";
    CHECK(state, &story, none);
}

/* Policies write NAMESPACE/NAME; the user's name is longer and only the API server gives it. */
static void service_accounts_match_by_namespace_and_name(void **state)
{
    static const struct match_case cases[] = {
        {"serviceAccounts: [flux-system/kustomize-controller]", true},
        {"serviceAccounts: [\"flux-system/*\"]", true},
        {"serviceAccounts: [\"*/kustomize-controller\"]", true},
        {"serviceAccounts: [\"*/*\"]", true},
        {"serviceAccounts: [other/kustomize-controller]", false},
        {"serviceAccounts: [flux-system/helm-controller]", false},
        {"serviceAccounts: [flux-system/kustomize]", false},
        {"serviceAccounts: [\"flux/*\"]", false},
        {"users: [\"system:serviceaccount:flux-system:kustomize-controller\"]", true},
    };
    struct story story = plain_edit();
    story.user = "system:serviceaccount:flux-system:kustomize-controller";
    CHECK(state, &story, cases);
}

/* A person whose name only looks like it does not count as a service account. */
static void other_users_are_no_service_accounts(void **state)
{
    static const char *const users[] = {
        "flux-system:kustomize-controller",
        "flux-system/kustomize-controller",
        "system:serviceaccount:flux-system",
        "system:serviceaccount:",
        "system:serviceaccounts:flux-system:x",
        "xsystem:serviceaccount:flux-system:x",
        "",
    };
    struct story story = plain_edit();
    for (size_t i = 0; i < ARRAY_SIZE(users); i++) {
        story.user = users[i];
        if (matches(state, &story, "serviceAccounts: [\"*/*\"]"))
            fail_msg("\"%s\" is taken for a service account", users[i]);
    }
}

/* A star of the namespace does not reach into the name. */
static void star_stays_on_its_side_of_the_slash(void **state)
{
    struct story story = plain_edit();
    story.user = "system:serviceaccount:a:b";
    assert_true(matches(state, &story, "serviceAccounts: [\"a*/b\"]"));
    assert_false(matches(state, &story, "serviceAccounts: [\"a*b/x\"]"));
    assert_false(matches(state, &story, "serviceAccounts: [\"*:b/*\"]"));
}

/* A writer that the review does not show has no name to match, but for a star. */
static void unknown_writer_has_no_name(void **state)
{
    struct story story = plain_edit();
    story.manager = NULL;
    story.new.entries[0] = (struct entry){.manager = NULL};
    assert_false(matches(state, &story, "managers: [kubectl-edit]"));
    assert_false(matches(state, &story, "managers: [\"?*\"]"));
}

/* An override holds to the last second of the day that it names. */
static void expiry_is_exact(void **state)
{
    static const char policy[] =
        STRICT "overrides: [{match: {}, mode: audit, reason: test, expires: 2027-01-31}]\n";
    static const int64_t end = 1801440000; /* 2027-02-01T00:00:00Z */
    struct court *court = *state;
    struct story story = plain_edit();
    court->now = end - 1;
    assert_true(judge_story(court, policy, &story)->allowed);
    court->now = end;
    assert_false(judge_story(court, policy, &story)->allowed);
    court->now = INT64_MAX;
    assert_false(judge_story(court, policy, &story)->allowed);
    court->now = 0;
    assert_true(judge_story(court, policy, &story)->allowed);
}

/* Without a day it never ends. */
static void override_without_expiry_stays(void **state)
{
    struct court *court = *state;
    struct story story = plain_edit();
    court->now = INT64_MAX - 1;
    assert_true(judge_story(court, STRICT "overrides: [{match: {}, mode: audit}]\n", &story)->allowed);
}

/* Expired ones are named at load, and when they end while serving: each once, in the file's order. */
static void expiring_overrides_are_found(void **state)
{
    static const char policy[] = BASELINE "overrides:\n"
                                          "- {match: {}, mode: audit, expires: 2027-01-31}\n"
                                          "- {match: {}, mode: audit}\n"
                                          "- {match: {}, mode: warn, expires: 2027-01-30}\n"
                                          "- {match: {}, mode: warn, expires: 2027-01-31}\n";
    static const int64_t end = 1801440000; /* 2027-02-01T00:00:00Z */
    static const struct {
        int64_t since, until;
        size_t found[4]; /* indexes, then the number of overrides */
    } cases[] = {
        {INT64_MIN, end, {0, 2, 3, 4}}, {INT64_MIN, end - 1, {2, 4}}, {end - 1, end, {0, 3, 4}},
        {end, INT64_MAX - 1, {4}},      {INT64_MIN, 0, {4}},
    };
    struct court *court = *state;
    court_load(court, policy);
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        size_t index = 0, count = 0;
        for (; overrides_expiring(court->policy, cases[i].since, cases[i].until, &index); index++)
            assert_int_equal(index, cases[i].found[count++]);
        assert_int_equal(index, cases[i].found[count]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(names_match_by_glob),
        IN_COURT(all_lists_must_match),
        IN_COURT(object_names_match_by_glob),
        IN_COURT(labels_match_by_glob),
        IN_COURT(stored_labels_decide),
        IN_COURT(labels_of_a_created_object_decide),
        IN_COURT(groups_match_any_of_the_user),
        IN_COURT(service_accounts_match_by_namespace_and_name),
        IN_COURT(other_users_are_no_service_accounts),
        IN_COURT(star_stays_on_its_side_of_the_slash),
        IN_COURT(unknown_writer_has_no_name),
        IN_COURT(expiry_is_exact),
        IN_COURT(override_without_expiry_stays),
        IN_COURT(expiring_overrides_are_found),
    };
    return cmocka_run_group_tests_name("overrides", tests, NULL, NULL);
}
