/*
 * manager-identity: a field manager's name is used by a user whom the policy does not allow it.
 */
#include "tests/unit/review_builder.h"

#define BOUND(bindings) "rules: {manager-identity: {action: deny, bindings: [" bindings "]}}\n"
#define ARGOCD BOUND("{manager: 'argocd-*', serviceAccounts: ['argocd/*']}")
#define ACCOUNT "system:serviceaccount:argocd:application-controller"

static struct story applied_by(const char *user, const char *manager)
{
    return (struct story){
        .user = user,
        .manager = manager,
        .new = {.body = "", .entries = {APPLIES(manager, ".spec.a")}},
    };
}

static void expect_free(void **state, const char *policy, struct story story)
{
    expect_silence(judge_story(*state, policy, &story), RULE_manager_identity);
}

static void expect_bound(void **state, const char *policy, struct story story)
{
    expect_finding(judge_story(*state, policy, &story), RULE_manager_identity, ACTION_DENY, "");
}

/* Without bindings nothing is bound, and without an action nothing is asked. */
static void rule_is_off_by_default(void **state)
{
    expect_free(state, STRICT, applied_by("alice", "argocd-controller"));
    expect_free(
        state, "rules: {manager-identity: {action: deny}}\n", applied_by("alice", "argocd-controller"));
    expect_free(
        state, "rules: {manager-identity: {bindings: [{manager: 'argocd-*', users: [bob]}]}}\n",
        applied_by("alice", "argocd-controller"));
}

/* The name belongs to another user: with any kubectl --field-manager. */
static void name_of_others_fires(void **state)
{
    struct story story = applied_by("alice", "argocd-controller");
    const struct finding *finding =
        expect_finding(judge_story(*state, ARGOCD, &story), RULE_manager_identity, ACTION_DENY, "");
    expect_text(
        finding->message,
        "Deployment default/web: alice uses the field manager name argocd-controller, which the policy "
        "reserves for others; use another name");
    expect_manager(&finding->writer, "argocd-controller", MANAGER_APPLY, "");
    expect_bound(state, ARGOCD, applied_by("system:serviceaccount:argo:argocd", "argocd-controller"));
    expect_bound(state, ARGOCD, applied_by("system:serviceaccount:argocd", "argocd-controller"));
}

/* Users, groups and service accounts: a match in any of the three allows, an absent list allows no user. */
static void whoever_is_bound_is_silent(void **state)
{
    expect_free(state, ARGOCD, applied_by(ACCOUNT, "argocd-controller"));
    expect_free(state, ARGOCD, applied_by("alice", "flux"));
    expect_free(state, BOUND("{manager: flux, users: ['a*']}"), applied_by("alice", "flux"));
    expect_bound(state, BOUND("{manager: flux, users: [bob]}"), applied_by("alice", "flux"));
    struct story story = applied_by("alice", "flux");
    story.groups = "'devs','sre'";
    expect_free(state, BOUND("{manager: flux, users: [bob], groups: ['s?e']}"), story);
    expect_bound(state, BOUND("{manager: flux, users: [bob], groups: [ops]}"), story);
}

/* Any of several bindings of one name may allow; bindings of other names do not count. */
static void any_binding_may_let_in(void **state)
{
    static const char policy[] = BOUND("{manager: flux, users: [bob]}, {manager: 'f*', users: [alice]},"
                                       "{manager: '*', users: [carol]}");
    expect_free(state, policy, applied_by("alice", "flux"));
    expect_free(state, policy, applied_by("carol", "helm"));
    expect_bound(state, policy, applied_by("alice", "helm"));
    expect_bound(state, policy, applied_by("dave", "flux"));
}

/* A dry run of Argo CD only compares, but a user who may not use its name is not Argo CD. */
static void dry_run_under_the_name_of_others_fires(void **state)
{
    struct story story = applied_by("alice", "argocd-controller");
    story.dry_run = true;
    expect_bound(state, ARGOCD, story);
}

/* The API server takes the name from the User-Agent: the entry shows it. */
static void name_of_the_user_agent_counts(void **state)
{
    struct story story = {
        .old = {.body = "", .entries = {APPLIES("flux", ".spec.a")}},
        .new =
            {.body = "",
             .entries = {APPLIES("flux", ".spec.a"), UPDATES("argocd-controller", ".spec.b", .time = NOW)}},
    };
    expect_bound(state, ARGOCD, story);
    /* A request that leaves no entry behind does not show its name. */
    story.new = story.old;
    expect_free(state, ARGOCD, story);
    story.manager = "argocd-controller";
    expect_bound(state, ARGOCD, story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(rule_is_off_by_default),        IN_COURT(name_of_others_fires),
        IN_COURT(whoever_is_bound_is_silent),    IN_COURT(any_binding_may_let_in),
        IN_COURT(name_of_the_user_agent_counts), IN_COURT(dry_run_under_the_name_of_others_fires),
    };
    return cmocka_run_group_tests_name("manager-identity", tests, NULL, NULL);
}
