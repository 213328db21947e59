/*
 * unjudged: a part of a review that cannot be read is named in the audit log, allowed, and never guessed at.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

static void expect_unjudged(void **state, const char *policy, const struct story *story, const char *part)
{
    const struct verdict *verdict = judge_story(*state, policy, story);
    assert_true(verdict->allowed);
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        if (finding->rule == RULE_unjudged && contains(finding->message, part)) {
            assert_int_equal(finding->action, ACTION_AUDIT);
            return;
        }
    }
    print_findings(verdict);
    fail_msg("nothing says \"%s\"", part);
}

/* Nothing amiss, nothing said. */
static void common_reviews_are_silent(void **state)
{
    static const struct object_story plain = {.body = "'spec':{}", .entries = {UPDATES("tool", ".spec.a")}};
    expect_nothing(judge_story(*state, STRICT, &(struct story){.new = plain}));
    expect_nothing(judge_story(*state, STRICT, &(struct story){.old = plain, .new = plain}));
    expect_nothing(judge_story(*state, STRICT, &(struct story){.old = plain, .operation = "DELETE"}));
    expect_nothing(judge_story(*state, STRICT, &(struct story){.operation = "CONNECT"}));
}

/* managedFields of another form, on either side. */
static void managed_fields_that_do_not_decode_are_reported(void **state)
{
    static const struct {
        const char *managed_fields;
        const char *said;
    } cases[] = {
        {"'x'", "managedFields are not a list"},
        {"{}", "managedFields are not a list"},
        {"[5]", "has no readable fieldsV1"},
        {"[{'manager':'a','operation':'Update','fieldsType':'FieldsV1'}]", "has no readable fieldsV1"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct story story = {.old.body = "", .new.body = "", .manager = "tool"};
        story.old.managed_fields = cases[i].managed_fields;
        expect_unjudged(state, STRICT, &story, cases[i].said);
        expect_unjudged(state, STRICT, &story, "the old object's managedFields");
        story.old.managed_fields = NULL;
        story.new.managed_fields = cases[i].managed_fields;
        expect_unjudged(state, STRICT, &story, cases[i].said);
        expect_unjudged(state, STRICT, &story, "the object's managedFields");
    }
}

/* Annotations of another type than the API's. */
static void annotations_of_another_type_are_reported(void **state)
{
    struct story story = {.new = {.body = "", .metadata = "'annotations':'x'"}};
    expect_unjudged(state, STRICT, &story, "annotations are not an object");
    story.new.metadata = "'annotations':[]";
    expect_unjudged(state, STRICT, &story, "annotations are not an object");
    story.new.metadata = "'annotations':{'a':'x','b':5}";
    expect_unjudged(state, STRICT, &story, "an annotation of the object is not a string");
    story.new.metadata = "'annotations':{'" LAST_APPLIED_ANNOTATION "':{}}";
    expect_unjudged(state, STRICT, &story, "an annotation of the object is not a string");
}

static void expect_body_under(void **state, const char *policy, const char *members, const char *said)
{
    char body[1024];
    snprintf(
        body, sizeof(body),
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\","
        "\"kind\":{\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"},%s}}",
        members);
    struct court *court = *state;
    court_load(court, policy);
    const struct verdict *verdict = judge_body(court, slice_of(body));
    assert_true(verdict->allowed);
    expect_part(expect_finding(verdict, RULE_unjudged, ACTION_AUDIT, "")->message, said);
}

static void expect_body(void **state, const char *members, const char *said)
{
    expect_body_under(state, STRICT, members, said);
}

/* Values that are not objects. */
static void objects_that_are_no_objects_are_reported(void **state)
{
    static const char *const objects[] = {"5", "\"x\"", "[]", "true"};
    for (size_t i = 0; i < 4; i++) {
        char members[256];
        snprintf(members, sizeof(members), "\"operation\":\"CREATE\",\"object\":%s", objects[i]);
        expect_body(state, members, "the request's object is not an object");
    }
    expect_body(state, "\"operation\":\"CREATE\",\"object\":null", "the request has no object");
    expect_body(state, "\"operation\":\"UPDATE\"", "the request has no object");
    expect_body(state, "\"operation\":\"CREATE\",\"object\":{}", "the object's metadata is not an object");
    expect_body(
        state, "\"operation\":\"UPDATE\",\"object\":{\"metadata\":{}}", "no old object to compare with");
}

#define DENIES STRICT "rules: {unjudged: {action: deny}}\n"

static void expect_denied(const struct verdict *verdict, const char *part)
{
    assert_false(verdict->allowed);
    expect_part(expect_finding(verdict, RULE_unjudged, ACTION_DENY, "")->message, part);
}

/* A policy that enforces can refuse writes that cannot be judged, by any writer. */
static void policy_may_deny(void **state)
{
    struct story story = {.new = {.body = "", .metadata = "'annotations':'x'"}};
    expect_denied(judge_story(*state, DENIES, &story), "annotations");
    story.user = "system:serviceaccount:a:b";
    expect_denied(judge_story(*state, DENIES, &story), "annotations");
    expect_nothing(judge_story(*state, STRICT "rules: {unjudged: {action: \"off\"}}\n", &story));
}

/* Protects the end of an object: what is being deleted is not held up by what cannot be read of it. */
static void what_is_being_deleted_is_not_denied(void **state)
{
    const struct story story = {
        .old = {.body = "", .metadata = "'deletionTimestamp':'2026-01-01T00:00:00Z'"},
        .new = {.body = "", .metadata = "'deletionTimestamp':'2026-01-01T00:00:00Z','annotations':'x'"}};
    expect_unjudged(state, DENIES, &story, "annotations");
}

/* A request without objects is another form, which no object can be refused for. */
static void requests_without_objects_are_not_denied(void **state)
{
    static const char *const requests[] = {
        "\"operation\":\"CREATE\",\"object\":5", "\"operation\":\"UPDATE\"",
        "\"operation\":\"UPDATE\",\"object\":{\"metadata\":{}}"};
    for (size_t i = 0; i < ARRAY_SIZE(requests); i++)
        expect_body_under(state, DENIES, requests[i], "request");
}

/* The readable rest is judged. */
static void other_parts_are_still_judged(void **state)
{
    const struct verdict *verdict = judge_story(
        *state, STRICT,
        &(struct story){
            .manager = "kubectl-edit",
            .old =
                {.body = "'spec':{'a':1}",
                 .managed_fields = "[5,{'manager':'flux','operation':'Apply','apiVersion':'apps/v1',"
                                   "'fieldsType':'FieldsV1','fieldsV1':{'f:spec':{'f:a':{}}}}]"},
            .new = {.body = "'spec':{'a':2}", .entries = {UPDATES("kubectl-edit", ".spec.a")}},
        });
    expect_finding(verdict, RULE_ownership_conflict, ACTION_DENY, ".spec.a");
    expect_finding(verdict, RULE_unjudged, ACTION_AUDIT, "");
    assert_false(verdict->allowed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(common_reviews_are_silent),
        IN_COURT(managed_fields_that_do_not_decode_are_reported),
        IN_COURT(annotations_of_another_type_are_reported),
        IN_COURT(objects_that_are_no_objects_are_reported),
        IN_COURT(policy_may_deny),
        IN_COURT(what_is_being_deleted_is_not_denied),
        IN_COURT(requests_without_objects_are_not_denied),
        IN_COURT(other_parts_are_still_judged),
    };
    return cmocka_run_group_tests_name("unjudged", tests, NULL, NULL);
}
