/*
 * unowned-change: a value changes whose owners keep it, and the writer never got it: something in the API
 * server did it. Only where the writer is known, and only of values that one entry can own.
 */
#include "tests/unit/review_builder.h"

#define IMAGE ".spec.containers[name=a].image"
#define WITH_IMAGE(image) "'spec':{'containers':[{'name':'a','image':'" image "'}]}"

/* kubectl annotate, while a mutating policy changes a field that flux owns. */
static struct story changed_in_flight(const char *before, const char *after, const char *owned)
{
    struct entry owner = APPLIES("flux", owned);
    return (struct story){
        .manager = "kubectl-annotate",
        .old = {.body = before, .entries = {owner}},
        .new =
            {.body = after,
             .entries = {owner, UPDATES("kubectl-annotate", ".metadata.annotations.note", .time = NOW)}},
    };
}

static struct story pinned(void)
{
    return changed_in_flight(WITH_IMAGE("1"), WITH_IMAGE("1@sha256:x"), IMAGE);
}

static const struct finding *expect_reported(void **state, const struct story *story, const char *fields)
{
    expect_finding(judge_story(*state, BASELINE, story), RULE_unowned_change, ACTION_AUDIT, fields);
    return expect_finding(judge_story(*state, STRICT, story), RULE_unowned_change, ACTION_WARN, fields);
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_unowned_change);
}

/* The writer is named, and said not to be it. */
static void value_changed_in_flight_fires(void **state)
{
    struct story story = pinned();
    const struct finding *finding = expect_reported(state, &story, ".spec.containers[name=\"a\"].image");
    expect_text(
        finding->message,
        "Deployment default/web: a's image (owned by Flux) changes, but not by kubectl annotate: a mutating "
        "webhook or policy did it; ask your platform team");
    expect_manager(&finding->writer, "kubectl-annotate", MANAGER_UPDATE, "");
    assert_int_equal(finding->previous_owner_count, 1);
    expect_manager(&finding->previous_owners[0], "flux", MANAGER_APPLY, "");
}

/* Where nothing shows that the writer wrote, the API server may have been unable to say so. */
static void untracked_writer_names_both_causes(void **state)
{
    struct story story = pinned();
    story.old.entries[1] = story.new.entries[1] =
        (struct entry)UPDATES("kubectl-annotate", ".metadata.annotations.note");
    const struct finding *finding = expect_reported(state, &story, ".spec.containers[name=\"a\"].image");
    expect_part(finding->message, "or the API server lost track");
}

/* An unreadable part of an entry hides neither other entries nor the rest of its own fields. */
static void malformed_fields_hide_nothing_else(void **state)
{
    struct story story = changed_in_flight(
        "'spec':{'a':1,'b':1}", "'spec':{'a':2,'b':2}", "{'nonsense':{},'f:spec':{'f:a':{}}}");
    story.old.entries[1] = story.new.entries[2] = (struct entry)UPDATES("helm", ".spec.b");
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_finding(verdict, RULE_unowned_change, ACTION_WARN, ".spec.a .spec.b");
    expect_part(
        finding_of(verdict, RULE_unjudged)->message,
        "an entry of the object's managedFields has a key that is not a path element");
}

/* Several owners, several fields: each is named once. */
static void owners_and_fields_are_named_once(void **state)
{
    struct story story =
        changed_in_flight("'spec':{'a':1,'b':1,'c':1}", "'spec':{'a':2,'b':2,'c':1}", ".spec.a .spec.c");
    story.old.entries[1] = story.new.entries[2] = (struct entry)UPDATES("helm", ".spec.a .spec.b");
    const struct finding *finding = expect_reported(state, &story, ".spec.a .spec.b");
    expect_part(finding->message, "(owned by Flux and Helm) change, but");
    assert_int_equal(finding->previous_owner_count, 2);
}

/* An apply of a map as a whole has changed the fields that another owns in it. */
static void what_is_part_of_the_writers_whole_is_silent(void **state)
{
    const struct entry owner = UPDATES("helm", ".spec.m.a");
    struct story story = {
        .manager = "flux",
        .old = {.body = "'spec':{'m':{'a':1}}", .entries = {owner}},
        .new =
            {.body = "'spec':{'m':{'a':2}}",
             .entries = {owner, APPLIES("flux", "{'f:spec':{'f:m':{}}}", .time = NOW)}},
    };
    expect_quiet(state, &story);
    /* With a member of its own, it owns only that member. */
    story.new.entries[1].fields = ".spec.m. .spec.m.b";
    expect_reported(state, &story, ".spec.m.a");
}

/* A change by the writer hides no change to other managers' fields, in the same map or next to it. */
static void changes_of_the_writer_hide_no_others(void **state)
{
    const struct entry first = UPDATES("helm", ".spec.a .spec.d"),
                       second = APPLIES("flux", ".spec.c .spec.m.x");
    struct story story = {
        .manager = "kubectl-edit",
        .old = {.body = "'spec':{'a':1,'b':1,'c':1,'d':1,'m':{'x':1,'y':1}}", .entries = {first, second}},
        .new =
            {.body = "'spec':{'a':1,'b':2,'c':1,'d':1,'m':{'x':1,'y':2}}",
             .entries = {first, second, UPDATES("kubectl-edit", ".spec.b .spec.m.y", .time = NOW)}},
    };
    expect_quiet(state, &story);
    story.new.body = "'spec':{'a':1,'b':2,'c':2,'d':1,'m':{'x':2,'y':2}}";
    expect_reported(state, &story, ".spec.c .spec.m.x");
    /* A map of the writer that is not atomic. */
    story.new.entries[2].fields = ".spec.b .spec.m. .spec.m.y";
    expect_reported(state, &story, ".spec.c .spec.m.x");
}

/* The writer has changed the fields that it gets or holds. */
static void what_the_writer_owns_is_silent(void **state)
{
    struct story story = pinned();
    story.new.entries[1].fields = IMAGE;
    expect_quiet(state, &story);
    story.old.entries[1] = (struct entry)UPDATES("kubectl-annotate", IMAGE);
    expect_quiet(state, &story);
    /* Or a value that it is part of. */
    story = changed_in_flight("'spec':{'a':{'b':1}}", "'spec':{'a':{'b':2}}", ".spec.a.b");
    story.new.entries[1].fields = ".spec.a";
    expect_quiet(state, &story);
}

/* If no writer is known, the message excludes none. */
static void unknown_writer_is_silent(void **state)
{
    struct story story = pinned();
    story.manager = NULL;
    story.new.entries[1].manager = NULL;
    expect_quiet(state, &story);
}

/* An owner that loses the field has lost it to a writer; a field without an owner before has none now. */
static void fields_that_are_not_kept_are_silent(void **state)
{
    struct story story = pinned();
    story.new.entries[0].fields = ".spec.x";
    expect_quiet(state, &story);
    story = pinned();
    story.old.entries[0].fields = ".spec.x";
    expect_quiet(state, &story);
}

/* A removed or new field has no other value. */
static void values_that_come_or_go_are_silent(void **state)
{
    struct story story = changed_in_flight("'spec':{'a':1}", "'spec':{}", ".spec.a");
    expect_quiet(state, &story);
    story = changed_in_flight("'spec':{}", "'spec':{'a':1}", ".spec.a");
    expect_quiet(state, &story);
}

/* {} for a map that others fill is not a value; if no manager owns anything in it, it is one. */
static void containers_are_values_where_nobody_owns_their_parts(void **state)
{
    struct story story = changed_in_flight("'spec':{'a':{'b':1}}", "'spec':{'a':{'b':2}}", ".spec.a");
    expect_reported(state, &story, ".spec.a");
    story.old.entries[1] = story.new.entries[2] = (struct entry)UPDATES("helm", ".spec.a.c");
    expect_quiet(state, &story);
}

/* Fields that the API server and its controllers maintain. */
static void the_servers_own_fields_are_silent(void **state)
{
    struct story story =
        changed_in_flight("", "", ".metadata.annotations.{deprecated.daemonset.template.generation}");
    story.old.annotations = "'deprecated.daemonset.template.generation':'1'";
    story.new.annotations = "'deprecated.daemonset.template.generation':'2'";
    expect_quiet(state, &story);
    /* An applier may declare annotations: {}, and nobody else have any. */
    story.old.entries[0].fields = story.new.entries[0].fields = ".metadata.annotations";
    expect_quiet(state, &story);
    /* The same of finalizers: [], where the control plane adds and removes its own. */
    story = changed_in_flight("", "", ".metadata.finalizers");
    story.old.metadata = "'finalizers':['kubernetes.io/pvc-protection']";
    story.new.metadata = "'finalizers':['kubernetes.io/pvc-protection','example.com/a']";
    expect_quiet(state, &story);
    story = changed_in_flight(
        "'spec':{'serviceAccount':'a','serviceAccountName':'a'}",
        "'spec':{'serviceAccount':'b','serviceAccountName':'b'}", ".spec.serviceAccount");
    expect_quiet(state, &story);
    story.old.body = "'spec':{'serviceAccount':'a'}";
    story.new.body = "'spec':{'serviceAccount':'b'}";
    expect_reported(state, &story, ".spec.serviceAccount");
}

/* stringData becomes data, and the entry of the writer keeps its name. */
static void string_data_is_silent(void **state)
{
    struct story story = changed_in_flight("'data':{'p':'MQ=='}", "'data':{'p':'Mg=='}", ".data.p");
    story.group = "";
    story.version = "v1";
    story.kind = "Secret";
    expect_reported(state, &story, ".data.p");
    story.new.entries[1].fields = ".stringData.p";
    expect_quiet(state, &story);
}

/* Another name of the same manager is the writer, and another version may name the field otherwise. */
static void other_entries_of_the_writer_and_other_versions_are_silent(void **state)
{
    struct story story = pinned();
    story.old.entries[0].manager = story.new.entries[0].manager = "kubectl-annotate";
    expect_quiet(state, &story);
    story = pinned();
    story.old.entries[0].api_version = story.new.entries[0].api_version = "apps/v1beta1";
    expect_quiet(state, &story);
}

/* So many owners as a finding can list, and one more: it is counted, and not written behind the list. */
static void owners_beyond_the_list_are_counted(void **state)
{
    enum { OWNERS = FINDING_PREVIOUS_OWNERS_MAX + 1 };
    char names[OWNERS][32], fields[OWNERS][32], before[512] = "'spec':{'x':1", after[512] = "'spec':{'x':1";
    struct story story = {.manager = "kubectl-annotate"};
    for (int i = 0; i < OWNERS; i++) {
        snprintf(names[i], sizeof(names[i]), "tool-%d", i);
        snprintf(fields[i], sizeof(fields[i]), ".spec.f%d", i);
        story.old.entries[i] = story.new.entries[i] = (struct entry)APPLIES(names[i], fields[i]);
        size_t length = strlen(before);
        snprintf(before + length, sizeof(before) - length, ",'f%d':1", i);
        snprintf(after + length, sizeof(after) - length, ",'f%d':2", i);
    }
    strcat(before, "}");
    strcat(after, "}");
    story.old.body = before;
    story.new.body = after;
    story.new.entries[OWNERS] =
        (struct entry)UPDATES("kubectl-annotate", ".metadata.annotations.note", .time = NOW);
    const struct finding *finding = finding_of(judge_story(*state, STRICT, &story), RULE_unowned_change);
    assert_int_equal(finding->previous_owner_count, FINDING_PREVIOUS_OWNERS_MAX);
    assert_int_equal(finding->previous_owner_total, OWNERS);
}

/* The owner has one item of a long list: the others may change, and the one may not. */
static void one_item_of_a_long_list_is_told_from_the_others(void **state)
{
    for (int changed = 0; changed < 2; changed++) {
        char before[2048] = "'spec':{'containers':[{'name':'a','image':'1'}", after[2048];
        for (int i = 0; i < 20; i++) {
            size_t length = strlen(before);
            snprintf(before + length, sizeof(before) - length, ",{'name':'b%d','image':'1','tty':true}", i);
        }
        strcat(before, "]}");
        strcpy(after, before);
        strstr(after, changed ? "'b7','image':'1'" : "'a','image':'1'")[changed ? 14 : 13] = '2';
        struct story story = changed_in_flight(before, after, IMAGE);
        if (changed)
            expect_quiet(state, &story);
        else
            expect_reported(state, &story, ".spec.containers[name=\"a\"].image");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(value_changed_in_flight_fires),
        IN_COURT(untracked_writer_names_both_causes),
        IN_COURT(malformed_fields_hide_nothing_else),
        IN_COURT(owners_and_fields_are_named_once),
        IN_COURT(changes_of_the_writer_hide_no_others),
        IN_COURT(what_the_writer_owns_is_silent),
        IN_COURT(what_is_part_of_the_writers_whole_is_silent),
        IN_COURT(unknown_writer_is_silent),
        IN_COURT(fields_that_are_not_kept_are_silent),
        IN_COURT(values_that_come_or_go_are_silent),
        IN_COURT(containers_are_values_where_nobody_owns_their_parts),
        IN_COURT(the_servers_own_fields_are_silent),
        IN_COURT(string_data_is_silent),
        IN_COURT(other_entries_of_the_writer_and_other_versions_are_silent),
        IN_COURT(owners_beyond_the_list_are_counted),
        IN_COURT(one_item_of_a_long_list_is_told_from_the_others),
    };
    return cmocka_run_group_tests_name("unowned-change", tests, NULL, NULL);
}
