/*
 * orphaned-fields: fields that only people's edits own stay on the object after any apply.
 */
#include "base/array_size.h"
#include "tests/unit/numbered.h"
#include "tests/unit/review_builder.h"

#define ANNOTATION " .metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"
#define CREATED "'creationTimestamp':'2025-12-31T23:59:59Z'"

/* The applied object, with one entry in addition to the applier's. */
static struct story after_apply(const char *body, struct entry other)
{
    return (struct story){
        .manager = "flux",
        .old = {.body = body, .metadata = CREATED, .entries = {APPLIES("flux", ".spec.a"), other}},
        .new =
            {.body = body, .metadata = CREATED, .entries = {APPLIES("flux", ".spec.a", .time = NOW), other}},
    };
}

/* The same under client-side apply, with what it declares. */
static struct story after_client_side_apply(const char *body, const char *declares, struct entry other)
{
    struct story story = after_apply(body, other);
    story.manager = "kubectl-client-side-apply";
    story.old.last_applied = "{'spec':{'a':0}}";
    story.new.last_applied = declares;
    story.old.entries[0] = (struct entry)UPDATES("kubectl-client-side-apply", ".spec.a" ANNOTATION);
    story.new.entries[0] =
        (struct entry)UPDATES("kubectl-client-side-apply", ".spec.a" ANNOTATION, .time = NOW);
    return story;
}

static const struct finding *expect_orphans(void **state, const struct story *story, const char *fields)
{
    expect_finding(judge_story(*state, STRICT, story), RULE_orphaned_fields, ACTION_WARN, fields);
    return expect_finding(judge_story(*state, BASELINE, story), RULE_orphaned_fields, ACTION_AUDIT, fields);
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_orphaned_fields);
}

#define RESTARTED                                                                                            \
    "'spec':{'a':1,'template':{'metadata':{'annotations':{'kubectl.kubernetes.io/restartedAt':'now'}}}}"
#define RESTARTED_AT ".spec.template.metadata.annotations.{kubectl.kubernetes.io/restartedAt}"

/* The classic: kubectl rollout restart, then an apply. */
static void restart_fires(void **state)
{
    struct entry rollout = UPDATES("kubectl-rollout", ".spec.template.metadata.annotations. " RESTARTED_AT);
    const char *field = ".spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt";
    struct story story = after_apply(RESTARTED, rollout);
    expect_text(
        expect_orphans(state, &story, field)->message,
        "Deployment default/web: no apply removes restartedAt (kubectl rollout); leave it: it only records "
        "when the pods were restarted");
    story = after_client_side_apply(RESTARTED, "{'spec':{'a':1}}", rollout);
    expect_orphans(state, &story, field);
    expect_finding(
        judge_story(*state, "rules: {orphaned-fields: {action: deny}}\n", &story), RULE_orphaned_fields,
        ACTION_DENY, field);
}

/* The subcommand of kubectl that undoes another one is named; kubectl edit removes everything else. */
static void message_names_the_command_that_undoes(void **state)
{
    static const struct {
        const char *group, *kind, *body, *metadata, *fields, *removal;
    } cases[] = {
        {"apps", "Deployment", "'spec':{'a':1,'paused':true}", CREATED, ".spec.paused",
         "or delete it: kubectl rollout resume deployment.apps/web -n default"},
        {"apps", "Deployment", "'spec':{'a':1}", CREATED ",'annotations':{'example.com/b.c':'y'}",
         ".metadata.annotations.{example.com/b.c}",
         "or delete it: kubectl annotate deployment.apps/web -n default example.com/b.c-"},
        {"argoproj.io", "Rollout", "'spec':{'a':1,'paused':true}", CREATED, ".spec.paused",
         "or delete it (kubectl edit)"},
        {"", "Node", "'spec':{'a':1,'unschedulable':true}", CREATED, ".spec.unschedulable",
         "or delete it (kubectl uncordon)"},
        {"", "Node", "'spec':{'a':1,'unschedulable':true,'taints':[{'key':'k'}]}", CREATED,
         ".spec.unschedulable .spec.taints", "or delete them (kubectl uncordon and kubectl taint KEY-)"},
        {"apps", "Deployment", "'spec':{'a':1}", CREATED ",'labels':{'a':'x','b':'y'}",
         ".metadata.labels.a .metadata.labels.b", "or delete them (kubectl label KEY-)"},
        {"apps", "Deployment", "'spec':{'a':1}", CREATED ",'labels':{'a':'x'},'annotations':{'b':'y'}",
         ".metadata.labels.a .metadata.annotations.b",
         "or delete them (kubectl label KEY- and kubectl annotate KEY-)"},
        {"apps", "Deployment", "'spec':{'a':1,'b':1}", CREATED ",'labels':{'a':'x'}",
         ".metadata.labels.a .spec.b", "or delete them (kubectl edit)"},
        {"apps", "Deployment", "'spec':{'a':1,'paused':true}",
         CREATED ",'labels':{'a':'x'},'annotations':{'b':'y'}",
         ".metadata.labels.a .metadata.annotations.b .spec.paused", "or delete them (kubectl edit)"},
        {"apps", "Deployment",
         "'spec':{'a':1,'template':{'spec':{'containers':[{'name':'x','env':[{'name':'A'}]}]}}}", CREATED,
         ".spec.template.spec.containers[name=x].env[name=A]. "
         ".spec.template.spec.containers[name=x].env[name=A].name",
         "or delete it: kubectl set env deployment.apps/web -n default -c x A-"},
        {"example.com", "Widget", "'spec':{'a':1,'containers':[{'name':'x','env':[{'name':'A'}]}]}", CREATED,
         ".spec.containers[name=x].env[name=A]. .spec.containers[name=x].env[name=A].name",
         "or delete it (kubectl edit)"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story =
            after_apply(cases[i].body, (struct entry)UPDATES("kubectl-edit", cases[i].fields));
        story.group = cases[i].group;
        story.kind = cases[i].kind;
        story.old.metadata = story.new.metadata = cases[i].metadata;
        story.new.entries[0].fields =
            ".spec.a .spec.containers[name=x]. .spec.template.spec.containers[name=x].";
        expect_part(
            finding_of(judge_story(*state, STRICT, &story), RULE_orphaned_fields)->message, cases[i].removal);
    }
}

#define CONTAINER ".spec.containers[name=x]"
#define ITEM_BODY(members) "'spec':{'a':1,'containers':[{'name':'x'," members "}]}"

/* A variable is one field, as is a probe; a map that was made for one field is reported by that field. */
static void subtrees_are_one_field(void **state)
{
    struct story story = after_apply(
        ITEM_BODY("'env':[{'name':'A','value':'1'}],'probe':{'port':80,'period':10},'context':{'user':1}"),
        (struct entry)UPDATES(
            "kubectl-edit",
            CONTAINER ".env. " CONTAINER ".env[name=A]. " CONTAINER ".env[name=A].name " CONTAINER
                      ".env[name=A].value " CONTAINER ".probe. " CONTAINER ".probe.port " CONTAINER
                      ".probe.period " CONTAINER ".context. " CONTAINER ".context.user"));
    story.new.entries[0].fields = ".spec.a " CONTAINER ". " CONTAINER ".name";
    expect_orphans(
        state, &story,
        ".spec.containers[name=\"x\"].env[name=\"A\"] .spec.containers[name=\"x\"].probe "
        ".spec.containers[name=\"x\"].context.user");
}

/* Fields of two people's tools are reported once, with both names if each left something. */
static void several_owners_are_reported_together(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1,'b':2,'c':3,'d':4}", (struct entry)UPDATES("kubectl-edit", ".spec.b .spec.c"));
    story.new.entries[2] = (struct entry)UPDATES("kubectl-patch", ".spec.c .spec.d");
    expect_text(
        expect_orphans(state, &story, ".spec.b .spec.c .spec.d")->message,
        "Deployment default/web: b and 2 more fields (kubectl edit and kubectl patch) are in no manifest; "
        "add them to Git, or delete them (kubectl edit)");
}

/* More than are listed are counted. */
static void many_fields_are_counted(void **state)
{
    char fields[2048] = "", body[2048] = "'spec':{'a':0";
    for (int i = 0; i < 50; i++) {
        snprintf(fields + strlen(fields), sizeof(fields) - strlen(fields), "%s.spec.f%d", i ? " " : "", i);
        snprintf(body + strlen(body), sizeof(body) - strlen(body), ",'f%d':1", i);
    }
    strcat(body, "}");
    struct story story = after_apply(body, (struct entry)UPDATES("kubectl-edit", fields));
    const struct finding *finding = finding_of(judge_story(*state, BASELINE, &story), RULE_orphaned_fields);
    assert_int_equal(finding->field_total, 50);
    assert_int_equal(finding->field_count, FINDING_FIELDS_MAX);
}

/* Another owner of the field keeps it for a reason of its own. */
static void co_owned_fields_are_silent(void **state)
{
    static const struct entry others[] = {
        APPLIES("argocd", ".spec.b"),
        UPDATES("my-operator", ".spec.b"),
        UPDATES("helm", ".spec.b"),
        UPDATES("kube-controller-manager", ".spec.b", .subresource = "scale"),
    };
    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        struct story story =
            after_apply("'spec':{'a':1,'b':2}", (struct entry)UPDATES("kubectl-edit", ".spec.b"));
        story.new.entries[2] = others[i];
        expect_quiet(state, &story);
    }
}

/* kubectl apply removes declared fields when the manifest drops them. */
static void declared_fields_are_silent(void **state)
{
    struct story story = after_client_side_apply(
        ITEM_BODY("'env':[{'name':'A','value':'1'}],'args':['1']"),
        "{'spec':{'a':1,'containers':[{'name':'x','env':[{'name':'A','value':'1'}],'args':['1']}]}}",
        (struct entry)UPDATES(
            "kubectl-set",
            CONTAINER ".args " CONTAINER ".env[name=A]. " CONTAINER ".env[name=A].name " CONTAINER
                      ".env[name=A].value"));
    expect_quiet(state, &story);
    /* A declared variable has one more field, which is not declared. */
    story.new.entries[1].fields = CONTAINER ".env[name=A]. " CONTAINER ".env[name=A].name " CONTAINER
                                            ".env[name=A].value " CONTAINER ".env[name=A].extra";
    story.new.body = ITEM_BODY("'env':[{'name':'A','value':'1','extra':true}]");
    expect_orphans(state, &story, ".spec.containers[name=\"x\"].env[name=\"A\"].extra");
}

/* stringData is declared plain and stored as data. */
static void string_data_is_declared(void **state)
{
    struct story story = after_client_side_apply(
        "'data':{'token':'YQ=='}", "{'stringData':{'token':'a'}}",
        (struct entry)UPDATES("kubectl-edit", ".data.token"));
    story.group = "";
    story.kind = "Secret";
    expect_quiet(state, &story);
    /* The map that it makes is not reported as a whole, either. */
    story.new.body = "'data':{'token':'YQ==','b':'YQ=='}";
    story.new.last_applied = "{'stringData':{'token':'a','b':'a'}}";
    story.new.entries[1].fields = ".data. .data.token .data.b";
    expect_quiet(state, &story);
    story.new.entries[1].fields = ".data.token";
    story.new.last_applied = "{'stringData':{'other':'a'}}";
    expect_orphans(state, &story, ".data.token");
    /* Whatever else is called data is not meant. */
    story.new.annotations = "'data':'x'";
    story.new.entries[1].fields = ".metadata.annotations.data";
    story.new.last_applied = "{'stringData':{'data':'a'}}";
    expect_orphans(state, &story, ".metadata.annotations.data");
}

/* The same under server-side apply: what the manifest calls stringData is not missing in it. */
static void string_data_is_applied(void **state)
{
    struct story story = after_apply(
        "'data':{'token':'YQ==','b':'YQ=='}",
        (struct entry)UPDATES("kubectl-patch", ".data. .data.token .data.b"));
    story.group = "";
    story.kind = "Secret";
    story.old.entries[0].fields = story.new.entries[0].fields = ".stringData.token .stringData.b";
    expect_quiet(state, &story);
    story.old.entries[0].fields = story.new.entries[0].fields = ".stringData.token";
    expect_orphans(state, &story, ".data.b");
    /* Only a Secret's stringData becomes data, and only an apply has a name of its own for it. */
    story.kind = "ConfigMap";
    expect_orphans(state, &story, ".data");
    story.kind = "Secret";
    story.old.entries[0].fields = story.new.entries[0].fields = ".type";
    story.old.entries[2] = story.new.entries[2] = (struct entry)UPDATES("kubectl-edit", ".stringData.token");
    expect_orphans(state, &story, ".data");
    story.old.entries[2] = story.new.entries[2] = (struct entry)APPLIES("argocd", ".stringData.data");
    story.new.annotations = "'data':'x'";
    story.new.entries[1].fields = ".metadata.annotations.data";
    expect_orphans(state, &story, ".metadata.annotations.data");
}

/* An apply of a few fields of a workload gets no finding about another applier's manifest. */
static void partial_applies_are_silent(void **state)
{
    struct story story = after_apply("'spec':{'a':1,'b':1}", (struct entry)UPDATES("kubectl-set", ".spec.b"));
    story.old.entries[2] = story.new.entries[2] = (struct entry)APPLIES("argocd", ".spec.selector");
    expect_quiet(state, &story);
    story.new.entries[0].fields = ".spec.a .spec.selector";
    expect_orphans(state, &story, ".spec.b");
    story.new.entries[0].fields = ".spec.a";
    story.kind = "ConfigMap";
    story.group = "";
    expect_orphans(state, &story, ".spec.b");
}

/* Not the manifest's to remove. */
static void exempt_fields_are_silent(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1}",
        (struct entry)UPDATES(
            "kubectl-patch",
            ".metadata.finalizers. .metadata.finalizers[=x] .metadata.ownerReferences[uid=u]. "
            ".metadata.ownerReferences[uid=u].name .metadata.annotations. "
            ".metadata.annotations.{applyguard.io/waive} "
            ".metadata.annotations.{deployment.kubernetes.io/revision} "
            ".metadata.annotations.{deprecated.daemonset.template.generation} "
            ".metadata.annotations.{kubernetes.io/change-cause} "
            ".metadata.annotations.{reconcile.fluxcd.io/requestedAt}"));
    story.new.metadata = CREATED ",'finalizers':['x'],'ownerReferences':[{'uid':'u','name':'n'}]";
    story.new.annotations = "'applyguard.io/waive':'x','deployment.kubernetes.io/revision':'1',"
                            "'deprecated.daemonset.template.generation':'1',"
                            "'kubernetes.io/change-cause':'why','reconcile.fluxcd.io/requestedAt':'now'";
    expect_quiet(state, &story);
}

/* A writer who changes the account of a workload's pods owns it under its old name, too. */
static void old_name_of_the_service_account_is_silent(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1,'template':{'spec':{'serviceAccount':'s','serviceAccountName':'s'}}}",
        (struct entry)UPDATES("kubectl-set", ".spec.template.spec.serviceAccount"));
    expect_quiet(state, &story);
    story.new.entries[1].fields = ".spec.template.spec.serviceAccount .spec.template.spec.serviceAccountName";
    expect_orphans(state, &story, ".spec.template.spec.serviceAccountName");
}

/* The template of a PodTemplate is at its top level. */
static void old_name_in_a_pod_template_is_silent(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1},'template':{'spec':{'serviceAccount':'s','serviceAccountName':'s'}}",
        (struct entry)UPDATES(
            "kubectl-patch", ".template.spec.serviceAccount .template.spec.serviceAccountName"));
    story.kind = "PodTemplate";
    story.group = "";
    expect_orphans(state, &story, ".template.spec.serviceAccountName");
}

/* Other specs have a field of that name, too, which no other name writes. */
static void service_account_of_a_custom_resource_fires(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1,'serviceAccount':'s'}",
        (struct entry)UPDATES("kubectl-patch", ".spec.serviceAccount"));
    story.kind = "Backup";
    story.group = "example.com";
    expect_orphans(state, &story, ".spec.serviceAccount");
}

/* The creator of the object may own its defaults, which no manager wrote. */
static void creators_are_silent(void **state)
{
    static const struct entry creators[] = {
        UPDATES("kubectl-create", ".spec.b", .time = "2025-12-31T23:59:59Z"),
        UPDATES("k9s", ".spec.b", .time = "2025-12-31T23:59:58Z"),
        UPDATES("k9s", ".spec.b .spec.selector"),
        UPDATES("before-first-apply", ".spec.b"),
        UPDATES("ancient-changes", ".spec.b"),
    };
    for (size_t i = 0; i < ARRAY_SIZE(creators); i++) {
        struct story story = after_apply("'spec':{'a':1,'b':2,'selector':{}}", creators[i]);
        expect_quiet(state, &story);
    }
    /* Within the second of creation, too, what an edit owns was edited. */
    struct story story = after_apply(
        "'spec':{'a':1,'b':2}",
        (struct entry)UPDATES("kubectl-edit", ".spec.b", .time = "2025-12-31T23:59:59Z"));
    story.old.entries[0].time = "2025-12-31T23:59:59Z";
    expect_orphans(state, &story, ".spec.b");
    story = after_apply("'spec':{'a':1,'b':2}", (struct entry)UPDATES("k9s", ".spec.b"));
    expect_orphans(state, &story, ".spec.b");
}

static void expect_audit(void **state, const struct story *story)
{
    expect_finding(judge_story(*state, STRICT, story), RULE_orphaned_fields, ACTION_AUDIT, ".spec.b");
}

/* Each apply would say it again otherwise: it is reported once, by the first apply after the edit. */
static void later_applies_are_not_warned(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1,'b':2}",
        (struct entry)UPDATES("kubectl-edit", ".spec.b", .time = "2026-01-01T00:00:01Z"));
    expect_orphans(state, &story, ".spec.b");
    story.old.entries[0].time = "2026-01-01T00:00:02Z";
    expect_audit(state, &story);
    /* Some entries have no time: then it may be the first. */
    story.new.entries[1].time = story.old.entries[1].time = "";
    expect_orphans(state, &story, ".spec.b");
}

/* A tool that syncs every hour, and changes nothing. */
static void apply_without_a_change_is_not_warned(void **state)
{
    struct story story =
        after_apply("'spec':{'a':1,'b':2}", (struct entry)UPDATES("kubectl-edit", ".spec.b"));
    story.new.entries[0].time = story.old.entries[0].time;
    expect_audit(state, &story);
}

/* A dry run that only compares does not count as an apply: the first apply after it gets the finding, and not
 * each comparison before.
 */
static void comparison_is_not_warned(void **state)
{
    struct story story = after_apply(RESTARTED, (struct entry)UPDATES("kubectl-rollout", RESTARTED_AT));
    story.manager = story.old.entries[0].manager = story.new.entries[0].manager = "helm-controller";
    const char *field = ".spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt";
    expect_orphans(state, &story, field);
    story.dry_run = true;
    expect_finding(judge_story(*state, STRICT, &story), RULE_orphaned_fields, ACTION_AUDIT, field);
}

/* It is this apply that leaves the field to the edit, however old that is. */
static void dropped_field_fires(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1,'b':2}",
        (struct entry)UPDATES("kubectl-edit", ".spec.b", .time = "2026-01-01T00:00:01Z"));
    story.old.entries[0].time = "2026-01-01T00:00:02Z";
    story.old.entries[0].fields = ".spec.a .spec.b";
    expect_orphans(state, &story, ".spec.b");
}

/* The owner of an empty declared map does not own the fields that others put in it: no apply drops that. */
static void what_fills_a_declared_map_is_told_once(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1,'resources':{'cpu':1}}",
        (struct entry)UPDATES("kubectl-set", ".spec.resources.cpu", .time = "2026-01-01T00:00:01Z"));
    story.old.entries[0].fields = ".spec.a .spec.resources";
    story.new.entries[0].fields = ".spec.a .spec.resources .spec.c";
    expect_orphans(state, &story, ".spec.resources.cpu");
    story.old.entries[0].time = "2026-01-01T00:00:02Z";
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_orphaned_fields, ACTION_AUDIT, ".spec.resources.cpu");
    /* It leaves nothing behind that drops the empty map, but something that declares it instead of the field.
     */
    story.new.entries[0].fields = ".spec.a";
    expect_finding(
        judge_story(*state, STRICT, &story), RULE_orphaned_fields, ACTION_AUDIT, ".spec.resources.cpu");
    story.old.entries[0].fields = ".spec.a .spec.resources.cpu";
    story.new.entries[0].fields = ".spec.a .spec.resources";
    expect_orphans(state, &story, ".spec.resources.cpu");
}

/* Replicas that the manifest leaves to a scaler are where they belong. */
static void scaling_is_silent(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1,'replicas':5}",
        (struct entry)UPDATES("kubectl", ".spec.replicas", .subresource = "scale"));
    expect_quiet(state, &story);
}

/* Fields that the object does not have need not be removed: stale entries, empty maps, maps that others fill.
 * */
static void what_is_not_there_is_silent(void **state)
{
    struct story story =
        after_apply("'spec':{'a':1,'b':{}}", (struct entry)UPDATES("kubectl-edit", ".spec.b .spec.c"));
    expect_quiet(state, &story);
    story = after_apply("'spec':{'a':1,'m':{'x':1}}", (struct entry)UPDATES("kubectl-edit", ".spec.m"));
    story.new.entries[2] = (struct entry)UPDATES("kubectl-patch", ".spec.m.x");
    expect_orphans(state, &story, ".spec.m.x");
}

/* In another apiVersion one field may have two names. */
static void other_versions_are_silent(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1,'b':2}",
        (struct entry)UPDATES("kubectl-edit", ".spec.b", .api_version = "apps/v1beta1"));
    expect_quiet(state, &story);
    story = after_apply("'spec':{'a':1,'b':2}", (struct entry)UPDATES("kubectl-edit", ".spec.b"));
    story.new.entries[2] = (struct entry)UPDATES("my-operator", ".spec.c", .api_version = "apps/v1beta1");
    expect_quiet(state, &story);
}

/* Only after an apply: neither the edit itself, nor a controller, nor the creation gets a finding. */
static void other_writes_are_silent(void **state)
{
    struct story story =
        after_apply("'spec':{'a':1,'b':2}", (struct entry)UPDATES("kubectl-edit", ".spec.b", .time = NOW));
    story.new.entries[0].time = NULL;
    story.manager = "kubectl-edit";
    expect_quiet(state, &story);
    story.manager = "my-operator";
    story.new.entries[2] = (struct entry)UPDATES("my-operator", ".spec.c", .time = NOW);
    expect_quiet(state, &story);
    story = after_apply("'spec':{'a':1,'b':2}", (struct entry)UPDATES("kubectl-edit", ".spec.b"));
    story.old.body = NULL;
    expect_quiet(state, &story);
}

/* More entries than can be compared are named as such. */
static void too_many_entries_are_unjudged(void **state)
{
    static char names[70][24];
    struct story story =
        after_apply("'spec':{'a':1,'b':2}", (struct entry)UPDATES("kubectl-edit", ".spec.b"));
    for (int i = 0; i < 70; i++) {
        snprintf(names[i], sizeof(names[i]), "tool-%d", i);
        story.new.entries[i + 2] = (struct entry)UPDATES(names[i], ".spec.c");
    }
    expect_quiet(state, &story);
    expect_part(
        finding_of(judge_story(*state, BASELINE, &story), RULE_unjudged)->message, "too many to be compared");
}

/* A port without its protocol may be either of two: which of them the manifest declares is not known. */
static void what_may_be_declared_is_unjudged(void **state)
{
    struct story story = after_client_side_apply(
        ITEM_BODY("'ports':[{'containerPort':53,'protocol':'TCP','name':'a'},"
                  "{'containerPort':53,'protocol':'UDP','name':'b'}]"),
        "{'spec':{'a':1,'containers':[{'name':'x','ports':[{'containerPort':53,'name':'a'},"
        "{'containerPort':53}]}]}}",
        (struct entry)UPDATES(
            "kubectl-edit",
            CONTAINER ".ports[containerPort=53,protocol=TCP]. " CONTAINER
                      ".ports[containerPort=53,protocol=UDP].name"));
    expect_quiet(state, &story);
    expect_part(
        finding_of(judge_story(*state, BASELINE, &story), RULE_unjudged)->message,
        "several list items in the manifest may be the one that is meant");
}

/* Fields that cannot be read are named as such. */
static void malformed_fields_are_unjudged(void **state)
{
    struct story story =
        after_apply("'spec':{'a':1,'b':2}", (struct entry)UPDATES("kubectl-edit", "{'nonsense':{}}"));
    expect_quiet(state, &story);
    expect_part(
        finding_of(judge_story(*state, BASELINE, &story), RULE_unjudged)->message,
        "an entry of the object's managedFields has a key that is not a path element");
}

/* An unreadable part of an entry hides neither other entries nor the rest of its own fields. */
static void malformed_fields_hide_nothing_else(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1,'b':2,'c':3}",
        (struct entry)UPDATES("kubectl-edit", "{'nonsense':{},'f:spec':{'f:b':{}}}"));
    story.old.entries[2] = story.new.entries[2] = (struct entry)UPDATES("kubectl-patch", ".spec.c");
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_part(
        finding_of(verdict, RULE_unjudged)->message,
        "an entry of the object's managedFields has a key that is not a path element");
    expect_part(
        finding_of(verdict, RULE_orphaned_fields)->message,
        "(kubectl edit and kubectl patch) are in no manifest");
}

/* The number and the owners are right however many fields are listed before the last one's. */
static void fields_and_owners_beyond_the_list_are_counted(void **state)
{
    char *body = numbered("'spec':{'a':1,'m':{'x':1,'y':2,'z':3},'p':1,", "'k#':1", 40, "}");
    char *edited = numbered("{'f:spec':{'f:m':{'.':{},'f:x':{},'f:y':{}},", "'f:k#':{}", 40, "}}");
    struct story story = after_apply(body, (struct entry)UPDATES("kubectl-edit", edited));
    /* Its fields in .spec.m and .spec.k000 are reported together with the other's. */
    static const struct entry patched =
        UPDATES("kubectl-patch", "{'f:spec':{'f:k000':{},'f:m':{'f:z':{}},'f:p':{}}}");
    story.old.entries[2] = story.new.entries[2] = patched;
    const struct finding *finding = finding_of(judge_story(*state, STRICT, &story), RULE_orphaned_fields);
    assert_int_equal(finding->field_total, 42);
    expect_part(finding->message, "and 41 more fields (kubectl edit and kubectl patch) are in no manifest");
    free(body);
    free(edited);
}

/* A restart needs no action, so it is only recorded if there are other fields. */
static void restart_beside_others_is_reported_apart(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1,'b':1,'template':{'metadata':{'annotations':{'kubectl.kubernetes.io/"
        "restartedAt':'x'}}}}",
        (struct entry)UPDATES("kubectl-edit", ".spec.b " RESTARTED_AT));
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_count(verdict, RULE_orphaned_fields, 2);
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        bool is_restart = finding->rule == RULE_orphaned_fields && contains(finding->message, "restartedAt");
        if (is_restart) {
            assert_int_equal(finding->action, ACTION_AUDIT);
            assert_false(contains(finding->message, "manifest"));
        } else if (finding->rule == RULE_orphaned_fields) {
            assert_int_equal(finding->action, ACTION_WARN);
            expect_fields(finding, ".spec.b");
        }
    }
}

/* A value that may be a default may have no owner. */
static void defaults_are_no_orphans(void **state)
{
    struct story story = after_apply(
        "'spec':{'a':1,'suspend':false,'revisionHistoryLimit':10}",
        (struct entry)UPDATES("kubectl-edit", ".spec.suspend .spec.revisionHistoryLimit"));
    expect_quiet(state, &story);
    story.new.body = "'spec':{'a':1,'suspend':true,'revisionHistoryLimit':10}";
    expect_orphans(state, &story, ".spec.suspend");
}

/* An edit that was reverted by hand: the applier comes to own the field again, and the edit goes on to own
 * it. */
static struct story after_reverted_edit(const char *applier, struct entry other)
{
    return (struct story){
        .manager = applier,
        .old =
            {.body = "'spec':{'a':1,'b':1}",
             .metadata = CREATED,
             .entries = {APPLIES(applier, ".spec.a"), other}},
        .new =
            {.body = "'spec':{'a':1,'b':1}",
             .metadata = CREATED,
             .entries = {APPLIES(applier, ".spec.a .spec.b", .time = NOW), other}},
    };
}

static void reverted_edit_is_reported_once(void **state)
{
    static const char *const appliers[] = {"helm", "kubectl", "argocd-controller", "ci"};
    for (size_t i = 0; i < ARRAY_SIZE(appliers); i++) {
        struct story story =
            after_reverted_edit(appliers[i], (struct entry)UPDATES("kubectl-edit", ".spec.b"));
        expect_part(
            expect_orphans(state, &story, ".spec.b")->message,
            "Deployment default/web: kubectl edit still owns b, too, so changing it conflicts; hand it over: "
            "applyguard migrate ");
        /* strict denies the hand-over, unless the table of moves has the tool. */
        expect_part(
            finding_of(judge_story(*state, STRICT, &story), RULE_orphaned_fields)->message,
            i % 2 ? "changing it conflicts; add --force-conflicts when you change it"
                  : "changing it conflicts; hand it over: applyguard migrate ");
        /* At the next apply it is known. */
        story.old.entries[0].fields = ".spec.a .spec.b";
        expect_quiet(state, &story);
    }
    /* A field that was set by hand before the manifest declares it. */
    struct story story = after_reverted_edit("helm", (struct entry)UPDATES("kubectl-set", ".spec.b"));
    story.old.body = "'spec':{'a':1,'b':1}";
    expect_orphans(state, &story, ".spec.b");
    /* The versions of an autoscaler call a field by one name. */
    story = after_reverted_edit(
        "helm", (struct entry)UPDATES("kubectl-edit", ".spec.b", .api_version = "autoscaling/v1"));
    story.group = "autoscaling";
    story.kind = "HorizontalPodAutoscaler";
    expect_orphans(state, &story, ".spec.b");
}

static void fields_that_no_edit_keeps_are_silent(void **state)
{
    /* It is taken over, or a controller's, or another applier's. */
    static const struct {
        const char *applier;
        struct entry other;
    } cases[] = {
        {"kustomize-controller", UPDATES("kubectl-edit", ".spec.b")},
        {"timoni", UPDATES("kubectl-edit", ".spec.b")},
        {"kubectl", UPDATES("kubectl-edit", ".spec.b" ANNOTATION)},
        {"helm", UPDATES("kube-controller-manager", ".spec.b")},
        {"helm", UPDATES("kubectl-edit", ".spec.b", .subresource = "scale")},
        {"helm", UPDATES("kubectl-edit", ".spec.b", .api_version = "apps/v1beta1")},
        {"helm", UPDATES("kubectl-edit", ".spec.")},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = after_reverted_edit(cases[i].applier, cases[i].other);
        if (count_findings(judge_story(*state, STRICT, &story), RULE_orphaned_fields))
            fail_msg("case %zu fires", i);
    }
    /* The first apply adopts what is there. */
    struct story story = after_reverted_edit("helm", (struct entry)UPDATES("kubectl-create", ".spec.b"));
    story.old.entries[0] = (struct entry)UPDATES("kubectl-create", ".spec.b");
    story.old.entries[1] = (struct entry){.manager = NULL};
    expect_quiet(state, &story);
}

/* Fields of services under names that people use as well are not a person's: it is unknown. */
static void fields_that_may_be_a_services_are_silent(void **state)
{
    static const char *const names[] = {
        "unknown",           "rancher", "Go-http-client", "fabric8-kubernetes-client",
        "OpenAPI-Generator", "agent",   "velero-server"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        struct story story = after_apply("'spec':{'a':1,'b':1}", (struct entry)UPDATES(names[i], ".spec.b"));
        if (count_findings(judge_story(*state, STRICT, &story), RULE_orphaned_fields))
            fail_msg("%s is blamed", names[i]);
    }
    static const char *const people[] = {"kubectl-edit", "kubectl-patch", "k9s", "oc", "Headlamp", "Lens"};
    for (size_t i = 0; i < ARRAY_SIZE(people); i++) {
        struct story story = after_apply("'spec':{'a':1,'b':1}", (struct entry)UPDATES(people[i], ".spec.b"));
        expect_orphans(state, &story, ".spec.b");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(restart_beside_others_is_reported_apart),
        IN_COURT(defaults_are_no_orphans),
        IN_COURT(fields_that_may_be_a_services_are_silent),
        IN_COURT(reverted_edit_is_reported_once),
        IN_COURT(fields_that_no_edit_keeps_are_silent),
        IN_COURT(restart_fires),
        IN_COURT(message_names_the_command_that_undoes),
        IN_COURT(subtrees_are_one_field),
        IN_COURT(several_owners_are_reported_together),
        IN_COURT(many_fields_are_counted),
        IN_COURT(co_owned_fields_are_silent),
        IN_COURT(declared_fields_are_silent),
        IN_COURT(string_data_is_declared),
        IN_COURT(string_data_is_applied),
        IN_COURT(partial_applies_are_silent),
        IN_COURT(exempt_fields_are_silent),
        IN_COURT(old_name_of_the_service_account_is_silent),
        IN_COURT(old_name_in_a_pod_template_is_silent),
        IN_COURT(service_account_of_a_custom_resource_fires),
        IN_COURT(creators_are_silent),
        IN_COURT(later_applies_are_not_warned),
        IN_COURT(apply_without_a_change_is_not_warned),
        IN_COURT(comparison_is_not_warned),
        IN_COURT(dropped_field_fires),
        IN_COURT(what_fills_a_declared_map_is_told_once),
        IN_COURT(scaling_is_silent),
        IN_COURT(what_is_not_there_is_silent),
        IN_COURT(other_versions_are_silent),
        IN_COURT(other_writes_are_silent),
        IN_COURT(too_many_entries_are_unjudged),
        IN_COURT(what_may_be_declared_is_unjudged),
        IN_COURT(malformed_fields_are_unjudged),
        IN_COURT(malformed_fields_hide_nothing_else),
        IN_COURT(fields_and_owners_beyond_the_list_are_counted),
    };
    return cmocka_run_group_tests_name("orphaned-fields", tests, NULL, NULL);
}
