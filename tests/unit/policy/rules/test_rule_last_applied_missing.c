/*
 * last-applied-missing: without the annotation the next client-side apply cannot know what to delete.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"
#define DECLARES "{'spec':{'a':1}}"
#define CLIENT_SIDE UPDATES("kubectl-client-side-apply", ANNOTATION " .spec.a")
#define CLIENT_SIDE_LOST UPDATES("kubectl-client-side-apply", ".spec.a")

static void expect_missing(void **state, const struct story *story, enum action action, const char *message)
{
    const struct verdict *verdict = judge_story(*state, BASELINE, story);
    expect_part(expect_finding(verdict, RULE_last_applied_missing, action, "")->message, message);
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_last_applied_missing);
}

/* kubectl annotate ...- and kubectl replace take it off an object that kubectl apply keeps. */
static void removal_fires(void **state)
{
    const struct story story = {
        .manager = "kubectl-annotate",
        .old = {.body = "", .last_applied = DECLARES, .entries = {CLIENT_SIDE}},
        .new = {.body = "", .entries = {CLIENT_SIDE_LOST, UPDATES("kubectl-annotate", ".spec.x")}},
    };
    expect_missing(state, &story, ACTION_WARN, "kubectl annotate removes the last-applied annotation");
    expect_finding(judge_story(*state, STRICT, &story), RULE_last_applied_missing, ACTION_DENY, "");
}

/* last-applied-secret asks for that. */
static void removal_from_a_secret_with_values_is_quiet(void **state)
{
    static const struct {
        const char *configuration;
        bool fires;
    } cases[] = {
        {"{'kind':'Secret','data':{'password':'aHVudGVyMg=='}}", false},
        {"{'kind':'Secret','stringData':{'password':'hunter2'}}", false},
        {"{'kind':'Secret','data':{'password':''}}", true},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct story story = {
            .manager = "kubectl-annotate",
            .group = "",
            .version = "v1",
            .kind = "Secret",
            .old = {.body = "", .last_applied = cases[i].configuration, .entries = {CLIENT_SIDE}},
            .new = {.body = "", .entries = {CLIENT_SIDE_LOST, UPDATES("kubectl-annotate", ".spec.x")}},
        };
        if (cases[i].fires)
            expect_finding(judge_story(*state, STRICT, &story), RULE_last_applied_missing, ACTION_DENY, "");
        else
            expect_quiet(state, &story);
    }
}

/* Removing a broken one, or another object's, mends the object. */
static void removal_of_what_is_useless_is_audited(void **state)
{
    static const char *const useless[] = {
        "{'not':", "[]", "{'kind':'Deployment','metadata':{'name':'another'},'spec':{'a':1}}"};
    for (size_t i = 0; i < ARRAY_SIZE(useless); i++) {
        const struct story story = {
            .manager = "kubectl-annotate",
            .old = {.body = "", .last_applied = useless[i], .entries = {CLIENT_SIDE}},
            .new = {.body = "", .entries = {CLIENT_SIDE_LOST, UPDATES("kubectl-annotate", ".spec.x")}},
        };
        expect_finding(judge_story(*state, STRICT, &story), RULE_last_applied_missing, ACTION_AUDIT, "");
    }
}

/* An annotation that is there, and no longer declares what it did, helps kubectl apply as little as none. */
static void emptying_fires(void **state)
{
    static const struct {
        const char *writer, *after;
        bool fires;
    } cases[] = {
        {"kubectl-annotate", "{}", true},
        {"kubectl-annotate", "{'kind':'Deployment','metadata':{'name':'web'}}", true},
        {"kubectl-annotate", "{'spec':{}}", true},
        {"kubectl-annotate", "{'spec':{'b':1}}", false},
        {"kubectl-client-side-apply", "{}", false},
    };
    static const char declares[] = "{'apiVersion':'apps/v1','kind':'Deployment','spec':{'a':1}}";
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct story story = {
            .manager = cases[i].writer,
            .old = {.body = "'spec':{'a':1}", .last_applied = declares, .entries = {CLIENT_SIDE}},
            .new =
                {.body = "'spec':{'a':1}",
                 .last_applied = cases[i].after,
                 .entries = {CLIENT_SIDE_LOST, UPDATES(cases[i].writer, ANNOTATION, .time = NOW)}},
        };
        if (cases[i].fires)
            expect_missing(
                state, &story, ACTION_WARN, "kubectl annotate empties the last-applied annotation");
        else
            expect_quiet(state, &story);
    }
}

#define WHOLE_CONFIGURATION                                                                                  \
    "{'kind':'Deployment','metadata':{'labels':{'l':'x'},'annotations':{'n':'x'}},'spec':{'a':1,"            \
    "'strategy':{'type':'RollingUpdate'},'env':[{'name':'A'}],'map':{'k':'v'}}}"
#define WHOLE_BODY                                                                                           \
    "'spec':{'a':1,'strategy':{'type':'RollingUpdate'},'env':[{'name':'A','value':'1'}],'map':{'k':'v'}}"
#define WHOLE_METADATA "'labels':{'l':'x'}"

static struct story rewritten_by(const char *writer, const char *after)
{
    return (struct story){
        .manager = writer,
        .old =
            {.body = WHOLE_BODY,
             .metadata = WHOLE_METADATA,
             .last_applied = WHOLE_CONFIGURATION,
             .entries = {CLIENT_SIDE}},
        .new =
            {.body = WHOLE_BODY,
             .metadata = WHOLE_METADATA,
             .annotations = "'n':'x'",
             .last_applied = after,
             .entries = {CLIENT_SIDE_LOST, UPDATES(writer, ANNOTATION, .time = NOW)}},
    };
}

/* A part within the object or its metadata is emptied: what was in it will never be deleted. */
static void emptying_within_fires(void **state)
{
    static const struct {
        const char *after;
        bool fires;
    } cases[] = {
        /* labels, annotations, a map and a list */
        {"{'metadata':{'annotations':{'n':'x'}},'spec':{'env':[{'name':'A'}],'map':{'k':'v'}}}", true},
        {"{'metadata':{'labels':{'l':'x'},'annotations':{}},'spec':{'env':[{'name':'A'}],'map':{'k':'v'}}}",
         true},
        {"{'metadata':{'labels':{'l':'x'},'annotations':{'n':'x'}},'spec':{'env':[{'name':'A'}],'map':{}}}",
         true},
        {"{'metadata':{'labels':{'l':'x'},'annotations':{'n':'x'}},'spec':{'env':[],'map':{'k':'v'}}}", true},
        {"{'spec':{'env':[{'name':'A'}],'map':{'k':'v'}}}", true},
        /* a value that is a default, and single fields, which people hand over in this way */
        {"{'metadata':{'labels':{'l':'x'},'annotations':{'n':'x'}},'spec':{'env':[{'name':'A'}],"
         "'map':{'k':'v'}}}",
         false},
        {"{'metadata':{'labels':{'m':'x'},'annotations':{'n':'x'}},'spec':{'env':[{'name':'B'}],"
         "'map':{'j':'v'}}}",
         false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = rewritten_by("kubectl-patch", cases[i].after);
        expect_count(judge_story(*state, STRICT, &story), RULE_last_applied_missing, cases[i].fires);
    }
}

/* kubectl apply edit-last-applied and set-last-applied may declare less on purpose. */
static void honest_rewriting_is_silent(void **state)
{
    static const char less[] = "{'metadata':{},'spec':{'a':1}}";
    struct story story = rewritten_by("kubectl-client-side-apply", less);
    expect_quiet(state, &story);
    story = rewritten_by("kubectl", less);
    expect_quiet(state, &story);
    story = rewritten_by("kubectl", "{'metadata':{},'spec':{}}");
    expect_missing(state, &story, ACTION_WARN, " empties the last-applied annotation");
    /* A field that an apply removes is gone from both. */
    story = rewritten_by("kubectl-edit", "{'metadata':{},'spec':{'a':1}}");
    story.new.metadata = story.new.annotations = NULL;
    story.new.body = "'spec':{'a':1,'strategy':{'type':'RollingUpdate'}}";
    expect_quiet(state, &story);
    /* The API server writes it along with a server-side apply. */
    story = rewritten_by("kubectl", less);
    story.new.entries[0] = (struct entry)APPLIES("kubectl", ".spec.a", .time = NOW);
    story.new.entries[1] = (struct entry)CLIENT_SIDE;
    expect_quiet(state, &story);
}

/* Another tool keeps its own configuration there: kubectl's next apply goes by that. */
static void overwriting_by_another_tool_is_warned_of(void **state)
{
    struct story story = rewritten_by("pulumi-kubernetes", "{'metadata':{'name':'web'},'spec':{'a':1}}");
    expect_part(
        expect_finding(judge_story(*state, STRICT, &story), RULE_last_applied_missing, ACTION_WARN, "")
            ->message,
        "Pulumi overwrites the last-applied annotation, so the next kubectl apply deletes nothing");
    story = rewritten_by("pulumi-kubernetes", WHOLE_CONFIGURATION);
    story.new.last_applied = "{'metadata':{'labels':{'l':'y'},'annotations':{'n':'x'}},'spec':{'env':[{'name'"
                             ":'A'}],'map':{'k':'w'}}}";
    expect_quiet(state, &story);
    /* It goes by what it wrote itself. */
    story = rewritten_by("pulumi-kubernetes", "{'metadata':{'name':'web'},'spec':{'a':1}}");
    story.old.entries[0] = (struct entry)UPDATES("pulumi-kubernetes", ANNOTATION " .spec.a");
    expect_quiet(state, &story);
}

/* An apply that declares the annotation writes it, too, and owns it afterwards, alone or under kubectl's
 * name. */
static void overwriting_by_an_apply_is_reported(void **state)
{
    static const struct {
        const char *manager;
        enum action action;
    } cases[] = {{"team", ACTION_WARN}, {"kubectl-last-applied", ACTION_DENY}};
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = rewritten_by(cases[i].manager, "{'metadata':{'name':'web'},'spec':{'a':1}}");
        story.new.entries[1].operation = "Apply";
        story.new.entries[1].fields = ANNOTATION;
        expect_finding(judge_story(*state, STRICT, &story), RULE_last_applied_missing, cases[i].action, "");
        story.new.last_applied = story.old.last_applied;
        expect_quiet(state, &story);
    }
}

/* No apply needs to delete a field that is already gone. */
static void emptying_of_what_is_gone_is_silent(void **state)
{
    const struct story story = {
        .manager = "kubectl-annotate",
        .old = {.body = "'spec':{'a':1}", .last_applied = DECLARES, .entries = {CLIENT_SIDE}},
        .new =
            {.body = "",
             .last_applied = "{}",
             .entries = {UPDATES("kubectl-annotate", ANNOTATION, .time = NOW)}},
    };
    expect_quiet(state, &story);
}

/* Removed by a request that does not show its author: still reported. */
static void removal_by_nobody_known_fires(void **state)
{
    const struct story story = {
        .old = {.body = "", .last_applied = DECLARES, .entries = {CLIENT_SIDE}},
        .new = {.body = "", .entries = {CLIENT_SIDE_LOST}},
    };
    expect_missing(state, &story, ACTION_WARN, "this request removes");
}

/* No managedFields, no evidence that it is needless. */
static void removal_without_managed_fields_fires(void **state)
{
    const struct story story = {
        .manager = "kubectl-annotate",
        .old = {.body = "", .last_applied = DECLARES},
        .new = {.body = ""},
    };
    expect_missing(state, &story, ACTION_WARN, "removes the last-applied annotation");
}

/* An object that is applied server-side alone needs it no more: tidying up after a migration. */
static void removal_after_migration_is_silent(void **state)
{
    expect_quiet(
        state,
        &(struct story){
            .manager = "kubectl-annotate",
            .old =
                {.body = "",
                 .last_applied = DECLARES,
                 .entries = {APPLIES("kubectl", ".spec.a"), APPLIES("kubectl-last-applied", ANNOTATION)}},
            .new = {.body = "", .entries = {APPLIES("kubectl", ".spec.a")}},
        });
}

/* Flux and Timoni take it off what they adopt, and what then owns nothing at all has no managedFields. */
static void removal_by_adoption_is_silent(void **state)
{
    static const char *const tools[] = {"kustomize-controller", "timoni"};
    for (size_t i = 0; i < 2; i++) {
        struct story story = {
            .manager = tools[i],
            .old = {.body = "", .last_applied = DECLARES, .entries = {CLIENT_SIDE}},
            .new = {.body = ""},
        };
        expect_quiet(state, &story);
        story.new.entries[0] = (struct entry)APPLIES(tools[i], ".spec.a");
        expect_quiet(state, &story);
    }
}

/* Somebody ran kubectl apply over what kapp keeps; kapp puts back the object as it was, without the
 * annotation. */
static void removal_by_who_heals_is_silent(void **state)
{
    const struct story healing = {
        .manager = "kapp",
        .old = {.body = "", .last_applied = DECLARES, .entries = {UPDATES("kapp", ".spec.b"), CLIENT_SIDE}},
        .new = {.body = "", .entries = {UPDATES("kapp", ".spec.a .spec.b", .time = NOW)}},
    };
    expect_quiet(state, &healing);
    /* A tool that does not adopt objects from kubectl takes one over. */
    struct story adopting = healing;
    adopting.manager = "werf";
    adopting.old.entries[0] = (struct entry)CLIENT_SIDE;
    adopting.old.entries[1] = (struct entry){0};
    adopting.new.entries[0] = (struct entry)UPDATES("werf", ".spec.a .spec.b", .time = NOW);
    expect_missing(state, &adopting, ACTION_WARN, "werf removes the last-applied annotation");
    /* The name of a tool that does not put its values back excuses nothing. */
    struct story edited = healing;
    edited.manager = "kubectl-edit";
    edited.new.entries[0] = (struct entry)UPDATES("kubectl-edit", ".spec.x", .time = NOW);
    expect_missing(state, &edited, ACTION_WARN, "kubectl edit removes the last-applied annotation");
}

/*
 * An object that has outgrown the annotation is applied server-side from now on: the API server leaves the
 * annotation out, and kubectl moves the entry of its client-side applies only after that.
 */
static void what_the_server_leaves_out_is_silent(void **state)
{
    expect_quiet(
        state,
        &(struct story){
            .manager = "kubectl",
            .old = {.body = "", .last_applied = DECLARES, .entries = {CLIENT_SIDE}},
            .new = {.body = "", .entries = {APPLIES("kubectl", ".spec.a", .time = NOW), CLIENT_SIDE}},
        });
}

/* As long as a tool applies client-side, a server-side applier does not make it needless. */
static void removal_under_mixed_apply_fires(void **state)
{
    const struct story story = {
        .manager = "flux",
        .old = {.body = "", .last_applied = DECLARES, .entries = {CLIENT_SIDE}},
        .new = {.body = "", .entries = {APPLIES("flux", ".spec.a", .time = NOW), CLIENT_SIDE_LOST}},
    };
    expect_missing(state, &story, ACTION_WARN, "Flux removes");
}

/* kubectl apply on an object that lost the annotation: what the manifest dropped meanwhile stays. It is the
 * way out, so strict lets it pass. */
static void apply_that_finds_it_lost_fires(void **state)
{
    const struct story story = {
        .manager = "kubectl-client-side-apply",
        .old = {.body = "", .entries = {CLIENT_SIDE_LOST}},
        .new =
            {.body = "",
             .last_applied = DECLARES,
             .entries = {UPDATES("kubectl-client-side-apply", ANNOTATION " .spec.a", .time = NOW)}},
    };
    expect_missing(state, &story, ACTION_WARN, "the last-applied annotation was gone");
    expect_finding(judge_story(*state, STRICT, &story), RULE_last_applied_missing, ACTION_WARN, "");
}

/* The first kubectl apply on what was made otherwise has lost nothing; kubectl itself says what to know. */
static void first_apply_is_silent(void **state)
{
    expect_quiet(
        state,
        &(struct story){
            .manager = "kubectl-client-side-apply",
            .old = {.body = "", .entries = {UPDATES("kubectl-create", ".spec.a")}},
            .new =
                {.body = "",
                 .last_applied = DECLARES,
                 .entries =
                     {UPDATES("kubectl-create", ".spec.a"),
                      UPDATES("kubectl-client-side-apply", ANNOTATION, .time = NOW)}},
        });
}

/* Others who write while it is lost did not lose it. */
static void other_writes_while_it_is_lost_are_silent(void **state)
{
    static const char *const writers[] = {"kubectl-edit", "operator", "kubectl-label"};
    for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
        struct story story = {
            .manager = writers[i],
            .old = {.body = "", .entries = {CLIENT_SIDE_LOST}},
            .new = {.body = "", .entries = {CLIENT_SIDE_LOST, UPDATES(writers[i], ".spec.x")}},
        };
        expect_quiet(state, &story);
    }
}

/* Mending it by hand, as the documentation says, is the cure and not the disease. */
static void putting_it_back_by_hand_is_silent(void **state)
{
    expect_quiet(
        state,
        &(struct story){
            .old = {.body = "", .entries = {CLIENT_SIDE_LOST}},
            .new =
                {.body = "",
                 .last_applied = DECLARES,
                 .entries = {CLIENT_SIDE_LOST, UPDATES("kubectl", ANNOTATION, .time = NOW)}},
        });
}

/* Kept, rewritten and first written are the common day. */
static void annotation_that_is_there_is_silent(void **state)
{
    static const char *const after[] = {DECLARES, "{'spec':{'a':2}}"};
    for (size_t i = 0; i < 2; i++) {
        struct story story = {
            .manager = "kubectl-client-side-apply",
            .old = {.body = "", .last_applied = DECLARES, .entries = {CLIENT_SIDE}},
            .new = {.body = "", .last_applied = after[i], .entries = {CLIENT_SIDE}},
        };
        expect_quiet(state, &story);
        story.old = (struct object_story){.body = NULL};
        expect_quiet(state, &story);
    }
}

/* On an object under deletion the annotation is of no use to anybody any more. */
static void removal_under_deletion_is_audited(void **state)
{
    const struct story story = {
        .manager = "kubectl-annotate",
        .old =
            {.body = "",
             .metadata = "'deletionTimestamp':'2026-01-01T00:00:00Z'",
             .last_applied = DECLARES,
             .entries = {CLIENT_SIDE}},
        .new = {.body = "", .entries = {CLIENT_SIDE_LOST}},
    };
    expect_finding(judge_story(*state, STRICT, &story), RULE_last_applied_missing, ACTION_AUDIT, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(removal_fires),
        IN_COURT(removal_from_a_secret_with_values_is_quiet),
        IN_COURT(removal_of_what_is_useless_is_audited),
        IN_COURT(emptying_fires),
        IN_COURT(emptying_within_fires),
        IN_COURT(honest_rewriting_is_silent),
        IN_COURT(overwriting_by_another_tool_is_warned_of),
        IN_COURT(overwriting_by_an_apply_is_reported),
        IN_COURT(emptying_of_what_is_gone_is_silent),
        IN_COURT(removal_by_nobody_known_fires),
        IN_COURT(removal_without_managed_fields_fires),
        IN_COURT(removal_after_migration_is_silent),
        IN_COURT(removal_by_adoption_is_silent),
        IN_COURT(removal_by_who_heals_is_silent),
        IN_COURT(what_the_server_leaves_out_is_silent),
        IN_COURT(removal_under_mixed_apply_fires),
        IN_COURT(apply_that_finds_it_lost_fires),
        IN_COURT(first_apply_is_silent),
        IN_COURT(other_writes_while_it_is_lost_are_silent),
        IN_COURT(putting_it_back_by_hand_is_silent),
        IN_COURT(annotation_that_is_there_is_silent),
        IN_COURT(removal_under_deletion_is_audited),
    };
    return cmocka_run_group_tests_name("last-applied-missing", tests, NULL, NULL);
}
