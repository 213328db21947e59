/* The advice about a conflict is advice that the person who gets it can follow. */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define KAPP_ORIGINAL(configuration)                                                                         \
    "'kapp.k14s.io/original':'{\\'kind\\':\\'Deployment\\',\\'metadata\\':{\\'name\\':\\'web\\'},"           \
    "\\'spec\\':" configuration "}'"

static const struct entry autoscaler =
    UPDATES("kube-controller-manager", ".spec.replicas", .subresource = "scale");

static void expect_message(void **state, const struct story *story, const char *message)
{
    const struct verdict *verdict = judge_story(*state, BASELINE, story);
    expect_text(finding_of(verdict, RULE_ownership_conflict)->message, message);
}

/* An applier takes replicas from an autoscaler: each tool has its own way to leave them to it. */
static void replicas_are_left_by_each_tools_means(void **state)
{
    static const struct {
        struct entry applier;
        const char *annotations, *message;
    } cases[] = {
        {APPLIES("kustomize-controller", ".spec.replicas", .time = NOW), NULL,
         "Deployment default/web: Flux overwrites replicas, which an autoscaler controls; remove replicas "
         "from Git: the autoscaler sets its own"},
        {APPLIES("argocd-controller", ".spec.replicas", .time = NOW), NULL,
         "Deployment default/web: Argo CD overwrites replicas, which an autoscaler controls; ignore replicas "
         "in the Application (ignoreDifferences, and the sync option RespectIgnoreDifferences=true)"},
        {UPDATES("argocd-application-controller", ".spec.replicas", .time = NOW), NULL,
         "Deployment default/web: Argo CD replaces the object, which resets replicas although an autoscaler "
         "controls it; drop the sync option Replace=true"},
        {UPDATES("HashiCorp", ".spec.replicas", .time = NOW), NULL,
         "Deployment default/web: Terraform overwrites replicas, which an autoscaler controls; list replicas "
         "in ignore_changes of the resource"},
        {UPDATES("kapp", ".spec.replicas .metadata.annotations.{kapp.k14s.io/original}", .time = NOW),
         KAPP_ORIGINAL("{\\'replicas\\':3}"),
         "Deployment default/web: kapp overwrites replicas, which an autoscaler controls; add a rebase rule "
         "for .spec.replicas"},
        {UPDATES("kapp", ".spec.replicas .metadata.annotations.{kapp.k14s.io/original}", .time = NOW),
         KAPP_ORIGINAL("{}"),
         "Deployment default/web: kapp resets replicas, which an autoscaler controls, though its manifest "
         "does not set it; add a rebase rule for .spec.replicas"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct story story = {
            .manager = cases[i].applier.manager,
            .old = {.body = "'spec':{'replicas':8}", .entries = {autoscaler}},
            .new =
                {.body = "'spec':{'replicas':3}",
                 .annotations = cases[i].annotations,
                 .entries = {cases[i].applier}},
        };
        expect_message(state, &story, cases[i].message);
    }
}

/* Where the parent is known, the advice names it: of a pod the Deployment, not the ReplicaSet. */
static void parents_are_named(void **state)
{
    static const struct {
        const char *metadata, *parent;
    } cases[] = {
        {"'ownerReferences':[{'kind':'ScaledObject','name':'worker','controller':true}]",
         "change ScaledObject worker instead"},
        {"'labels':{'pod-template-hash':'79cb'},"
         "'ownerReferences':[{'kind':'ReplicaSet','name':'web-79cb','controller':true}]",
         "change Deployment web instead"},
        {"'ownerReferences':[{'kind':'ReplicaSet','name':'web','controller':true}]",
         "change ReplicaSet web instead"},
        {"'ownerReferences':[{'kind':'ScaledObject','name':'worker'}]",
         "change the settings of that controller instead"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct story story = {
            .manager = "kubectl-patch",
            .old =
                {.body = "'spec':{'a':1}",
                 .metadata = cases[i].metadata,
                 .entries = {UPDATES("keda-operator", ".spec.a")}},
            .new =
                {.body = "'spec':{'a':2}",
                 .metadata = cases[i].metadata,
                 .entries = {UPDATES("kubectl-patch", ".spec.a", .time = NOW)}},
        };
        char message[256];
        snprintf(
            message, sizeof(message),
            "Deployment default/web: kubectl patch changes a, which KEDA controls and may set again; %s",
            cases[i].parent);
        expect_message(state, &story, message);
    }
}

/*
 * A list that is owned as a whole also has items of its own: the message names the place that differs, and
 * does not advise to remove the list.
 */
static void lists_name_what_differs_in_them(void **state)
{
    static const struct {
        const char *before, *after, *field;
    } cases[] = {
        {"[{'name':'rs0','storage':1},{'name':'rs1'}]", "[{'name':'rs0','storage':2},{'name':'rs1'}]",
         "sets.storage of rs0"},
        {"[{'name':'rs0','disk':{'size':{'gi':1}}}]", "[{'name':'rs0','disk':{'size':{'gi':2}}}]",
         "sets.disk.size.gi of rs0"},
        {"[{'name':'rs0'},{'name':'rs1'}]", "[{'name':'rs0'}]", "sets (item rs1)"},
        {"[{'name':'rs0','disk':{'size':1,'cpu':1}}]", "[{'name':'rs0','disk':{'size':2,'cpu':2}}]",
         "sets.disk of rs0"},
        {"[{'name':'rs0','disk':1,'cpu':1}]", "[{'name':'rs0','disk':2}]", "sets of rs0"},
        {"[{'name':'rs0','disk':1}]", "[{'name':'rs0','disk':1,'cpu':1,'gpu':1}]", "sets of rs0"},
        {"[{'name':'rs0','disk':1}]", "[{'name':'rs0','disk':1,'cpu':1}]", "sets.cpu of rs0"},
        {"[{'http':{'paths':[1,2]}}]", "[{'http':{'paths':[1]}}]", "sets[0].http.paths"},
        {"['a','b']", "['a','c']", "sets[1]"},
        {"['a','b']", "['a']", "sets"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char before[128], after[128], message[256];
        snprintf(before, sizeof(before), "'spec':{'sets':%s}", cases[i].before);
        snprintf(after, sizeof(after), "'spec':{'sets':%s}", cases[i].after);
        const struct story story = {
            .group = "example.com",
            .kind = "Database",
            .manager = "kustomize-controller",
            .old = {.body = before, .entries = {UPDATES("keda-operator", ".spec.sets")}},
            .new = {.body = after, .entries = {APPLIES("kustomize-controller", ".spec.sets", .time = NOW)}},
        };
        snprintf(
            message, sizeof(message),
            "Database default/web: Flux overwrites %s, which KEDA controls and will set again; declare what "
            "it sets, or stop it from setting it",
            cases[i].field);
        expect_message(state, &story, message);
    }
}

/* A declared zero value is not stored, so nothing is left to remove. */
static void declared_zeros_are_not_to_be_removed(void **state)
{
    const struct story story = {
        .manager = "helm",
        .old = {.body = "'spec':{'caBundle':'eA=='}", .entries = {UPDATES("cainjector", ".spec.caBundle")}},
        .new = {.body = "'spec':{}", .entries = {APPLIES("helm", ".spec.caBundle", .time = NOW)}},
    };
    expect_message(
        state, &story,
        "Deployment default/web: Helm removes caBundle, which cainjector controls and will set again; let "
        "only "
        "one of them set it: the manifest declares it empty");
}

/* kubectl apply under two names has one annotation and one manifest. */
static void names_of_kubectl_apply_are_one_tool(void **state)
{
    static const char configuration[] = "{'spec':{'replicas':2}}";
    const struct story story = {
        .manager = "kubectl-client-side-apply",
        .old =
            {.body = "'spec':{'a':1}",
             .last_applied = configuration,
             .entries = {UPDATES("ci", ".spec.a .metadata.annotations.{" LAST_APPLIED_ANNOTATION "}")}},
        .new =
            {.body = "'spec':{'a':2}",
             .last_applied = "{'spec':{'a':2}}",
             .entries = {UPDATES(
                 "kubectl-client-side-apply", ".spec.a .metadata.annotations.{" LAST_APPLIED_ANNOTATION "}",
                 .time = NOW)}},
    };
    expect_message(
        state, &story,
        "Deployment default/web: kubectl apply changes a, which ci applied before; use one --field-manager "
        "for this manifest");
}

/* A pipeline that calls its field manager after each run has one manifest, and two teams have two. */
static void runs_of_a_pipeline_are_one(void **state)
{
    static const struct {
        const char *before, *now, *advice;
    } cases[] = {
        {"ci-41", "ci-42", "use one --field-manager for this manifest"},
        {"app/0a41f", "app/77bd0", "use one --field-manager for this manifest"},
        {"team1", "team2", "keep it in one manifest"},
        {"ci-41", "cd-41", "keep it in one manifest"},
        {"ci-41", "ci-41-a1", "keep it in one manifest"},
        {"ci-41", "ci_42", "keep it in one manifest"},
        {"ci-", "ci-4", "keep it in one manifest"},
        {"ci-bad", "ci-4", "keep it in one manifest"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct story story = {
            .manager = cases[i].now,
            .old = {.body = "'spec':{'a':1}", .entries = {APPLIES(cases[i].before, ".spec.a")}},
            .new = {.body = "'spec':{'a':2}", .entries = {APPLIES(cases[i].now, ".spec.a", .time = NOW)}},
        };
        char message[160];
        snprintf(
            message, sizeof(message), "Deployment default/web: %s overwrites a, which %s also sets; %s",
            cases[i].now, cases[i].before, cases[i].advice);
        expect_message(state, &story, message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(replicas_are_left_by_each_tools_means), IN_COURT(parents_are_named),
        IN_COURT(lists_name_what_differs_in_them),       IN_COURT(declared_zeros_are_not_to_be_removed),
        IN_COURT(names_of_kubectl_apply_are_one_tool),   IN_COURT(runs_of_a_pipeline_are_one),
    };
    return cmocka_run_group_tests_name("conflict words", tests, NULL, NULL);
}
