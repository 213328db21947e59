/*
 * generic-manager: a write whose field manager does not identify its writer.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

/* A PUT by a client with this name, given or taken from its User-Agent. */
static struct story written_by(const char *name, bool given)
{
    return (struct story){
        .manager = given ? name : NULL,
        .old = {.body = "'spec':{'a':1}", .entries = {APPLIES("flux", ".spec.b")}},
        .new =
            {.body = "'spec':{'a':2}",
             .entries = {APPLIES("flux", ".spec.b"), UPDATES(name, ".spec.a", .time = NOW)}},
    };
}

/* A name from the User-Agent says that fieldManager is missing, a given one that it is poor. */
static void generic_names_fire(void **state)
{
    struct story story = written_by("curl", false);
    const struct finding *finding =
        expect_finding(judge_story(*state, BASELINE, &story), RULE_generic_manager, ACTION_AUDIT, "");
    expect_text(
        finding->message,
        "Deployment default/web: the client does not say who it is, so Kubernetes records \"curl\" as the "
        "owner; add ?fieldManager=NAME to the URL");
    story = written_by("manager", true);
    finding = expect_finding(judge_story(*state, STRICT, &story), RULE_generic_manager, ACTION_WARN, "");
    expect_text(
        finding->message,
        "Deployment default/web: the field manager name \"manager\" does not say who writes; set "
        "fieldManager to the name of your tool");
    static const char *const names[] = {"Mozilla", "node-fetch",        "python-requests", "unknown",
                                        "main",    "OpenAPI-Generator", "Go-http-client"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        story = written_by(names[i], false);
        expect_count(judge_story(*state, BASELINE, &story), RULE_generic_manager, 1);
    }
}

/* A User-Agent that identifies the writer is as good as a fieldManager. */
static void telling_names_are_silent(void **state)
{
    static const char *const names[] = {"kube-controller-manager", "k9s",      "kubectl", "kubectl-edit",
                                        "cert-manager-controller", "managers", "curly"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        struct story story = written_by(names[i], i % 2);
        expect_silence(judge_story(*state, STRICT, &story), RULE_generic_manager);
    }
}

/* A request that changes nothing writes no field in anybody's name. */
static void no_change_is_silent(void **state)
{
    struct story story = written_by("manager", true);
    story.old = story.new;
    expect_silence(judge_story(*state, STRICT, &story), RULE_generic_manager);
    story = written_by("curl", false);
    story.old = story.new;
    expect_silence(judge_story(*state, STRICT, &story), RULE_generic_manager);
}

/* A newer time shows a write to fields that it owned before. */
static void further_write_fires(void **state)
{
    struct story story = written_by("manager", true);
    story.old = story.new;
    story.old.entries[1].time = BEFORE;
    expect_count(judge_story(*state, STRICT, &story), RULE_generic_manager, 1);
}

/* The list of the policy replaces the names, and an action of deny denies. */
static void names_are_the_policys(void **state)
{
    static const char policy[] = "rules: {generic-manager: {action: deny, names: ['k9*']}}\n";
    struct story story = written_by("k9s", false);
    expect_finding(judge_story(*state, policy, &story), RULE_generic_manager, ACTION_DENY, "");
    story = written_by("curl", false);
    expect_silence(judge_story(*state, policy, &story), RULE_generic_manager);
}

/* A manager that wrote before gets no finding when others write. */
static void writes_of_others_are_silent(void **state)
{
    struct story story = written_by("kubectl-edit", true);
    story.old.entries[0] = story.new.entries[0] = (struct entry)UPDATES("manager", ".spec.b");
    expect_silence(judge_story(*state, STRICT, &story), RULE_generic_manager);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(generic_names_fire),    IN_COURT(telling_names_are_silent),
        IN_COURT(no_change_is_silent),   IN_COURT(further_write_fires),
        IN_COURT(names_are_the_policys), IN_COURT(writes_of_others_are_silent),
    };
    return cmocka_run_group_tests_name("generic-manager", tests, NULL, NULL);
}
