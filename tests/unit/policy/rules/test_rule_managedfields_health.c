/*
 * managedfields-health: managedFields that are lost, merged by the API server, or outgrow their object.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

static const char *const names[] = {"u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9"};

/* Update entries u0, u1, ... */
static void fill(struct object_story *object, size_t count)
{
    for (size_t i = 0; i < count; i++)
        object->entries[i] = (struct entry)UPDATES(names[i], ".spec.a");
    object->entries[count].manager = NULL;
}

static struct story with_updates(const char *manager, size_t before, size_t after)
{
    struct story story = {.manager = manager, .old = {.body = ""}, .new = {.body = ""}};
    fill(&story.old, before);
    fill(&story.new, after);
    return story;
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_managedfields_health);
}

static const struct finding *expect_unhealthy(void **state, const char *policy, const struct story *story)
{
    const struct verdict *verdict = judge_story(*state, policy, story);
    expect_count(verdict, RULE_managedfields_health, 1);
    return finding_of(verdict, RULE_managedfields_health);
}

/* The writer that adds the tenth Update entry gets a finding, and the writer that causes the merge. */
static void cap_fires(void **state)
{
    struct story story = with_updates("u9", 9, 10);
    const struct finding *finding = expect_unhealthy(state, BASELINE, &story);
    assert_int_equal(finding->action, ACTION_AUDIT);
    expect_text(
        finding->message,
        "Deployment default/web: 10 managers wrote it, the most that Kubernetes tracks; give each tool one "
        "fixed --field-manager");
    story.old = story.new;
    story.new.entries[0] = (struct entry)UPDATES("ancient-changes", ".spec.a");
    finding = expect_unhealthy(state, STRICT, &story);
    assert_int_equal(finding->action, ACTION_WARN);
    expect_text(
        finding->message,
        "Deployment default/web: over 10 managers wrote it, so Kubernetes merged the oldest "
        "(ancient-changes); give each tool one fixed --field-manager");
}

/* Nine are nine, and Apply entries are not capped. */
static void fewer_entries_are_silent(void **state)
{
    struct story story = with_updates("u8", 8, 9);
    expect_quiet(state, &story);
    story.new.entries[9] = (struct entry)APPLIES("flux", ".spec.b");
    expect_quiet(state, &story);
}

/* Only an applier gets a finding about the current state, and is never refused for it. */
static void standing_state_is_for_appliers(void **state)
{
    static const char deny[] = "rules: {managedfields-health: {action: deny}}\n";
    struct story story = with_updates("u0", 10, 10);
    story.new.entries[0].time = NOW;
    expect_quiet(state, &story);
    story.manager = "kubectl-edit";
    expect_quiet(state, &story);
    story.manager = "flux";
    story.new.entries[10] = (struct entry)APPLIES("flux", ".spec.b", .time = NOW);
    assert_int_equal(expect_unhealthy(state, deny, &story)->action, ACTION_WARN);
    story.old.entries[0] = story.new.entries[0] = (struct entry)UPDATES("ancient-changes", ".spec.a");
    assert_int_equal(expect_unhealthy(state, deny, &story)->action, ACTION_WARN);
    story = with_updates("kubectl-edit", 9, 10);
    story.new.entries[9].manager = "kubectl-edit";
    assert_int_equal(expect_unhealthy(state, deny, &story)->action, ACTION_DENY);
}

#define SMALL "rules: {managedfields-health: {action: warn, sharePercent: 50, minBytes: 100}}\n"

/* One field of some 20 bytes, with owners of some 160. */
static struct story crowded(size_t before, size_t after)
{
    struct story story = with_updates("u0", before, after);
    story.old.body = story.new.body = "'spec':{'a':'0123456789'}";
    return story;
}

/* Over the share, of an object whose managedFields have some weight at all. */
static void share_of_the_object_fires(void **state)
{
    struct story story = crowded(0, 3);
    const struct finding *finding = expect_unhealthy(state, SMALL, &story);
    expect_part(finding->message, "managedFields take up 7");
    expect_part(finding->message, " % of the object (4");
    expect_part(finding->message, " bytes); let fewer tools set the same fields");
    story = crowded(3, 4);
    expect_silence(judge_story(*state, SMALL, &story), RULE_managedfields_health);
    story.manager = "flux";
    story.new.entries[0] = (struct entry)APPLIES("flux", ".spec.a", .time = NOW);
    assert_int_equal(expect_unhealthy(state, SMALL, &story)->action, ACTION_WARN);
}

/* The share itself is not reported yet, the size itself is: as the documentation words them. */
static void limits_are_exact(void **state)
{
    struct story story = crowded(0, 3);
    struct slice told = expect_unhealthy(state, SMALL, &story)->message;
    char message[512];
    snprintf(message, sizeof(message), "%.*s", (int)told.length, told.bytes);
    unsigned percent = 0, bytes = 0;
    assert_int_equal(
        sscanf(strstr(message, "take up"), "take up %u %% of the object (%u bytes)", &percent, &bytes), 2);
    const struct {
        unsigned percent, bytes;
        size_t findings;
    } cases[] = {{percent, 0, 0}, {percent - 1, 0, 1}, {0, bytes, 1}, {0, bytes + 1, 0}};
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char policy[128];
        snprintf(
            policy, sizeof(policy),
            "rules: {managedfields-health: {action: warn, sharePercent: %u, minBytes: %u}}\n",
            cases[i].percent, cases[i].bytes);
        expect_count(judge_story(*state, policy, &story), RULE_managedfields_health, cases[i].findings);
    }
}

/* Below the size nothing is reported, at any share; the default leaves common objects alone. */
static void small_objects_are_silent(void **state)
{
    struct story story = crowded(0, 3);
    expect_quiet(state, &story);
    static const char large[] =
        "rules: {managedfields-health: {action: warn, sharePercent: 0, minBytes: 5000}}\n";
    expect_silence(judge_story(*state, large, &story), RULE_managedfields_health);
    static const char all[] =
        "rules: {managedfields-health: {action: warn, sharePercent: 100, minBytes: 0}}\n";
    expect_silence(judge_story(*state, all, &story), RULE_managedfields_health);
}

static char *large_body(size_t size)
{
    char *body = malloc(size + 64);
    assert_non_null(body);
    strcpy(body, "'spec':{'a':1,'text':'");
    memset(body + strlen(body), 'x', size);
    strcpy(body + 22 + size, "'}");
    return body;
}

/* As many fields with names of 200 bytes. */
static char *wide_body(size_t fields)
{
    char *body = malloc(fields * 256);
    assert_non_null(body);
    size_t length = (size_t)sprintf(body, "'spec':{'a':1");
    for (size_t i = 0; i < fields; i++)
        length += (size_t)sprintf(body + length, ",'%0200zu':0", i);
    strcpy(body + length, "}");
    return body;
}

/*
 * A large object that fits into etcd once managedFields are gone: the API server drops them itself. If one of
 * them fits, another writer caused it.
 */
static void drop_by_the_server_fires(void **state)
{
    struct story story = with_updates("importer", 2, 0);
    char *body = large_body((size_t)1536 * 1024 - 4096);
    story.old.body = story.new.body = body;
    const struct finding *finding = expect_unhealthy(state, STRICT, &story);
    expect_part(finding->message, "it is too large to be stored with managedFields");
    expect_silence(judge_story(*state, STRICT, &story), RULE_managedfields_rewritten);
    free(body);
    story.old.body = story.new.body = body = large_body((size_t)1400 * 1024);
    expect_silence(judge_story(*state, STRICT, &story), RULE_managedfields_health);
    expect_count(judge_story(*state, STRICT, &story), RULE_managedfields_rewritten, 1);
    free(body);
    /* The owners of many new fields do not fit, the owners of one large field do. */
    story.old.body = "'spec':{'a':1}";
    story.new.body = body = wide_body(4000);
    expect_unhealthy(state, STRICT, &story);
    free(body);
    story.new.body = body = large_body((size_t)1024 * 1024);
    expect_silence(judge_story(*state, STRICT, &story), RULE_managedfields_health);
    expect_count(judge_story(*state, STRICT, &story), RULE_managedfields_rewritten, 1);
    free(body);
}

/* managedfields-rewritten reports stripping; where that is off, here. */
static void stripping_is_reported_once(void **state)
{
    struct story story = with_updates("kubectl-patch", 2, 0);
    story.old.body = story.new.body = "'spec':{'a':1}";
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_count(verdict, RULE_managedfields_rewritten, 1);
    expect_silence(verdict, RULE_managedfields_health);
    const struct finding *finding =
        expect_unhealthy(state, "rules: {managedfields-rewritten: {action: \"off\"}}\n", &story);
    expect_part(finding->message, "has lost its managedFields");
}

/* An owner that lets go of all it had leaves no managedFields, and nothing is lost. */
static void letting_go_is_silent(void **state)
{
    struct story story = with_updates("kubectl-label", 1, 0);
    story.old.body = "'spec':{'a':1}";
    expect_quiet(state, &story);
}

#define ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"
#define FIRST_BODY "'spec':{'a':1,'b':2,'c':3,'suspend':false,'env':[{'name':'A','value':'1'}]}"

/* The first server-side apply of .spec.a, on an object without managedFields. */
static struct story first_apply_by(const char *applier, const char *declared, const char *left)
{
    struct story story = {
        .manager = applier,
        .old = {.body = FIRST_BODY, .last_applied = declared},
        .new = {.body = FIRST_BODY, .last_applied = declared, .entries = {APPLIES(applier, ".spec.a")}},
    };
    story.new.entries[1] = (struct entry)UPDATES("before-first-apply", left);
    return story;
}

/* The next apply removes a field that is no longer declared, although this one keeps it. */
static void first_apply_that_drops_what_was_declared_warns(void **state)
{
    static const char *const appliers[] = {"kubectl", "kustomize-controller", "timoni", "flux-operator"};
    for (size_t i = 0; i < ARRAY_SIZE(appliers); i++) {
        struct story story =
            first_apply_by(appliers[i], "{'spec':{'a':1,'b':2}}", ANNOTATION " .spec.a .spec.b .spec.c");
        const struct finding *finding = expect_unhealthy(state, STRICT, &story);
        assert_int_equal(finding->action, ACTION_WARN);
        expect_fields(finding, ".spec.b");
        expect_part(finding->message, "it had no managedFields, so the next ");
        expect_part(finding->message, " removes b; declare what must stay");
        assert_int_equal(expect_unhealthy(state, BASELINE, &story)->action, ACTION_AUDIT);
    }
}

static void first_apply_that_drops_what_was_not_is_audited(void **state)
{
    struct story story = first_apply_by(
        "kubectl", "{'spec':{'a':1}}",
        ANNOTATION " .spec.a .spec.c .spec.env[name=A]. .spec.env[name=A].value");
    const struct finding *finding = expect_unhealthy(state, STRICT, &story);
    assert_int_equal(finding->action, ACTION_AUDIT);
    expect_fields(finding, ".spec.c .spec.env[name=\"A\"]");
}

static void first_apply_that_drops_nothing_is_silent(void **state)
{
    /* Defaults come back, and what is not the manifest's is set again. */
    struct story story = first_apply_by(
        "kubectl", "{'spec':{'a':1}}",
        ANNOTATION " .spec.a .spec.suspend .metadata.annotations.{deployment.kubernetes.io/revision}");
    expect_quiet(state, &story);
    /* Others do not take the entry over: it stays, and so do its fields. */
    story = first_apply_by("ci", "{'spec':{'a':1,'b':2}}", ANNOTATION " .spec.a .spec.b");
    expect_quiet(state, &story);
    story = first_apply_by("kubectl", NULL, ".spec.a .spec.b");
    expect_quiet(state, &story);
    /* It had managedFields. */
    story = first_apply_by("kubectl", "{'spec':{'a':1,'b':2}}", ANNOTATION " .spec.a .spec.b");
    story.old.entries[0] = (struct entry)UPDATES("before-first-apply", ANNOTATION " .spec.a .spec.b");
    expect_quiet(state, &story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(cap_fires),
        IN_COURT(fewer_entries_are_silent),
        IN_COURT(standing_state_is_for_appliers),
        IN_COURT(share_of_the_object_fires),
        IN_COURT(limits_are_exact),
        IN_COURT(small_objects_are_silent),
        IN_COURT(drop_by_the_server_fires),
        IN_COURT(stripping_is_reported_once),
        IN_COURT(letting_go_is_silent),
        IN_COURT(first_apply_that_drops_what_was_declared_warns),
        IN_COURT(first_apply_that_drops_what_was_not_is_audited),
        IN_COURT(first_apply_that_drops_nothing_is_silent),
    };
    return cmocka_run_group_tests_name("managedfields-health", tests, NULL, NULL);
}
