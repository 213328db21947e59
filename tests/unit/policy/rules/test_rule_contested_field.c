/*
 * contested-field: a fight over a field is reported, and other changes are not taken for one.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define LIMIT_2 "rules: {contested-field: {action: warn, changes: 2, window: 10m}}\n"
#define DENYING "rules: {contested-field: {action: deny, changes: 2, window: 10m}}\n"
#define SLOWLY(changes, window) "slowChanges: " changes ", slowWindow: " window

/* One review of the fight: who takes .spec.a of whom. */
struct take {
    const char *writer;
    const char *previous_owner;
    const char *previous_owner_time; /* when the previous owner wrote last */
    const char *version;             /* of the object, before */
    const char *uid;                 /* of the object; NULL: "u" */
    bool dry_run;
};

static int open_with_memory(void **state)
{
    if (court_open(state) != 0)
        return -1;
    struct court *court = *state;
    court->now = 1000;
    court->takeover_history = takeover_history_create((struct siphash_seed){{3, 5}});
    return court->takeover_history ? 0 : -1;
}

#define REMEMBERING(test) cmocka_unit_test_setup_teardown(test, open_with_memory, court_close)

static const struct verdict *judge_take(void **state, const char *policy, const struct take *take)
{
    char metadata[200];
    snprintf(
        metadata, sizeof(metadata), "'uid':'%s','resourceVersion':'%s'", or_else(take->uid, "u"),
        take->version);
    const struct story story = {
        .manager = take->writer,
        .dry_run = take->dry_run,
        .old =
            {.body = "'spec':{'a':1}",
             .metadata = metadata,
             .entries = {APPLIES(take->previous_owner, ".spec.a", .time = take->previous_owner_time)}},
        .new =
            {.body = "'spec':{'a':2}",
             .metadata = metadata,
             .entries = {APPLIES(take->writer, ".spec.a", .time = NOW)}},
    };
    return judge_story(*state, policy, &story);
}

/* The next take of a fight between flux and argocd, a second after the last. */
static const struct verdict *fight_on(void **state, const char *policy, int number)
{
    struct court *court = *state;
    char version[16], time[32];
    snprintf(version, sizeof(version), "%d", number);
    snprintf(time, sizeof(time), "2026-01-01T00:00:%02dZ", number);
    const struct take take = {
        .writer = number % 2 ? "flux" : "argocd",
        .previous_owner = number % 2 ? "argocd" : "flux",
        .previous_owner_time = time,
        .version = version,
    };
    court->now++;
    return judge_take(state, policy, &take);
}

static void expect_reported(const struct verdict *verdict, enum action action)
{
    expect_finding(verdict, RULE_contested_field, action, ".spec.a");
}

static void expect_untold(const struct verdict *verdict)
{
    expect_silence(verdict, RULE_contested_field);
}

/* At the defaults the fifth change within ten minutes is a fight. */
static void fight_fires(void **state)
{
    for (int i = 1; i <= 4; i++)
        expect_untold(fight_on(state, BASELINE, i));
    expect_reported(fight_on(state, BASELINE, 5), ACTION_AUDIT);
    const struct finding *finding = finding_of(fight_on(state, BASELINE, 6), RULE_contested_field);
    expect_text(
        finding->message,
        "Deployment default/web: a changed hands 6 times within 10m, now from Flux to argocd; let only one "
        "of them set it");
    expect_manager(&finding->writer, "argocd", MANAGER_APPLY, "");
    assert_int_equal(finding->previous_owner_count, 1);
    expect_manager(&finding->previous_owners[0], "flux", MANAGER_APPLY, "");
}

/* Objects that have no UID, as in files, are known by kind, namespace and name: each fight is its own. */
static void objects_without_a_uid_are_known_by_name(void **state)
{
    static const struct {
        const char *name, *namespace;
    } objects[] = {{"web", "default"}, {"api", "default"}, {"web", "other"}};
    struct court *court = *state;
    for (int i = 0; i < 9; i++) {
        char metadata[32], time[32];
        const char *names[] = {"flux", "argocd"};
        snprintf(metadata, sizeof(metadata), "'resourceVersion':'%d'", i);
        snprintf(time, sizeof(time), "2026-01-01T00:00:0%dZ", i);
        struct story story = {
            .manager = names[i / 3 % 2],
            .name = objects[i % 3].name,
            .namespace = objects[i % 3].namespace,
            .old =
                {.body = "'spec':{'a':1}",
                 .metadata = metadata,
                 .entries = {APPLIES(names[1 - i / 3 % 2], ".spec.a", .time = time)}},
            .new =
                {.body = "'spec':{'a':2}",
                 .metadata = metadata,
                 .entries = {APPLIES(names[i / 3 % 2], ".spec.a", .time = NOW)}},
        };
        court->now++;
        const struct verdict *verdict = judge_story(court, LIMIT_2, &story);
        expect_count(verdict, RULE_contested_field, i / 3 == 2);
    }
}

/* Takeovers of other fields do not count in a field's fight. */
static void fields_are_counted_apart(void **state)
{
    struct court *court = *state;
    for (int i = 1; i <= 3; i++) {
        char metadata[48];
        const char *names[] = {"flux", "argocd"};
        snprintf(metadata, sizeof(metadata), "'uid':'u','resourceVersion':'%d'", i);
        struct story story = {
            .manager = names[i % 2],
            .old =
                {.body = "'spec':{'a':1,'b':1}",
                 .metadata = metadata,
                 .entries = {APPLIES(names[1 - i % 2], i == 1 ? ".spec.a .spec.b" : ".spec.b")}},
            .new =
                {.body = "'spec':{'a':2,'b':2}",
                 .metadata = metadata,
                 .entries = {APPLIES(names[i % 2], i == 1 ? ".spec.a .spec.b" : ".spec.b", .time = NOW)}},
        };
        court->now++;
        const struct verdict *verdict = judge_story(court, LIMIT_2, &story);
        if (i < 3)
            expect_untold(verdict);
        else
            expect_finding(verdict, RULE_contested_field, ACTION_WARN, ".spec.b");
    }
}

/* Without a memory every review is the first. */
static void nothing_is_judged_without_a_memory(void **state)
{
    struct court *court = *state;
    takeover_history_destroy(court->takeover_history);
    court->takeover_history = NULL;
    for (int i = 1; i <= 8; i++)
        expect_untold(fight_on(state, LIMIT_2, i));
}

/* The limit and the window are the policy's. */
static void limit_is_the_policys(void **state)
{
    expect_untold(fight_on(state, LIMIT_2, 1));
    expect_untold(fight_on(state, LIMIT_2, 2));
    expect_reported(fight_on(state, LIMIT_2, 3), ACTION_WARN);
    expect_untold(fight_on(state, "rules: {contested-field: {changes: 31}}\n", 4));
    expect_reported(fight_on(state, "rules: {contested-field: {changes: 1, window: 2s}}\n", 5), ACTION_AUDIT);
    expect_untold(fight_on(state, "rules: {contested-field: {changes: 1, window: 1s}}\n", 6));
    expect_reported(
        fight_on(state, "rules: {contested-field: {changes: 31, " SLOWLY("5", "1h") "}}\n", 7), ACTION_AUDIT);
    expect_untold(fight_on(state, "rules: {contested-field: {changes: 31, " SLOWLY("5", "2s") "}}\n", 8));
}

/* A tool that comes back every ten minutes takes the field again each time: the seventh change within two
 * hours is a fight. */
static void fight_at_an_interval_fires(void **state)
{
    struct court *court = *state;
    for (int i = 1; i <= 6; i++) {
        expect_untold(fight_on(state, BASELINE, i));
        court->now += 600;
    }
    const struct finding *finding = finding_of(fight_on(state, BASELINE, 7), RULE_contested_field);
    expect_part(finding->message, "a changed hands 7 times within 2h, now from argocd to Flux");
}

/* A takeover once an hour is not a fight. */
static void slow_changes_are_silent(void **state)
{
    struct court *court = *state;
    for (int i = 1; i <= 12; i++) {
        expect_untold(fight_on(state, LIMIT_2, i));
        court->now += 3600;
    }
}

/* A dry run changes nothing, so it counts for nothing; the finding says what would be denied. */
static void dry_runs_do_not_count(void **state)
{
    struct take take = {"flux", "argocd", NOW, "0", NULL, true};
    for (int i = 0; i < 9; i++) {
        char version[16];
        snprintf(version, sizeof(version), "dry-%d", i);
        take.version = take.previous_owner_time = version;
        expect_untold(judge_take(state, LIMIT_2, &take));
    }
    expect_untold(fight_on(state, LIMIT_2, 1));
    expect_untold(fight_on(state, LIMIT_2, 2));
    take.version = take.previous_owner_time = "dry-again";
    expect_reported(judge_take(state, LIMIT_2, &take), ACTION_WARN);
    expect_reported(judge_take(state, LIMIT_2, &take), ACTION_WARN);
}

/* A denied takeover, by this rule or another, does not count. */
static void denied_requests_do_not_count(void **state)
{
    for (int i = 1; i <= 9; i++)
        expect_untold(fight_on(state, STRICT "rules: {contested-field: {changes: 2}}\n", i));
    expect_untold(fight_on(state, DENYING, 10));
    expect_untold(fight_on(state, DENYING, 11));
    for (int i = 12; i <= 16; i++) {
        const struct verdict *verdict = fight_on(state, DENYING, i);
        expect_reported(verdict, ACTION_DENY);
        assert_false(verdict->allowed);
        expect_part(finding_of(verdict, RULE_contested_field)->message, "changed hands 3 times within 10m");
    }
}

/* The API server judges again what it could not store: nothing was taken twice. */
static void same_request_counts_once(void **state)
{
    struct take take = {"flux", "argocd", BEFORE, "5", NULL, false};
    for (int i = 0; i < 6; i++)
        expect_untold(judge_take(state, LIMIT_2, &take));
    take.version = "6"; /* another manager wrote another field in between */
    for (int i = 0; i < 6; i++)
        expect_untold(judge_take(state, LIMIT_2, &take));
    expect_untold(fight_on(state, LIMIT_2, 2));
    expect_reported(fight_on(state, LIMIT_2, 3), ACTION_WARN);
}

/* An applier and a person lose the field in one request, which ownership-conflict reports twice: it changes
 * hands once, for any number of requests of the API server, with or without a version. */
static void two_findings_of_one_field_count_once(void **state)
{
    static const char *const metadata[] = {
        "'uid':'u'", "'uid':'u'", "'uid':'u','resourceVersion':'5'", "'uid':'u','resourceVersion':'6'",
        "'uid':'u','resourceVersion':'7'"};
    struct story story = {
        .manager = "flux",
        .old =
            {.body = "'spec':{'a':1}",
             .entries = {APPLIES("argocd", ".spec.a"), UPDATES("kubectl-edit", ".spec.a")}},
        .new = {.body = "'spec':{'a':2}", .entries = {APPLIES("flux", ".spec.a", .time = NOW)}},
    };
    for (size_t i = 0; i < ARRAY_SIZE(metadata); i++) {
        story.old.metadata = story.new.metadata = metadata[i];
        const struct verdict *verdict = judge_story(*state, LIMIT_2, &story);
        expect_count(verdict, RULE_ownership_conflict, 2);
        expect_untold(verdict);
    }
}

/* The previous owner distinguishes two takes if the owners wrote at one time: a tool applies. */
static void another_previous_owner_is_another_take(void **state)
{
    struct take take = {"flux", "argocd", "2026-01-01T00:00:01Z", "5", NULL, false};
    expect_untold(judge_take(state, LIMIT_2, &take));
    take.previous_owner = "helm";
    take.version = "6";
    expect_untold(judge_take(state, LIMIT_2, &take));
    take.previous_owner = "tanka";
    take.version = "7";
    expect_reported(judge_take(state, LIMIT_2, &take), ACTION_WARN);
}

/* If one request has two findings, each field has its own previous owners. */
static void each_field_has_its_own_previous_owners(void **state)
{
    static const char *const previous_owners[] = {"kubectl-edit", "kubectl-patch", "kubectl-label"};
    struct story story = {
        .manager = "flux",
        .old =
            {.body = "'spec':{'a':1,'b':1}",
             .entries = {APPLIES("argocd", ".spec.a"), UPDATES("kubectl-edit", ".spec.b")}},
        .new = {.body = "'spec':{'a':2,'b':2}", .entries = {APPLIES("flux", ".spec.a .spec.b", .time = NOW)}},
    };
    for (size_t i = 0; i < ARRAY_SIZE(previous_owners); i++) {
        char metadata[64];
        snprintf(metadata, sizeof(metadata), "'uid':'u','resourceVersion':'%zu'", i);
        story.old.metadata = story.new.metadata = metadata;
        story.old.entries[1].manager = previous_owners[i];
        const struct verdict *verdict = judge_story(*state, LIMIT_2, &story);
        expect_count(verdict, RULE_ownership_conflict, 2);
        if (i < 2)
            expect_untold(verdict);
        else
            expect_finding(verdict, RULE_contested_field, ACTION_WARN, ".spec.b");
    }
}

/* More is not remembered than the longest list of takes. */
static void many_changes_are_at_least_as_many(void **state)
{
    static const char policy[] = "rules: {contested-field: {action: warn, changes: 2, window: 1h}}\n";
    const struct verdict *verdict = NULL;
    for (int i = 1; i < TAKEOVERS_MAX; i++)
        verdict = fight_on(state, policy, i);
    expect_part(finding_of(verdict, RULE_contested_field)->message, "changed hands 31 times within 1h");
    for (int i = 0; i < 3; i++)
        verdict = fight_on(state, policy, TAKEOVERS_MAX + i);
    expect_part(
        finding_of(verdict, RULE_contested_field)->message, "changed hands at least 32 times within 1h");
}

/* An autoscaler takes its field back through the subresource scale, which no review shows. */
static void taking_again_counts_though_the_loss_was_not_seen(void **state)
{
    struct take take = {"flux", "argocd", "2026-01-01T00:00:01Z", "5", NULL, false};
    expect_untold(judge_take(state, LIMIT_2, &take));
    take.previous_owner_time = "2026-01-01T00:00:02Z";
    take.version = "6";
    expect_untold(judge_take(state, LIMIT_2, &take));
    take.previous_owner_time = "2026-01-01T00:00:03Z";
    take.version = "7";
    expect_reported(judge_take(state, LIMIT_2, &take), ACTION_WARN);
}

/*
 * The entry of an autoscaler has no time. A higher generation of the object distinguishes a new take from a
 * repeated request.
 */
static void generation_tells_where_there_is_no_time(void **state)
{
    static const struct {
        const char *metadata;
        bool told;
    } takes[] = {
        {"'resourceVersion':'1','generation':1", false}, {"'resourceVersion':'2','generation':1", false},
        {"'resourceVersion':'3','generation':2", false}, {"'resourceVersion':'4','generation':2", false},
        {"'resourceVersion':'5','generation':3", true},
    };
    struct story story = {
        .manager = "flux",
        .old =
            {.body = "'spec':{'replicas':5}",
             .entries = {UPDATES("hpa", ".spec.replicas", .subresource = "scale", .time = "")}},
        .new = {.body = "'spec':{'replicas':1}", .entries = {APPLIES("flux", ".spec.replicas", .time = NOW)}},
    };
    for (size_t i = 0; i < ARRAY_SIZE(takes); i++) {
        story.old.metadata = story.new.metadata = takes[i].metadata;
        expect_count(judge_story(*state, LIMIT_2, &story), RULE_contested_field, takes[i].told);
    }
}

/* The same field of many objects, as a tool changes it everywhere, is not a fight; nor is an object of the
 * old name. */
static void other_objects_are_others(void **state)
{
    for (int i = 0; i < 9; i++) {
        char uid[16];
        snprintf(uid, sizeof(uid), "uid-%d", i);
        const struct take take = {"flux", "argocd", BEFORE, "5", uid, false};
        expect_untold(judge_take(state, LIMIT_2, &take));
    }
}

/* Fields that may change hands, and takes that the policy does not look at, are not counted. */
static void what_is_no_conflict_is_silent(void **state)
{
    for (int i = 1; i <= 6; i++)
        expect_untold(fight_on(
            state, "rules: {contested-field: {changes: 2}, ownership-conflict: {ignoreFields: [.spec.a]}}\n",
            i));
    for (int i = 1; i <= 6; i++)
        expect_untold(fight_on(
            state,
            "rules: {contested-field: {changes: 2}, ownership-conflict: {takeover: {applier-from-applier: "
            "\"off\"}}}\n",
            i));
    for (int i = 1; i <= 6; i++)
        expect_untold(fight_on(state, "rules: {contested-field: {action: \"off\", changes: 2}}\n", i));
    expect_untold(fight_on(state, LIMIT_2, 7));
}

/* Each field is counted for itself, and all contested fields are reported together. */
static void fields_are_reported_together(void **state)
{
    struct story story = {
        .manager = "flux",
        .old =
            {.body = "'spec':{'a':1,'b':1,'c':1}", .entries = {APPLIES("argocd", ".spec.a .spec.b .spec.c")}},
        .new =
            {.body = "'spec':{'a':2,'b':2,'c':1}",
             .entries = {APPLIES("flux", ".spec.a .spec.b", .time = NOW)}},
    };
    for (int i = 0; i < 3; i++) {
        char metadata[64], time[16];
        snprintf(time, sizeof(time), "%d", i);
        snprintf(metadata, sizeof(metadata), "'resourceVersion':'%d'", i);
        story.old.metadata = story.new.metadata = metadata;
        story.old.entries[0].time = time;
        const struct verdict *verdict = judge_story(*state, LIMIT_2, &story);
        if (i == 2)
            expect_finding(verdict, RULE_contested_field, ACTION_WARN, ".spec.a .spec.b");
        else
            expect_untold(verdict);
        story.new.body = i == 0 ? "'spec':{'a':2,'b':2,'c':2}" : "'spec':{'a':3,'b':3,'c':1}";
    }
}

/* Two tools replace each other's items, which have another key each time: it is the list that they fight
 * over. */
static const struct verdict *replace_item(void **state, int number, const char *item)
{
    struct court *court = *state;
    static const char *const names[] = {"flux", "argocd"};
    char metadata[64], time[32], bodies[2][64], fields[2][64];
    snprintf(metadata, sizeof(metadata), "'uid':'u','resourceVersion':'%d'", number);
    snprintf(time, sizeof(time), "2026-01-01T00:00:%02dZ", number);
    for (int i = 0; i < 2; i++) {
        snprintf(bodies[i], sizeof(bodies[i]), "'spec':{'l':[{'name':'%s-%d'}]}", item, number + i);
        snprintf(
            fields[i], sizeof(fields[i]), ".spec.l[name=%s-%d]. .spec.l[name=%s-%d].name", item, number + i,
            item, number + i);
    }
    struct story story = {
        .manager = names[(number + 1) % 2],
        .old =
            {.body = bodies[0],
             .metadata = metadata,
             .entries = {APPLIES(names[number % 2], fields[0], .time = time)}},
        .new =
            {.body = bodies[1],
             .metadata = metadata,
             .entries = {APPLIES(names[(number + 1) % 2], fields[1], .time = NOW)}},
    };
    court->now++;
    return judge_story(court, BASELINE, &story);
}

static void items_with_new_keys_are_a_fight_over_their_list(void **state)
{
    for (int i = 1; i <= 4; i++)
        expect_untold(replace_item(state, i, "a"));
    const struct finding *finding =
        expect_finding(replace_item(state, 5, "a"), RULE_contested_field, ACTION_AUDIT, ".spec.l");
    expect_part(finding->message, " changed hands 5 times within 10m");
}

/* Brackets and quotes in a key do not belong to the path. */
static void keys_may_hold_brackets(void **state)
{
    for (int i = 1; i <= 4; i++)
        expect_untold(replace_item(state, i, "[a"));
    expect_finding(replace_item(state, 5, "[a"), RULE_contested_field, ACTION_AUDIT, ".spec.l");
}

/* A manager that removes another's items, without a reaction, is not in a fight. */
static void items_that_are_not_put_back_are_no_fight(void **state)
{
    struct court *court = *state;
    for (int i = 0; i < 8; i++) {
        char metadata[64], body[64], fields[64];
        snprintf(metadata, sizeof(metadata), "'uid':'u','resourceVersion':'%d'", i);
        snprintf(body, sizeof(body), "'spec':{'l':[{'name':'a-%d'}]}", i);
        snprintf(fields, sizeof(fields), ".spec.l[name=a-%d]. .spec.l[name=a-%d].name", i, i);
        struct story story = {
            .manager = "argocd",
            .old =
                {.body = body,
                 .metadata = metadata,
                 .entries = {APPLIES("flux", fields), APPLIES("argocd", ".spec.a")}},
            .new =
                {.body = "'spec':{'l':[]}",
                 .metadata = metadata,
                 .entries = {APPLIES("argocd", ".spec.a", .time = NOW)}},
        };
        court->now++;
        expect_untold(judge_story(court, BASELINE, &story));
    }
}

/* Flux puts back the field that another applier took; whether this server has seen the take. */
static const struct verdict *heal_from(struct court *court, struct entry taker, bool was_taken)
{
    static const char metadata[] = "'uid':'u','resourceVersion':'2'";
    const struct entry flux = APPLIES("kustomize-controller", ".spec.b .spec.c");
    struct story story = {
        .manager = taker.manager,
        .old =
            {.body = "'spec':{'a':1,'c':1}",
             .metadata = "'uid':'u','resourceVersion':'1'",
             .entries = {APPLIES("kustomize-controller", ".spec.a .spec.b .spec.c")}},
        .new = {.body = "'spec':{'a':2,'c':1}", .metadata = metadata, .entries = {flux, taker}},
    };
    if (was_taken)
        judge_story(court, BASELINE, &story);
    court->now++;
    story.manager = "kustomize-controller";
    story.old = story.new;
    story.new.body = "'spec':{'a':1,'c':1}";
    story.new.entries[0] = (struct entry)APPLIES(
        "kustomize-controller", ".spec.a .spec.b .spec.c", .time = "2026-01-01T00:01:00Z");
    story.new.entries[1] = (struct entry){0};
    return judge_story(court, STRICT, &story);
}

static const struct verdict *heal(struct court *court, const char *field, bool was_taken)
{
    return heal_from(
        court, (struct entry)UPDATES("kubectl-client-side-apply", field, .time = NOW), was_taken);
}

/*
 * A name that no tool has may be an operator's, which applied the field from the beginning: only a take that
 * this server has seen shows that Flux heals. Another tool fights with it.
 */
static void healing_from_a_name_of_ones_own_needs_memory(void **state)
{
    struct court *court = *state;
    const struct entry team = APPLIES("team-b", ".spec.a", .time = NOW);
    expect_finding(heal_from(court, team, false), RULE_ownership_conflict, ACTION_DENY, ".spec.a");
    expect_finding(heal_from(court, team, true), RULE_ownership_conflict, ACTION_WARN, ".spec.a");
    const struct entry argocd = APPLIES("argocd-controller", ".spec.a", .time = NOW);
    expect_finding(heal_from(court, argocd, true), RULE_ownership_conflict, ACTION_DENY, ".spec.a");
}

/* The annotation that kubectl apply wrote declares the field as well: one finding says it, not two. */
static void remembered_healing_is_no_drift(void **state)
{
    struct court *court = *state;
    const struct entry argocd = APPLIES("argocd-controller", ".spec.b");
    const struct entry kubectl = UPDATES(
        "kubectl-client-side-apply",
        ".spec.a .metadata.annotations.{kubectl.kubernetes.io/last-applied-configuration}", .time = NOW);
    struct story story = {
        .manager = "kubectl-client-side-apply",
        .old =
            {.body = "'spec':{'a':1,'b':1}",
             .metadata = "'uid':'u','resourceVersion':'1'",
             .entries = {APPLIES("argocd-controller", ".spec.a .spec.b")}},
        .new =
            {.body = "'spec':{'a':2,'b':1}",
             .metadata = "'uid':'u','resourceVersion':'2'",
             .last_applied = "{'spec':{'a':2}}",
             .entries = {argocd, kubectl}},
    };
    judge_story(court, BASELINE, &story);
    court->now++;
    story.manager = "argocd-controller";
    story.old = story.new;
    story.new.body = "'spec':{'a':1,'b':1}";
    story.new.entries[0] =
        (struct entry)APPLIES("argocd-controller", ".spec.a .spec.b", .time = "2026-01-01T00:01:00Z");
    story.new.entries[1] = (struct entry)UPDATES(
        "kubectl-client-side-apply",
        ".metadata.annotations.{kubectl.kubernetes.io/last-applied-configuration}", .time = NOW);
    const struct verdict *verdict = judge_story(court, BASELINE, &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_AUDIT, ".spec.a");
    expect_silence(verdict, RULE_last_applied_drift);
}

/* A tool that puts back what this server has seen taken from it is recorded; else it is warned, and never
 * denied. */
static void healing_that_is_remembered_is_audited(void **state)
{
    struct court *court = *state;
    const struct finding *finding =
        expect_finding(heal(court, ".spec.a", false), RULE_ownership_conflict, ACTION_WARN, ".spec.a");
    expect_text(finding->message, "Deployment default/web: Flux sets back a, which kubectl apply changed");
    expect_finding(heal(court, ".spec.a", true), RULE_ownership_conflict, ACTION_AUDIT, ".spec.a");
    /* A day later nothing is remembered. */
    court->now += 24 * 3600;
    expect_finding(heal(court, ".spec.a", false), RULE_ownership_conflict, ACTION_WARN, ".spec.a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REMEMBERING(healing_that_is_remembered_is_audited),
        REMEMBERING(healing_from_a_name_of_ones_own_needs_memory),
        REMEMBERING(remembered_healing_is_no_drift),
        REMEMBERING(fight_fires),
        REMEMBERING(objects_without_a_uid_are_known_by_name),
        REMEMBERING(fields_are_counted_apart),
        REMEMBERING(nothing_is_judged_without_a_memory),
        REMEMBERING(limit_is_the_policys),
        REMEMBERING(fight_at_an_interval_fires),
        REMEMBERING(slow_changes_are_silent),
        REMEMBERING(dry_runs_do_not_count),
        REMEMBERING(denied_requests_do_not_count),
        REMEMBERING(same_request_counts_once),
        REMEMBERING(two_findings_of_one_field_count_once),
        REMEMBERING(another_previous_owner_is_another_take),
        REMEMBERING(each_field_has_its_own_previous_owners),
        REMEMBERING(many_changes_are_at_least_as_many),
        REMEMBERING(taking_again_counts_though_the_loss_was_not_seen),
        REMEMBERING(generation_tells_where_there_is_no_time),
        REMEMBERING(other_objects_are_others),
        REMEMBERING(what_is_no_conflict_is_silent),
        REMEMBERING(fields_are_reported_together),
        REMEMBERING(items_with_new_keys_are_a_fight_over_their_list),
        REMEMBERING(keys_may_hold_brackets),
        REMEMBERING(items_that_are_not_put_back_are_no_fight),
    };
    return cmocka_run_group_tests_name("contested-field", tests, NULL, NULL);
}
