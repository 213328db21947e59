/*
 * last-applied-drift: a writer changes what the annotation declares, so the next client-side apply reverts
 * it. Old and new object are compared; how the annotation spells a value must never make a finding.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

/* The fields that the entries of one story own. */
#define OWNED_BYTES 1536

#define OWNS_ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "} "

/* Leaves the word to the rule under test. */
#define ALONE "rules: {ownership-conflict: {action: \"off\"}}\n"

/* The annotation, the object before and after, and the fields that kubectl apply owns on both sides. */
struct drift_case {
    const char *declared;
    const char *before;
    const char *after;
    const char *owned;  /* in addition to the annotation; shows which lists have keys */
    const char *fields; /* of the finding; NULL: silent */
    bool gone;          /* they are removed, so that they have no owner any more; else the writer does */
    const char *left;   /* what kubectl apply owns afterwards; NULL: as before */
    const char *group;
    const char *kind;
};

/* Paths as messages have them, for the builder, which wants no quotes. */
static void strip_quotes(char *paths)
{
    char *to = paths;
    for (const char *from = paths; *from; from++)
        if (*from != '"')
            *to++ = *from;
    *to = '\0';
}

/* A controller changes an object that kubectl apply applied client-side. `owned` holds what each owns. */
static struct story story_of(const struct drift_case *test, char *owned, size_t size)
{
    char *left = owned + size / 3, *written = left + size / 3;
    snprintf(owned, size / 3, OWNS_ANNOTATION "%s", or_else(test->owned, ""));
    snprintf(left, size / 3, OWNS_ANNOTATION "%s", or_else(test->left, or_else(test->owned, "")));
    snprintf(written, size / 3, ".spec.x %s", test->gone ? "" : or_else(test->fields, ""));
    strip_quotes(written);
    const struct entry applier = UPDATES("kubectl-client-side-apply", owned);
    return (struct story){
        .manager = "operator",
        .user = "system:serviceaccount:ops:operator",
        .group = test->group,
        .kind = test->kind,
        .old = {.body = test->before, .last_applied = test->declared, .entries = {applier}},
        .new =
            {.body = test->after,
             .last_applied = test->declared,
             .entries =
                 {UPDATES("kubectl-client-side-apply", left), UPDATES("operator", written, .time = NOW)}},
    };
}

static void check_cases(void **state, const struct drift_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char owned[OWNED_BYTES];
        struct story story = story_of(&cases[i], owned, sizeof(owned));
        const struct verdict *verdict = judge_story(*state, ALONE, &story);
        size_t expected = cases[i].fields ? 1 : 0;
        if (count_findings(verdict, RULE_last_applied_drift) != expected) {
            print_findings(verdict);
            fail_msg(
                "%s: %s -> %s, declared %s", expected ? "silent" : "fires", cases[i].before, cases[i].after,
                cases[i].declared);
        }
        if (expected)
            expect_finding(verdict, RULE_last_applied_drift, ACTION_WARN, cases[i].fields);
    }
}

#define CHECK(state, cases) check_cases(state, cases, ARRAY_SIZE(cases))

/* A declared value set to another, or removed, is put back by the next apply. */
static void changed_declared_field_fires(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'replicas':3}}",
         .before = "'spec':{'replicas':3}",
         .after = "'spec':{'replicas':5}",
         .fields = ".spec.replicas"},
        {.declared = "{'spec':{'paused':true}}",
         .before = "'spec':{'paused':true}",
         .after = "'spec':{}",
         .fields = ".spec.paused",
         .gone = true},
        {.declared = "{'spec':{'strategy':{'type':'Recreate'}}}",
         .before = "'spec':{'strategy':{'type':'Recreate'}}",
         .after = "'spec':{}",
         .fields = ".spec.strategy",
         .gone = true},
        {.declared = "{'spec':{'a':1}}",
         .before = "'spec':{'a':1}",
         .after = "'spec':{'a':{'b':1}}",
         .fields = ".spec.a"},
        /* Drifted before already, and further now. */
        {.declared = "{'spec':{'replicas':3}}",
         .before = "'spec':{'replicas':4}",
         .after = "'spec':{'replicas':5}",
         .fields = ".spec.replicas"},
    };
    CHECK(state, cases);
}

/* The next apply leaves fields alone that the annotation does not declare. */
static void undeclared_field_is_silent(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'paused':false}}",
         .before = "'spec':{'paused':false,'replicas':3}",
         .after = "'spec':{'paused':false,'replicas':5}"},
        {.declared = "{'spec':{'replicas':3}}",
         .before = "'spec':{'replicas':3}",
         .after = "'spec':{'replicas':3,'paused':true}"},
        {.declared = "{}", .before = "'spec':{'a':1}", .after = "'spec':{'a':2}"},
        {.declared = "{'spec':null}", .before = "'spec':{'a':1}", .after = "'spec':{'a':2}"},
    };
    CHECK(state, cases);
}

/* null clears a field, {} and [] say no more than that it may be there: no value exists to go back to. */
static void declared_emptiness_is_silent(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'replicas':null}}",
         .before = "'spec':{'replicas':1}",
         .after = "'spec':{'replicas':2}"},
        {.declared = "{'spec':{'securityContext':{}}}",
         .before = "'spec':{'securityContext':{}}",
         .after = "'spec':{'securityContext':{'runAsUser':1}}"},
        /* Items of a keyed list are merged: an empty one takes none away. */
        {.declared = "{'spec':{'volumes':[]}}",
         .before = "'spec':{}",
         .after = "'spec':{'volumes':[{'name':'v'}]}"},
        {.declared = "{'spec':{'args':[]}}", .before = "'spec':{'args':['a']}", .after = "'spec':{}"},
        {.declared = "{'spec':{'args':[]}}",
         .before = "'spec':{'args':['a']}",
         .after = "'spec':{'args':['b']}",
         .owned = ".spec.args"},
        {.declared = "{'spec':{'args':[]}}", .before = "'spec':{'args':[]}", .after = "'spec':{}"},
    };
    CHECK(state, cases);
}

/* The annotation holds what people wrote, the object what the server made of it: only a change counts. */
static void other_spelling_alone_is_silent(void **state)
{
    static const struct drift_case cases[] = {
        /* Quantities are normalised. */
        {.declared = "{'spec':{'cpu':'1000m','x':1}}",
         .before = "'spec':{'cpu':'1','x':1,'y':1}",
         .after = "'spec':{'cpu':'1','x':1,'y':2}"},
        /* Defaults that the manifest omits are in the object. */
        {.declared = "{'spec':{'ports':[{'containerPort':80}]}}",
         .before = "'spec':{'ports':[{'containerPort':80,'protocol':'TCP'}],'y':1}",
         .after = "'spec':{'ports':[{'containerPort':80,'protocol':'TCP'}],'y':2}",
         .owned = ".spec.ports[containerPort=80,protocol=TCP].containerPort"},
        /* A duration, a number for a string. */
        {.declared = "{'spec':{'timeout':'60s','port':80}}",
         .before = "'spec':{'timeout':'1m0s','port':'80','y':1}",
         .after = "'spec':{'timeout':'1m0s','port':'80','y':2}"},
        /* Fields that the server does not know. */
        {.declared = "{'spec':{'unknown':1}}", .before = "'spec':{'y':1}", .after = "'spec':{'y':2}"},
    };
    CHECK(state, cases);
}

/* A value set back to what is declared is what the next apply would do: it heals. */
static void value_set_back_is_silent(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'replicas':3}}",
         .before = "'spec':{'replicas':5}",
         .after = "'spec':{'replicas':3}"},
        {.declared = "{'spec':{'args':['a','b']}}",
         .before = "'spec':{'args':['x']}",
         .after = "'spec':{'args':['a','b']}",
         .owned = ".spec.args"},
        {.declared = "{'spec':{'replicas':3}}", .before = "'spec':{}", .after = "'spec':{'replicas':3}"},
        /* A zero is left out of the object. */
        {.declared = "{'spec':{'minReadySeconds':0}}",
         .before = "'spec':{'minReadySeconds':5}",
         .after = "'spec':{}"},
        {.declared = "{'spec':{'hostNetwork':false}}",
         .before = "'spec':{'hostNetwork':true}",
         .after = "'spec':{}"},
        {.declared = "{'spec':{'nodeSelector':{}}}",
         .before = "'spec':{'nodeSelector':{'a':'b'}}",
         .after = "'spec':{}"},
    };
    CHECK(state, cases);
}

#define IN_POD(rest) "'spec':{'template':{'spec':{" rest "}}}"
#define CONTAINERS ".spec.template.spec.containers"

/* Items are found by their keys, in any order of the lists. */
static void keyed_items_are_compared_by_key(void **state)
{
    static const char owned[] = CONTAINERS "[name=a].image " CONTAINERS "[name=b].image";
    static const struct drift_case cases[] = {
        {.declared = "{" IN_POD("'containers':[{'name':'a','image':'1'},{'name':'b','image':'2'}]") "}",
         .before = IN_POD("'containers':[{'name':'a','image':'1'},{'name':'b','image':'2'}]"),
         .after = IN_POD("'containers':[{'name':'b','image':'2'},{'name':'a','image':'1'}]"),
         .owned = owned},
        {.declared = "{" IN_POD("'containers':[{'name':'a','image':'1'},{'name':'b','image':'2'}]") "}",
         .before = IN_POD("'containers':[{'name':'a','image':'1'},{'name':'b','image':'2'}]"),
         .after = IN_POD("'containers':[{'name':'b','image':'9'},{'name':'a','image':'1'}]"),
         .owned = owned,
         .fields = CONTAINERS "[name=\"b\"].image"},
        {.declared = "{" IN_POD("'containers':[{'name':'a','image':'1'},{'name':'b','image':'2'}]") "}",
         .before = IN_POD("'containers':[{'name':'a','image':'1'},{'name':'b','image':'2'}]"),
         .after = IN_POD("'containers':[{'name':'a','image':'1'}]"),
         .owned = owned,
         .fields = CONTAINERS "[name=\"b\"]",
         .gone = true,
         .left = CONTAINERS "[name=a].image"},
        /* An injected sidecar is not declared. */
        {.declared = "{" IN_POD("'containers':[{'name':'a','image':'1'}]") "}",
         .before = IN_POD("'containers':[{'name':'a','image':'1'}]"),
         .after = IN_POD("'containers':[{'name':'a','image':'1'},{'name':'istio','image':'2'}]"),
         .owned = owned},
    };
    CHECK(state, cases);
}

/* Where managedFields show no keys, a table of the built-in types does. */
static void builtin_lists_are_known_without_managed_fields(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{" IN_POD("'containers':[{'name':'a','image':'1'}]") "}",
         .before = IN_POD("'containers':[{'name':'a','image':'1'}]"),
         .after = IN_POD("'containers':[{'name':'b','image':'1'},{'name':'a','image':'2'}]"),
         .fields = CONTAINERS "[name=\"a\"].image"},
        {.declared = "{" IN_POD("'tolerations':[{'key':'k'}]") "}",
         .before = IN_POD("'tolerations':[{'key':'k'}]"),
         .after = IN_POD("'tolerations':[]"),
         .fields = ".spec.template.spec.tolerations"},
    };
    CHECK(state, cases);
}

/* The protocol left out is not another port, and with TCP and UDP on one port it names neither. */
static void port_without_protocol_is_found_where_it_is_one(void **state)
{
#define PORTS CONTAINERS "[name=a].ports"
    static const char owned[] = PORTS "[containerPort=53,protocol=TCP].containerPort " PORTS
                                      "[containerPort=53,protocol=UDP].containerPort";
    static const struct drift_case cases[] = {
        {.declared =
             "{" IN_POD("'containers':[{'name':'a','ports':[{'containerPort':53,'name':'dns'}]}]") "}",
         .before = IN_POD(
             "'containers':[{'name':'a','ports':[{'containerPort':53,'protocol':'TCP','name':'dns'}]}]"),
         .after =
             IN_POD("'containers':[{'name':'a','ports':[{'containerPort':53,'protocol':'TCP','name':'x'}]}]"),
         .owned = owned,
         .fields = CONTAINERS "[name=\"a\"].ports[containerPort=53,protocol=\"TCP\"].name"},
        {.declared =
             "{" IN_POD("'containers':[{'name':'a','ports':[{'containerPort':53,'name':'dns'}]}]") "}",
         .before =
             IN_POD("'containers':[{'name':'a','ports':[{'containerPort':53,'protocol':'TCP','name':'a'},"
                    "{'containerPort':53,'protocol':'UDP','name':'b'}]}]"),
         .after =
             IN_POD("'containers':[{'name':'a','ports':[{'containerPort':53,'protocol':'UDP','name':'c'}]}]"),
         .owned = owned},
        /* Another port is added beside it. */
        {.declared =
             "{" IN_POD("'containers':[{'name':'a','ports':[{'containerPort':53,'name':'dns'}]}]") "}",
         .before = IN_POD(
             "'containers':[{'name':'a','ports':[{'containerPort':53,'protocol':'TCP','name':'dns'}]}]"),
         .after =
             IN_POD("'containers':[{'name':'a','ports':[{'containerPort':53,'protocol':'TCP','name':'dns'},"
                    "{'containerPort':53,'protocol':'UDP','name':'b'}]}]"),
         .owned = owned},
        /* With its protocol each is itself. */
        {.declared = "{" IN_POD("'containers':[{'name':'a','ports':[{'containerPort':53,'protocol':'TCP'},"
                                "{'containerPort':53,'protocol':'UDP'}]}]") "}",
         .before = IN_POD("'containers':[{'name':'a','ports':[{'containerPort':53,'protocol':'TCP'},"
                          "{'containerPort':53,'protocol':'UDP'}]}]"),
         .after = IN_POD("'containers':[{'name':'a','ports':[{'containerPort':53,'protocol':'TCP'}]}]"),
         .owned = owned,
         .fields = CONTAINERS "[name=\"a\"].ports[containerPort=53,protocol=\"UDP\"]",
         .gone = true,
         .left = PORTS "[containerPort=53,protocol=TCP].containerPort"},
    };
    CHECK(state, cases);
}

/* Atomic lists are one value; sets are their items. */
static void atomic_lists_and_sets_fire(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'args':['a','b']}}",
         .before = "'spec':{'args':['a','b']}",
         .after = "'spec':{'args':['b','a']}",
         .owned = ".spec.args",
         .fields = ".spec.args"},
        {.declared = "{'spec':{'hosts':['a','b']}}",
         .before = "'spec':{'hosts':['a','b']}",
         .after = "'spec':{'hosts':['b']}",
         .owned = ".spec.hosts[=a] .spec.hosts[=b]",
         .fields = ".spec.hosts[=\"a\"]",
         .gone = true,
         .left = ".spec.hosts[=b]"},
        {.declared = "{'spec':{'hosts':['a','b']}}",
         .before = "'spec':{'hosts':['a','b']}",
         .after = "'spec':{'hosts':['c','b','a']}",
         .owned = ".spec.hosts[=a] .spec.hosts[=b]"},
    };
    CHECK(state, cases);
}

/* Nothing is guessed about a custom resource whose lists no entry shows. */
static void unknown_list_types_are_silent(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'containers':[{'name':'a','image':'1'}]}}",
         .before = "'spec':{'containers':[{'name':'a','image':'1'}]}",
         .after = "'spec':{'containers':[{'name':'a','image':'2'}]}",
         .group = "example.com",
         .kind = "Widget"},
        {.declared = "{'spec':{'unheard':['a']}}",
         .before = "'spec':{'unheard':['a']}",
         .after = "'spec':{'unheard':['b']}"},
    };
    CHECK(state, cases);
}

/* In an exported manifest stands what the server and the controllers keep for themselves. */
static void runtime_fields_of_an_exported_manifest_are_silent(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'metadata':{'resourceVersion':'1','uid':'u','generation':1,'creationTimestamp':null,"
                     "'finalizers':['a/x'],'ownerReferences':[{'uid':'1'}],'managedFields':[{}],"
                     "'annotations':{'deployment.kubernetes.io/revision':'1'}},"
                     "'status':{'replicas':1}}",
         .before = "'status':{'replicas':1}",
         .after = "'status':{'replicas':2}"},
    };
    struct story story;
    char owned[OWNED_BYTES];
    story = story_of(&cases[0], owned, sizeof(owned));
    story.old.metadata = "'resourceVersion':'1','uid':'u','generation':1,'finalizers':['a/x'],"
                         "'ownerReferences':[{'uid':'1'}],'creationTimestamp':null";
    story.new.metadata = "'resourceVersion':'2','uid':'v','generation':2";
    story.old.annotations = "'deployment.kubernetes.io/revision':'1'";
    story.new.annotations = "'deployment.kubernetes.io/revision':'2'";
    expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
}

/* Labels and annotations are declared as the spec is. */
static void declared_labels_and_annotations_fire(void **state)
{
    static const struct drift_case test = {
        .declared = "{'metadata':{'labels':{'a':'1','b':'2'},'annotations':{'n':'1','m':'1'}}}",
        .before = "",
        .after = "",
        .fields = ".metadata.labels.a",
    };
    char owned[OWNED_BYTES];
    struct story story = story_of(&test, owned, sizeof(owned));
    story.old.metadata = "'labels':{'a':'1','b':'2'}";
    story.new.metadata = "'labels':{'a':'9','b':'2'}";
    story.old.annotations = "'n':'1','m':'1'";
    story.new.annotations = "'m':'1'";
    expect_finding(
        judge_story(*state, ALONE, &story), RULE_last_applied_drift, ACTION_WARN,
        ".metadata.labels.a .metadata.annotations.n");
}

/* stringData is stored as data: a change of the data changes the declaration, a change of its spelling does
 * not.
 */
static void secrets_are_compared_by_their_data(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'stringData':{'password':'secret'}}",
         .before = "'data':{'password':'c2VjcmV0'}",
         .after = "'data':{'password':'b3RoZXI='}",
         .fields = ".data.password",
         .group = "",
         .kind = "Secret"},
        {.declared = "{'stringData':{'password':'secret'}}",
         .before = "'data':{'password':'c2VjcmV0'}",
         .after = "'data':{}",
         .fields = ".data.password",
         .gone = true,
         .group = "",
         .kind = "Secret"},
        {.declared = "{'stringData':{'password':'secret'}}",
         .before = "'data':{'password':'c2VjcmV0','other':'MQ=='}",
         .after = "'data':{'password':'c2VjcmV0','other':'Mg=='}",
         .group = "",
         .kind = "Secret"},
        {.declared = "{'data':{'password':'c2VjcmV0'}}",
         .before = "'data':{'password':'c2VjcmV0'}",
         .after = "'data':{'password':'b3RoZXI='}",
         .fields = ".data.password",
         .group = "",
         .kind = "Secret"},
    };
    CHECK(state, cases);
}

static const struct drift_case replicas_changed = {
    .declared = "{'spec':{'replicas':3}}",
    .before = "'spec':{'replicas':3}",
    .after = "'spec':{'replicas':5}",
    .fields = ".spec.replicas",
};

/* A writer that writes the annotation again has declared again: kubectl apply and kubectl edit both do. */
static void rewritten_annotation_is_silent(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    story.new.last_applied = "{'spec':{'replicas':5}}";
    expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
    story.new.last_applied = NULL;
    expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
    story.old.last_applied = NULL;
    story.new.last_applied = replicas_changed.declared;
    expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
}

/* An annotation that cannot be read declares nothing; last-applied-invalid speaks when it is written. */
static void unreadable_annotation_is_silent(void **state)
{
    static const char *const unreadable[] = {"", "null", "[]", "'x'", "{", "{} x"};
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    for (size_t i = 0; i < ARRAY_SIZE(unreadable); i++) {
        story.old.last_applied = story.new.last_applied = unreadable[i];
        expect_nothing(judge_story(*state, ALONE, &story));
    }
}

/* Nobody applies to this object what is another's: a copy under another name, what KEDA makes of its own. */
static void annotation_of_another_object_is_silent(void **state)
{
    static const char *const foreign[] = {
        "{'metadata':{'name':'original'},'spec':{'replicas':3}}",
        "{'kind':'ScaledObject','spec':{'replicas':3}}",
        "{'metadata':{'namespace':'before-the-restore'},'spec':{'replicas':3}}"};
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    story.old.last_applied = story.new.last_applied = "{'metadata':{'name':'web'},'spec':{'replicas':3}}";
    expect_count(judge_story(*state, ALONE, &story), RULE_last_applied_drift, 1);
    for (size_t i = 0; i < ARRAY_SIZE(foreign); i++) {
        story.old.last_applied = story.new.last_applied = foreign[i];
        expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
    }
}

/* On an object that is applied server-side alone, a left-over annotation will never be applied again. */
static void server_side_applied_object_is_silent(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    story.old.entries[0] = story.new.entries[0] = (struct entry)APPLIES("kubectl", ".spec.x");
    expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
}

/* Once managedFields are dropped nothing shows how the object is applied; the annotation still stands. */
static void object_without_managed_fields_fires(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    story.old.entries[0] = story.new.entries[0] = story.new.entries[1] = (struct entry){.manager = NULL};
    expect_finding(
        judge_story(*state, ALONE, &story), RULE_last_applied_drift, ACTION_WARN, ".spec.replicas");
}

/* Fields that ownership-conflict has reported, at the same strength or more, are not reported twice. */
static void conflicting_field_is_reported_once(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    const struct entry with_replicas =
        UPDATES("kubectl-client-side-apply", OWNS_ANNOTATION ".spec.replicas .spec.paused");
    const struct entry without = UPDATES("kubectl-client-side-apply", OWNS_ANNOTATION ".spec.paused");
    story.old.entries[0] = with_replicas;
    story.new.entries[0] = without;
    const struct verdict *verdict = judge_story(*state, BASELINE, &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.replicas");
    expect_silence(verdict, RULE_last_applied_drift);
    /* Strict warns of a controller that takes from an applier, and drift says no more than that. */
    verdict = judge_story(*state, STRICT, &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.replicas");
    expect_silence(verdict, RULE_last_applied_drift);
    assert_true(verdict->allowed);
}

/* Only the drifted fields that a conflict names are left out. */
static void fields_beside_a_conflict_are_reported(void **state)
{
    static const struct drift_case test = {
        .declared = "{'spec':{'a':{'x':1},'ab':1}}",
        .before = "'spec':{'a':{'x':1},'ab':1}",
        .after = "'spec':{'a':{'x':2},'ab':2}",
        .fields = ".spec.a .spec.ab",
    };
    char owned[OWNED_BYTES];
    struct story story = story_of(&test, owned, sizeof(owned));
    story.old.entries[0].fields = OWNS_ANNOTATION ".spec.a";
    story.new.entries[0].fields = OWNS_ANNOTATION;
    const struct verdict *verdict = judge_story(*state, BASELINE, &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, ".spec.a");
    expect_finding(verdict, RULE_last_applied_drift, ACTION_WARN, ".spec.ab");
}

/* Also where the conflict has more fields than a finding lists. */
static void fields_beside_many_conflicts_are_reported(void **state)
{
    char values[2][1024], owned[OWNED_BYTES], lost[1024] = OWNS_ANNOTATION;
    for (int side = 0; side < 2; side++) {
        size_t length = (size_t)snprintf(values[side], sizeof(values[side]), "'spec':{'b':%d", side);
        for (int i = 0; i <= FINDING_FIELDS_MAX; i++)
            length += (size_t)snprintf(
                values[side] + length, sizeof(values[side]) - length, ",'f%d':%d", i, side + 1);
        snprintf(values[side] + length, sizeof(values[side]) - length, "}");
    }
    for (int i = 0; i <= FINDING_FIELDS_MAX; i++)
        snprintf(lost + strlen(lost), sizeof(lost) - strlen(lost), " .spec.f%d", i);
    char declared[1100];
    snprintf(declared, sizeof(declared), "{%s}", values[0]);
    const struct drift_case test = {.declared = declared, .before = values[0], .after = values[1]};
    struct story story = story_of(&test, owned, sizeof(owned));
    story.old.entries[0].fields = lost;
    story.new.entries[1].fields = ".spec";
    const struct verdict *verdict = judge_story(*state, BASELINE, &story);
    assert_int_equal(finding_of(verdict, RULE_ownership_conflict)->field_total, FINDING_FIELDS_MAX + 1);
    expect_finding(verdict, RULE_last_applied_drift, ACTION_WARN, ".spec.b");
}

/* kubectl's update of the annotation changes nothing and gets no finding. */
static void bookkeeping_is_silent(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    story.manager = "kubectl-last-applied";
    story.new.entries[1] = (struct entry)APPLIES("kubectl-last-applied", ".spec.x");
    expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
}

/* Creation changes nothing that was there. */
static void creation_is_silent(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    story.old = (struct object_story){.body = NULL};
    expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
}

/* Strict refuses it to people, and warns a controller, which would only try again; both are named. */
static void profiles_and_message(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    const struct finding *finding = expect_finding(
        judge_story(*state, STRICT ALONE, &story), RULE_last_applied_drift, ACTION_WARN, ".spec.replicas");
    expect_text(
        finding->message,
        "Deployment default/web: operator changes replicas, but the next kubectl apply undoes this; change "
        "the manifest");
    expect_manager(&finding->writer, "operator", MANAGER_UPDATE, "");
    expect_finding(
        judge_story(*state, "profile: audit\n" ALONE, &story), RULE_last_applied_drift, ACTION_AUDIT,
        ".spec.replicas");
    story.manager = "kubectl-patch";
    story.user = "alice";
    story.new.entries[1] = (struct entry)UPDATES("kubectl-patch", ".spec.replicas", .time = NOW);
    expect_finding(
        judge_story(*state, STRICT ALONE, &story), RULE_last_applied_drift, ACTION_DENY, ".spec.replicas");
}

/* A field that a mutating webhook or policy changes in flight stays its owner's: the writer did not do it. */
static void change_in_flight_is_silent(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{" IN_POD("'containers':[{'name':'a','image':'1'}]") "}",
         .before = IN_POD("'containers':[{'name':'a','image':'1'}]"),
         .after = IN_POD("'containers':[{'name':'a','image':'1@sha256:x'}]"),
         .owned = CONTAINERS "[name=a].image"},
        {.declared = "{'spec':{'paused':true}}",
         .before = "'spec':{'paused':true}",
         .after = "'spec':{}",
         .owned = ".spec.paused"},
    };
    for (size_t i = 0; i < 2; i++) {
        char owned[OWNED_BYTES];
        struct story story = story_of(&cases[i], owned, sizeof(owned));
        expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
        /* The same where nothing shows who writes. */
        story.manager = NULL;
        story.new.entries[1].manager = NULL;
        expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
    }
}

/* If two may have written it, the manager that gained the field is the writer. */
static void nameless_writer_gains_what_it_changes(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    story.manager = NULL;
    story.new.entries[2] = (struct entry)UPDATES("another", ".spec.y", .time = NOW);
    expect_finding(
        judge_story(*state, ALONE, &story), RULE_last_applied_drift, ACTION_WARN, ".spec.replicas");
}

/* Whichever of the entries stands first. */
static void gain_of_the_first_entry_fires(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    story.manager = NULL;
    const struct entry applier = story.new.entries[0];
    story.new.entries[0] = story.new.entries[1];
    story.new.entries[1] = applier;
    story.new.entries[2] = (struct entry)UPDATES("another", ".spec.y", .time = NOW);
    expect_finding(
        judge_story(*state, ALONE, &story), RULE_last_applied_drift, ACTION_WARN, ".spec.replicas");
}

/* A mutating webhook may have set a value that no entry of the writer owns. */
static void a_named_writer_without_an_entry_is_silent(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    story.new.entries[1] = (struct entry){0};
    expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
    story.old.entries[0].fields = OWNS_ANNOTATION ".spec.x";
    story.new.entries[0].fields = OWNS_ANNOTATION ".spec.x .spec.replicas";
    expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
}

/* A field that a webhook changed belongs to its owner from before, or has none; also where entries changed
 * otherwise. */
static void nameless_writer_without_a_gain_is_silent(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    story.manager = NULL;
    story.new.entries[1].fields = ".spec.z";
    story.new.entries[2] = (struct entry)UPDATES("another", ".spec.y", .time = NOW);
    expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
    story.old.entries[0].fields = OWNS_ANNOTATION ".spec.replicas .spec.x";
    story.new.entries[0].fields = OWNS_ANNOTATION ".spec.replicas";
    expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
}

/* Items are known by their key fields, in any order of the object's lists. */
static void items_of_several_keys_are_the_writers(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'ports':[{'port':53,'protocol':'UDP','name':'dns'}]}}",
         .before = "'spec':{'ports':[{'name':'dns','protocol':'UDP','port':53}]}",
         .after = "'spec':{'ports':[{'name':'other','protocol':'UDP','port':53}]}",
         .owned = ".spec.ports[port=53,protocol=UDP].port",
         .fields = ".spec.ports[port=53,protocol=\"UDP\"].name",
         .group = "",
         .kind = "Service"},
    };
    CHECK(state, cases);
}

/* Flux and Timoni remove the annotation, and so does Argo CD once it has adopted: nothing is put back by it.
 */
static void adopted_object_is_warned_of_at_most(void **state)
{
    static const struct {
        const char *manager;
        enum action action;
    } cases[] = {
        {"kustomize-controller", ACTION_WARN}, {"timoni", ACTION_WARN},
        {"argocd-controller", ACTION_WARN},    {"Terraform", ACTION_WARN},
        {"pulumi-kubernetes-1", ACTION_WARN},  {"kubectl", ACTION_DENY},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char owned[OWNED_BYTES];
        struct story story = story_of(&replicas_changed, owned, sizeof(owned));
        story.manager = cases[i].manager;
        story.new.entries[1] = (struct entry)APPLIES(cases[i].manager, ".spec.replicas", .time = NOW);
        expect_finding(
            judge_story(*state, STRICT ALONE, &story), RULE_last_applied_drift, cases[i].action,
            ".spec.replicas");
    }
}

/* An upgrade after the adoption: what kubectl once declared it applies no more, unless it has since. Another
 * manager that keeps the annotation is not a former tool. */
static void adoption_that_is_over_is_audited(void **state)
{
    static const struct {
        const char *keeper, *last_apply;
        enum action action;
    } cases[] = {
        {"kubectl-client-side-apply", "2026-01-01T00:00:01Z", ACTION_AUDIT},
        /* Somebody may have run kubectl apply since: Argo CD puts its values back. */
        {"kubectl-client-side-apply", BEFORE, ACTION_WARN},
        /* kubectl apply --field-manager=ci */
        {"ci", "2026-01-01T00:00:01Z", ACTION_AUDIT},
        {"helm", "2026-01-01T00:00:01Z", ACTION_WARN},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char owned[OWNED_BYTES];
        struct story story = story_of(&replicas_changed, owned, sizeof(owned));
        story.manager = "argocd-controller";
        story.old.last_applied = story.new.last_applied =
            "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web','namespace':'default'},"
            "'spec':{'replicas':3}}";
        story.old.entries[0].manager = story.new.entries[0].manager = cases[i].keeper;
        story.old.entries[1] =
            (struct entry)APPLIES("argocd-controller", ".spec.other", .time = cases[i].last_apply);
        story.new.entries[1] = (struct entry)APPLIES("argocd-controller", ".spec.replicas", .time = NOW);
        expect_finding(
            judge_story(*state, STRICT ALONE, &story), RULE_last_applied_drift, cases[i].action,
            ".spec.replicas");
    }
}

/* Argo CD reconciles under one name, and applies and annotates under another; it undoes nothing of its own.
 */
static void a_second_name_of_the_applier_is_silent(void **state)
{
    char owned[OWNED_BYTES];
    struct story story = story_of(&replicas_changed, owned, sizeof(owned));
    story.manager = "argocd-controller";
    story.new.entries[1].manager = story.manager;
    expect_finding(
        judge_story(*state, STRICT ALONE, &story), RULE_last_applied_drift, ACTION_WARN, ".spec.replicas");
    story.old.entries[0].manager = story.new.entries[0].manager = "argocd-application-controller";
    expect_silence(judge_story(*state, STRICT ALONE, &story), RULE_last_applied_drift);
}

/* kubectl hands the annotation to this name, which takes nothing else: what else is lost it has not applied.
 */
static void the_name_of_the_keeper_of_the_annotation_hides_nothing(void **state)
{
    static const struct drift_case removed = {
        .declared = "{'spec':{'replicas':3}}",
        .before = "'spec':{'replicas':3}",
        .after = "'spec':{}",
        .owned = ".spec.replicas",
        .fields = ".spec.replicas",
        .gone = true,
        .left = ""};
    char owned[OWNED_BYTES];
    struct story story = story_of(&removed, owned, sizeof(owned));
    expect_finding(
        judge_story(*state, STRICT ALONE, &story), RULE_last_applied_drift, ACTION_WARN, ".spec.replicas");
    story.manager = "kubectl-last-applied";
    story.new.entries[1] = (struct entry)APPLIES("kubectl-last-applied", OWNS_ANNOTATION, .time = NOW);
    expect_finding(
        judge_story(*state, STRICT ALONE, &story), RULE_last_applied_drift, ACTION_DENY, ".spec.replicas");
}

/* More fields than a finding lists are counted. */
static void many_fields_are_counted(void **state)
{
    char declared[8192] = "{'spec':{'x':1", before[8192] = "'spec':{'x':1", after[8192] = "'spec':{'x':1";
    for (int i = 0; i <= FINDING_FIELDS_MAX; i++) {
        char member[32];
        snprintf(member, sizeof(member), ",'f%d':1", i);
        strcat(declared, member);
        strcat(before, member);
        snprintf(member, sizeof(member), ",'f%d':2", i);
        strcat(after, member);
    }
    strcat(declared, "}}");
    strcat(before, "}");
    strcat(after, "}");
    const struct drift_case test = {.declared = declared, .before = before, .after = after};
    char owned[OWNED_BYTES];
    struct story story = story_of(&test, owned, sizeof(owned));
    story.new.entries[1].fields = ".spec";
    const struct finding *finding = finding_of(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
    assert_int_equal(finding->field_count, FINDING_FIELDS_MAX);
    assert_int_equal(finding->field_total, FINDING_FIELDS_MAX + 1);
    expect_part(finding->message, "and 32 more fields");
}

static void put_nested(FILE *out, int depth, const char *innermost)
{
    for (int i = 0; i < depth; i++)
        fputs("{'a':", out);
    fputs(innermost, out);
    for (int i = 0; i < depth; i++)
        fputc('}', out);
}

static char *nested(const char *start, int depth, const char *innermost, const char *end)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fputs(start, out);
    put_nested(out, depth, innermost);
    fputs(end, out);
    fclose(out);
    return text;
}

/* Nesting far beyond any API type ends the walk, not the process. */
static void deep_nesting_ends_quietly(void **state)
{
    static const int depths[] = {50, 127, 128, 129, 20000};
    for (size_t i = 0; i < ARRAY_SIZE(depths); i++) {
        char *declared = nested("{'spec':", depths[i], "1", "}");
        char *before = nested("'spec':", depths[i], "1", "");
        char *after = nested("'spec':", depths[i], "2", "");
        const struct drift_case test = {.declared = declared, .before = before, .after = after};
        char owned[OWNED_BYTES];
        struct story story = story_of(&test, owned, sizeof(owned));
        story.new.entries[1].fields = ".spec";
        const struct verdict *verdict = judge_story(*state, ALONE, &story);
        expect_count(verdict, RULE_last_applied_drift, depths[i] < 127 ? 1 : 0);
        free(declared);
        free(before);
        free(after);
    }
}

/* A zero that was not left out says something else than its absence, and the next apply sets it again. */
static void removed_zero_fires(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'automountServiceAccountToken':false}}",
         .before = "'spec':{'automountServiceAccountToken':false}",
         .after = "'spec':{}",
         .fields = ".spec.automountServiceAccountToken",
         .gone = true},
    };
    CHECK(state, cases);
}

/* An empty map is the choice of a kind of volume: without it the next apply adds it in addition to the other.
 * */
static void removed_empty_map_fires(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'volumes':[{'name':'v','emptyDir':{}}]}}",
         .before = "'spec':{'volumes':[{'name':'v','emptyDir':{}}]}",
         .after = "'spec':{'volumes':[{'name':'v','hostPath':{'path':'/'}}]}",
         .fields = ".spec.volumes[name=\"v\"].emptyDir",
         .gone = true},
    };
    CHECK(state, cases);
}

/* A controller with types leaves out what is empty when it writes a custom resource back. */
static void empty_values_left_out_of_custom_resources_are_silent(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'nodeSelector':{},'m':{'args':[]}}}",
         .before = "'spec':{'nodeSelector':{},'m':{'args':[]}}",
         .after = "'spec':{'m':{}}",
         .gone = true,
         .group = "example.com",
         .kind = "Widget"},
        {.declared = "{'spec':{'nodeSelector':{'a':'b'}}}",
         .before = "'spec':{'nodeSelector':{'a':'b'}}",
         .after = "'spec':{}",
         .fields = ".spec.nodeSelector",
         .gone = true,
         .group = "example.com",
         .kind = "Widget"},
    };
    CHECK(state, cases);
    char owned[OWNED_BYTES];
    struct story story = story_of(&cases[0], owned, sizeof(owned));
    story.manager = story.new.entries[1].manager = "kubectl-edit";
    story.user = "alice";
    expect_finding(
        judge_story(*state, ALONE, &story), RULE_last_applied_drift, ACTION_WARN, ".spec.nodeSelector");
}

/* Set back to the same amount, or the same secret, in the server's spelling. */
static void value_set_back_in_another_spelling_is_silent(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'cpu':'1000m'}}",
         .before = "'spec':{'cpu':'2'}",
         .after = "'spec':{'cpu':'1'}"},
        {.declared = "{'spec':{'cpu':'0.5'}}",
         .before = "'spec':{'cpu':'2'}",
         .after = "'spec':{'cpu':'500m'}"},
        {.declared = "{'spec':{'m':'1024Mi'}}",
         .before = "'spec':{'m':'2Gi'}",
         .after = "'spec':{'m':'1Gi'}"},
        {.declared = "{'spec':{'cpu':1}}", .before = "'spec':{'cpu':'2'}", .after = "'spec':{'cpu':'1'}"},
        {.declared = "{'stringData':{'p':'secret'}}",
         .before = "'data':{'p':'b3RoZXI='}",
         .after = "'data':{'p':'c2VjcmV0'}",
         .group = "",
         .kind = "Secret"},
    };
    CHECK(state, cases);
}

/* Amounts that only look alike, and other texts, are other values. */
static void value_of_another_amount_fires(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'m':'1Gi'}}",
         .before = "'spec':{'m':'1Gi'}",
         .after = "'spec':{'m':'1G'}",
         .fields = ".spec.m"},
        {.declared = "{'spec':{'m':'1'}}",
         .before = "'spec':{'m':'1'}",
         .after = "'spec':{'m':'-1'}",
         .fields = ".spec.m"},
        {.declared = "{'spec':{'m':'0'}}",
         .before = "'spec':{'m':'0'}",
         .after = "'spec':{'m':'1n'}",
         .fields = ".spec.m"},
        {.declared = "{'spec':{'m':'1'}}",
         .before = "'spec':{'m':'1'}",
         .after = "'spec':{'m':''}",
         .fields = ".spec.m"},
        /* The server stores quantities without a fraction: this is a version, or any other text. */
        {.declared = "{'spec':{'version':'1.10'}}",
         .before = "'spec':{'version':'1.10'}",
         .after = "'spec':{'version':'1.1'}",
         .fields = ".spec.version"},
        /* Only a Secret's stringData is stored in base64. */
        {.declared = "{'stringData':{'p':'secret'}}",
         .before = "'stringData':{'p':'secret'}",
         .after = "'stringData':{'p':'c2VjcmV0'}",
         .fields = ".stringData.p"},
        {.declared = "{'data':{'p':'secret'}}",
         .before = "'data':{'p':'secret'}",
         .after = "'data':{'p':'c2VjcmV0'}",
         .fields = ".data.p",
         .group = "",
         .kind = "Secret"},
    };
    CHECK(state, cases);
}

/* kubectl apply with the same manifest does not write the annotation again; what it changes, it heals. */
static void reapplied_manifest_is_silent(void **state)
{
    static const struct drift_case cases[] = {
        {.declared = "{'spec':{'timeout':'60s'}}",
         .before = "'spec':{'timeout':'5s'}",
         .after = "'spec':{'timeout':'1m0s'}",
         .fields = ".spec.timeout"},
        {.declared = "{'spec':{'tolerations':[{'key':'k'}]}}",
         .before = "'spec':{'tolerations':[]}",
         .after = "'spec':{'tolerations':[{'key':'k','operator':'Equal'}]}",
         .owned = ".spec.tolerations",
         .fields = ".spec.tolerations"},
    };
    for (size_t i = 0; i < 2; i++) {
        char owned[OWNED_BYTES];
        struct story story = story_of(&cases[i], owned, sizeof(owned));
        expect_count(judge_story(*state, ALONE, &story), RULE_last_applied_drift, 1);
        story.manager = "kubectl-client-side-apply";
        story.new.entries[0].time = NOW;
        story.new.entries[1].manager = NULL;
        expect_silence(judge_story(*state, ALONE, &story), RULE_last_applied_drift);
    }
}

/* A removed map or list is reported even if ownership-conflict reports its fields. */
static void removed_container_is_reported_once(void **state)
{
    static const struct {
        const char *body;
        const char *lost;
        const char *told;
    } cases[] = {
        {"'spec':{'strategy':{'type':'Recreate'}}", ".spec.strategy.type", ".spec.strategy.type"},
        {"'spec':{'volumes':[{'name':'v'}]}", ".spec.volumes[name=v].name", ".spec.volumes[name=\"v\"]"},
    };
    for (size_t i = 0; i < 2; i++) {
        char declared[128], owned[OWNED_BYTES], lost[256];
        snprintf(declared, sizeof(declared), "{%s}", cases[i].body);
        const struct drift_case test = {
            .declared = declared, .before = cases[i].body, .after = "'spec':{}", .gone = true};
        struct story story = story_of(&test, owned, sizeof(owned));
        snprintf(lost, sizeof(lost), OWNS_ANNOTATION "%s", cases[i].lost);
        story.old.entries[0].fields = lost;
        const struct verdict *verdict = judge_story(*state, BASELINE, &story);
        expect_finding(verdict, RULE_ownership_conflict, ACTION_WARN, cases[i].told);
        expect_silence(verdict, RULE_last_applied_drift);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(changed_declared_field_fires),
        IN_COURT(undeclared_field_is_silent),
        IN_COURT(declared_emptiness_is_silent),
        IN_COURT(other_spelling_alone_is_silent),
        IN_COURT(value_set_back_is_silent),
        IN_COURT(removed_zero_fires),
        IN_COURT(removed_empty_map_fires),
        IN_COURT(empty_values_left_out_of_custom_resources_are_silent),
        IN_COURT(value_set_back_in_another_spelling_is_silent),
        IN_COURT(value_of_another_amount_fires),
        IN_COURT(reapplied_manifest_is_silent),
        IN_COURT(removed_container_is_reported_once),
        IN_COURT(keyed_items_are_compared_by_key),
        IN_COURT(builtin_lists_are_known_without_managed_fields),
        IN_COURT(port_without_protocol_is_found_where_it_is_one),
        IN_COURT(atomic_lists_and_sets_fire),
        IN_COURT(unknown_list_types_are_silent),
        IN_COURT(runtime_fields_of_an_exported_manifest_are_silent),
        IN_COURT(declared_labels_and_annotations_fire),
        IN_COURT(secrets_are_compared_by_their_data),
        IN_COURT(rewritten_annotation_is_silent),
        IN_COURT(unreadable_annotation_is_silent),
        IN_COURT(annotation_of_another_object_is_silent),
        IN_COURT(server_side_applied_object_is_silent),
        IN_COURT(object_without_managed_fields_fires),
        IN_COURT(conflicting_field_is_reported_once),
        IN_COURT(fields_beside_a_conflict_are_reported),
        IN_COURT(fields_beside_many_conflicts_are_reported),
        IN_COURT(bookkeeping_is_silent),
        IN_COURT(creation_is_silent),
        IN_COURT(profiles_and_message),
        IN_COURT(change_in_flight_is_silent),
        IN_COURT(nameless_writer_gains_what_it_changes),
        IN_COURT(gain_of_the_first_entry_fires),
        IN_COURT(a_named_writer_without_an_entry_is_silent),
        IN_COURT(nameless_writer_without_a_gain_is_silent),
        IN_COURT(items_of_several_keys_are_the_writers),
        IN_COURT(adopted_object_is_warned_of_at_most),
        IN_COURT(adoption_that_is_over_is_audited),
        IN_COURT(a_second_name_of_the_applier_is_silent),
        IN_COURT(the_name_of_the_keeper_of_the_annotation_hides_nothing),
        IN_COURT(many_fields_are_counted),
        IN_COURT(deep_nesting_ends_quietly),
    };
    return cmocka_run_group_tests_name("last-applied-drift", tests, NULL, NULL);
}
