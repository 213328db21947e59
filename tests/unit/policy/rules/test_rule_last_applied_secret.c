/*
 * last-applied-secret: the annotation shows a Secret's data to users who may read metadata, and to backups
 * and exports.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#define ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"
#define OF_WEB "'apiVersion':'v1','kind':'Secret','metadata':{'name':'web','namespace':'default'}"
#define OF_ARGOCD                                                                                            \
    "'apiVersion':'v1','kind':'Secret','metadata':{'name':'web','namespace':'default',"                      \
    "'labels':{'argocd.argoproj.io/secret-type':'repository'}}"
#define PASSWORD "{" OF_WEB ",'stringData':{'password':'hunter2'}}"

/* The manager creates the Secret default/web with this annotation. */
static struct story created(const char *manager, const char *annotation)
{
    return (struct story){
        .group = "",
        .kind = "Secret",
        .manager = manager,
        .new =
            {.body = "", .last_applied = annotation, .entries = {UPDATES(manager, ANNOTATION, .time = NOW)}},
    };
}

/* The same of a Secret that had the annotation `before`. */
static struct story written(const char *manager, const char *before, const char *annotation)
{
    struct story story = created(manager, annotation);
    story.old = (struct object_story){
        .body = "",
        .last_applied = before,
        .entries = {UPDATES("kubectl-client-side-apply", ANNOTATION)},
    };
    return story;
}

static void expect_quiet(void **state, const struct story *story)
{
    expect_silence(judge_story(*state, STRICT, story), RULE_last_applied_secret);
}

/* kubectl apply always does it, with what is written plain and with what is written in base64. */
static void applied_data_fires(void **state)
{
    static const char *const annotations[] = {
        PASSWORD,
        "{" OF_WEB ",'data':{'password':'aHVudGVyMg=='}}",
        "{" OF_WEB ",'data':{},'stringData':{'a':'','b':'x'}}",
        "{" OF_WEB ",'data':{'a':1}}",
        "{" OF_WEB ",'stringData':{'a':'ENC[AES256_GCM,data:eHg=,type:str]','b':'x'}}",
        /* kubectl reads the last of several members with one name; half a surrogate pair it reads, too. */
        "{" OF_WEB ",'data':{},'data':{'password':'aHVudGVyMg=='}}",
        "{" OF_WEB ",'data':{'password':'\\ud800'}}",
        /* https://shop:hunter2@git.example.com */
        "{" OF_ARGOCD ",'data':{'url':'aHR0cHM6Ly9zaG9wOmh1bnRlcjJAZ2l0LmV4YW1wbGUuY29t'}}",
    };
    for (size_t i = 0; i < ARRAY_SIZE(annotations); i++) {
        struct story story = created("kubectl-client-side-apply", annotations[i]);
        expect_finding(judge_story(*state, BASELINE, &story), RULE_last_applied_secret, ACTION_WARN, "");
        expect_finding(judge_story(*state, STRICT, &story), RULE_last_applied_secret, ACTION_DENY, "");
    }
}

/* The message says the way out, and never a value. */
static void message_has_no_value(void **state)
{
    struct story story = created("kubectl-client-side-apply", PASSWORD);
    const struct finding *finding =
        finding_of(judge_story(*state, BASELINE, &story), RULE_last_applied_secret);
    expect_text(
        finding->message,
        "Secret default/web: kubectl apply copies the secret values into its last-applied annotation; use "
        "--server-side, then delete the annotation and rotate the values");
    expect_manager(&finding->writer, "kubectl-client-side-apply", MANAGER_UPDATE, "");
}

/* What the message says after the semicolon. */
static struct slice advice_of(const struct finding *finding)
{
    size_t at = 0;
    while (at < finding->message.length && finding->message.bytes[at] != ';')
        at++;
    return slice_from(finding->message, at);
}

/* After a denial or a dry run, an annotation is there only if the object had one before. */
static void advice_fits_what_is_stored(void **state)
{
    static const struct {
        const char *manager, *before, *policy, *advice;
        bool dry_run;
    } cases[] = {
        {"kubectl-client-side-apply", NULL, STRICT, "; use --server-side", false},
        {"kubectl-client-side-apply", NULL, BASELINE, "; use --server-side", true},
        {"kubectl-client-side-apply", "{" OF_WEB "}", STRICT,
         "; use --server-side, then delete the annotation", false},
        {"kubectl-client-side-apply", "{" OF_WEB ",'stringData':{'password':'old'}}", STRICT,
         "; use --server-side, then delete the annotation and rotate the values", false},
        {"argocd-controller", NULL, STRICT, "; set the sync option ServerSideApply=true", false},
        {"argocd-controller", NULL, BASELINE,
         "; set the sync option ServerSideApply=true, then delete the annotation and rotate the values",
         false},
        {"kubectl-create", NULL, STRICT, "; leave it out", false},
        {"kubectl-create", NULL, BASELINE, "; delete the annotation and rotate the values", false},
        {"kubectl-edit", "{" OF_WEB "}", STRICT, "; leave the annotation as it is", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = cases[i].before ? written(cases[i].manager, cases[i].before, PASSWORD)
                                             : created(cases[i].manager, PASSWORD);
        story.dry_run = cases[i].dry_run;
        expect_text(
            advice_of(finding_of(judge_story(*state, cases[i].policy, &story), RULE_last_applied_secret)),
            cases[i].advice);
    }
}

/* A Secret that others fill in is applied empty, and nothing leaks. */
static void empty_data_is_silent(void **state)
{
    static const char *const annotations[] = {
        "{" OF_WEB "}",
        "{" OF_WEB ",'data':{},'stringData':{}}",
        "{" OF_WEB ",'data':null,'stringData':null}",
        "{" OF_WEB ",'data':{'tls.crt':'','tls.key':null}}",
        "{" OF_WEB ",'data':[],'stringData':'x'}",
        "{" OF_WEB ",'data':{'password':'aHVudGVyMg=='},'data':{}}",
        /* SOPS has encrypted it. */
        "{" OF_WEB ",'data':{'a':'ENC[AES256_GCM,data:eHg=,iv:eA==,tag:eA==,type:str]','b':''}}",
        /* https://git.example.com */
        "{" OF_ARGOCD ",'data':{'url':'aHR0cHM6Ly9naXQuZXhhbXBsZS5jb20=','type':1}}",
        "nonsense",
    };
    for (size_t i = 0; i < ARRAY_SIZE(annotations); i++) {
        struct story story = created("kubectl-client-side-apply", annotations[i]);
        if (count_findings(judge_story(*state, STRICT, &story), RULE_last_applied_secret))
            fail_msg("%s is taken for a leak", annotations[i]);
    }
}

/* Other kinds have a field of that name, too. */
static void other_kinds_are_silent(void **state)
{
    struct story story = created(
        "kubectl-client-side-apply", "{'apiVersion':'v1','kind':'ConfigMap','data':{'password':'hunter2'}}");
    story.kind = "ConfigMap";
    expect_quiet(state, &story);
    story = created("kubectl-client-side-apply", "{'kind':'Secret','data':{'password':'hunter2'}}");
    story.group = "example.com";
    expect_quiet(state, &story);
}

/* Somebody else's label, with the annotation as it was. */
static void annotation_that_stays_is_silent(void **state)
{
    struct story story = written("kubectl-label", PASSWORD, PASSWORD);
    expect_quiet(state, &story);
    story.manager = "kubectl-client-side-apply";
    expect_quiet(state, &story);
}

/* The annotation is written again with the data that it had: only the applier can mend that. */
static void data_that_was_there_is_reported_to_the_applier(void **state)
{
    static const char changed[] =
        "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'web','labels':{'a':'b'}},"
        "'stringData':{'password':'hunter2'}}";
    struct story story = written("kubectl-client-side-apply", PASSWORD, changed);
    expect_count(judge_story(*state, STRICT, &story), RULE_last_applied_secret, 1);
    story = written("kubectl-edit", PASSWORD, changed);
    expect_quiet(state, &story);
}

/* New data in the annotation is its writer's fault. */
static void new_data_is_reported_to_anybody(void **state)
{
    struct story story = written("kubectl-edit", "{" OF_WEB "}", PASSWORD);
    expect_count(judge_story(*state, STRICT, &story), RULE_last_applied_secret, 1);
    story = written("kubectl-edit", "{" OF_WEB ",'stringData':{'password':'x'}}", PASSWORD);
    expect_count(judge_story(*state, STRICT, &story), RULE_last_applied_secret, 1);
    story = created("kubectl-create", PASSWORD);
    expect_count(judge_story(*state, STRICT, &story), RULE_last_applied_secret, 1);
}

/* The API server rewrites the annotation when kubectl goes over to server-side apply. That must not be
 * denied, and what is left to do is said once. */
static void way_out_is_open(void **state)
{
    struct story story = written("kubectl", PASSWORD, "{'stringData':{'password':'hunter2'}}");
    story.new.entries[0] = (struct entry)APPLIES("kubectl", ".stringData.password", .time = NOW);
    const struct finding *finding = expect_finding(
        judge_story(*state, "profile: strict\nrules: {last-applied-secret: {action: deny}}\n", &story),
        RULE_last_applied_secret, ACTION_WARN, "");
    expect_text(
        finding->message,
        "Secret default/web: its last-applied annotation still holds the secret values; delete it now: "
        "kubectl annotate secret/web -n default kubectl.kubernetes.io/last-applied-configuration-");
    story.manager = "kubectl-last-applied";
    story.new.entries[0] = (struct entry)APPLIES("kubectl-last-applied", ANNOTATION, .time = NOW);
    expect_quiet(state, &story);
    /* Without the annotation nothing is left to do. */
    story.manager = "kubectl";
    story.new.entries[0] = (struct entry)APPLIES("kubectl", ".stringData.password", .time = NOW);
    story.new.last_applied = NULL;
    expect_quiet(state, &story);
}

/* last-applied-invalid reports a copy: leaving the annotation out mends both. */
static void copied_annotation_is_reported_once(void **state)
{
    struct story story = created("backup-tool", PASSWORD);
    story.name = "copy";
    const struct verdict *verdict = judge_story(*state, STRICT, &story);
    expect_silence(verdict, RULE_last_applied_secret);
    expect_count(verdict, RULE_last_applied_invalid, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(applied_data_fires),
        IN_COURT(message_has_no_value),
        IN_COURT(advice_fits_what_is_stored),
        IN_COURT(empty_data_is_silent),
        IN_COURT(other_kinds_are_silent),
        IN_COURT(annotation_that_stays_is_silent),
        IN_COURT(data_that_was_there_is_reported_to_the_applier),
        IN_COURT(new_data_is_reported_to_anybody),
        IN_COURT(way_out_is_open),
        IN_COURT(copied_annotation_is_reported_once),
    };
    return cmocka_run_group_tests_name("last-applied-secret", tests, NULL, NULL);
}
