/* A review is decoded once, and judged under any number of policies: each verdict is that of judge(). */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

#include "policy/verdict/encode.h"

/* An unknown manager takes the replicas of another, whose class decides what that is. */
#define BODY(version)                                                                                        \
    "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"some\","    \
    "\"kind\":{\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"},\"namespace\":\"shop\","       \
    "\"name\":\"web\",\"operation\":\"UPDATE\",\"userInfo\":{\"username\":\"me\"},\"object\":" OBJECT(       \
        "mine", "2", version) ",\"oldObject\":" OBJECT("other", "1", version) ",\"options\":{"               \
                                                                              "\"fieldManager\":\"mine\"}}}"
#define OBJECT(manager, replicas, version)                                                                   \
    "{\"apiVersion\":\"apps/"                                                                                \
    "v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\",\"resourceVersion\":"                       \
    "\"" version "\",\"managedFields\":[{\"manager\":\"" manager "\",\"operation\":\"Update\","              \
    "\"apiVersion\":\"apps/v1\",\"time\":\"2026-01-01T00:00:0" version "Z\",\"fieldsType\":\"FieldsV1\","    \
    "\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{}}}}]},\"spec\":{\"replicas\":" replicas "}}"

#define HEADER "apiVersion: applyguard.io/v1\nkind: Policy\n"
static const char *const texts[] = {
    HEADER "profile: strict\n",
    HEADER "profile: strict\nmanagers: [{name: other, class: applier}, {name: mine, class: adhoc}]\n",
    HEADER "profile: baseline\nmanagers: [{name: other, class: bookkeeping}]\n",
    HEADER "profile: strict\nmanagers: [{name: '*', class: controller}]\n",
};

static const struct judge_options options = {.ceiling = MODE_ENFORCE, .now = 1800000000};

static struct slice printed(const struct verdict *verdict, struct arena *arena)
{
    struct slice printed = encode_verdict(verdict, SLICE(""), arena);
    assert_non_null(printed.bytes);
    return printed;
}

static struct policy *load(const char *text)
{
    struct error error = {0};
    struct policy *policy = policy_load(slice_of(text), &error);
    if (!policy)
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    return policy;
}

static void each_policy_has_its_verdict(void **state)
{
    (void)state;
    struct arena *shared = arena_create(), *own = arena_create();
    const struct review *review = NULL;
    struct error error = {0};
    assert_int_equal(judge_decode(SLICE(BODY("1")), &options, shared, &review, &error), JUDGE_OK);
    const struct review before = *review;
    bool differ = false;
    struct slice last = {NULL, 0};
    for (size_t i = 0; i < 2 * ARRAY_SIZE(texts); i++) {
        struct policy *policy = load(texts[i % ARRAY_SIZE(texts)]);
        const struct verdict *again = NULL, *expected = NULL;
        assert_int_equal(judge_review(policy, review, &options, &again, &error), JUDGE_OK);
        assert_int_equal(judge(policy, SLICE(BODY("1")), &options, own, &expected, &error), JUDGE_OK);
        struct slice said = printed(again, shared);
        if (!slice_equal(said, printed(expected, own)))
            fail_msg("policy %zu: %.*s", i, (int)said.length, said.bytes);
        differ |= last.bytes && !slice_equal(last, said);
        last = said;
        arena_reset(own);
        policy_free(policy);
    }
    assert_true(differ);
    assert_memory_equal(&before, review, sizeof(before));
    arena_destroy(shared);
    arena_destroy(own);
}

static const struct verdict *judge_one(
    const struct policy *policy, struct slice body, const struct judge_options *with, struct arena *arena)
{
    const struct review *review = NULL;
    const struct verdict *verdict = NULL;
    struct error error = {0};
    assert_int_equal(judge_decode(body, with, arena, &review, &error), JUDGE_OK);
    assert_int_equal(judge_review(policy, review, with, &verdict, &error), JUDGE_OK);
    return verdict;
}

/* Only judge_remember remembers. */
static void judging_remembers_nothing(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct takeover_history *history = takeover_history_create((struct siphash_seed){{3, 5}});
    struct judge_options remembering = options;
    remembering.takeover_history = history;
    struct policy *policy = load(
        HEADER
        "mode: warn\nrules: {contested-field: {changes: 1}}\nmanagers: [{name: other, class: applier}]\n");
    const struct verdict *first = judge_one(policy, SLICE(BODY("1")), &remembering, arena);
    assert_int_equal(count_findings(first, RULE_ownership_conflict), 1);
    const struct verdict *second = judge_one(policy, SLICE(BODY("2")), &remembering, arena);
    assert_int_equal(count_findings(second, RULE_contested_field), 0);
    judge_remember(first);
    second = judge_one(policy, SLICE(BODY("2")), &remembering, arena);
    assert_int_equal(count_findings(second, RULE_contested_field), 1);
    policy_free(policy);
    takeover_history_destroy(history);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_policy_has_its_verdict),
        cmocka_unit_test(judging_remembers_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
