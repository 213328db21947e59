/*
 * failing_memory.h: reviews that are judged, and files that are read, while memory runs out at every single
 * allocation in turn.
 *
 * A program includes it once. It runs from the top folder, where the recorded reviews and the policies are.
 */
#ifndef APPLYGUARD_TESTS_TORTURE_FAILING_MEMORY_H
#define APPLYGUARD_TESTS_TORTURE_FAILING_MEMORY_H

#include "tests/fuzz/corpus.h"
#include "tests/torture/each_allocation.h"

#include "policy/config/config.h"
#include "policy/judge.h"
#include "policy/verdict/encode.h"

#include <glob.h>

/* libyaml allocates through these functions of its own, which a program may replace. */
void *yaml_malloc(size_t size);
void *yaml_realloc(void *memory, size_t size);
void yaml_free(void *memory);
unsigned char *yaml_strdup(const unsigned char *text);

void *yaml_malloc(size_t size)
{
    return block_allocate(size ? size : 1);
}

void *yaml_realloc(void *memory, size_t size)
{
    if (!memory)
        return yaml_malloc(size);
    return block_is_granted() ? realloc(memory, size ? size : 1) : NULL;
}

void yaml_free(void *memory)
{
    block_free(memory);
}

unsigned char *yaml_strdup(const unsigned char *text)
{
    if (!text)
        return NULL;
    size_t size = strlen((const char *)text) + 1;
    unsigned char *copy = yaml_malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

static const char policy_text[] =
    "apiVersion: applyguard.io/v1\n"
    "kind: Policy\n"
    "profile: strict\n"
    "managers:\n"
    "- {name: 'ci-*', operation: Update, class: applier}\n"
    "rules:\n"
    "  ownership-conflict: {ignoreFields: ['.spec.template.spec.containers[name=\"nginx\"].env[*]']}\n"
    "  explicit-fields: {action: warn, fields: {Deployment.apps: "
    "['.spec.template.spec.containers[*].image']}}\n"
    "  managedfields-health: {sharePercent: 0, minBytes: 0}\n"
    "  manager-identity: {action: deny, bindings: [{manager: '*', users: [nobody], groups: [none]}]}\n"
    "  manager-scope: {action: deny, scopes: [{manager: '*', allow: ['.spec.x[*].y'], deny: [.metadata]}]}\n"
    "  generic-manager: {names: ['*']}\n"
    "overrides:\n"
    "- match: {namespaces: ['kube-*'], groups: [none], serviceAccounts: ['a/*'], names: [a], labels: {app: "
    "'w*'}}\n"
    "  rules: {ownership-conflict: {action: warn}}\n"
    "waivers:\n"
    "  rules: [explicit-strategy]\n"
    "  honor: [kluctl, flux, argocd]\n"
    "  scoped: [{rules: [ownership-conflict], namespaces: ['*'], kinds: ['*.apps'], names: ['w*']}]\n";

/* What the scale among the reviews is about. */
static const char scaled_text[] =
    "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\","
    "\"uid\":\"b92c57b6-62e2-46b1-bd31-46e59e75fdea\",\"managedFields\":[{\"manager\":\"kubectl\","
    "\"operation\":\"Apply\",\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\","
    "\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{}}}}]},\"spec\":{\"replicas\":3}}";

/* The object of a scale instead; NULL: the former. */
static const struct slice *scaled_object;

static inline struct slice read_file(const char *path)
{
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    static char bytes[1024 * 1024];
    size_t length = fread(bytes, 1, sizeof(bytes), file);
    assert_true(length < sizeof(bytes));
    fclose(file);
    return (struct slice){bytes, length};
}

/* Checks one input, which is valid during the call; `name` is for messages. */
typedef void check_input(const char *name, struct slice text);

/* Calls `check` with each file of the pattern. */
static inline void for_each_file(const char *pattern, check_input *check)
{
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check(found.gl_pathv[i], read_file(found.gl_pathv[i]));
    globfree(&found);
}

struct corpus_check {
    check_input *check;
};

static inline void check_of_corpus(void *data, const char *name, const uint8_t *bytes, size_t size)
{
    ((const struct corpus_check *)data)->check(name, (struct slice){(const char *)bytes, size});
}

/* Calls `check` with each input that is kept for a fuzz target. */
static inline void for_each_input(const char *corpus, check_input *check)
{
    assert_true(corpus_for_each(corpus, check_of_corpus, &(struct corpus_check){check}));
}

/* The verdict on a review: nothing where there was no memory for it. */
struct said {
    struct slice response;
    struct slice report;
    struct error refusal; /* of what is no review */
};

static struct said judge_in(struct arena *arena, const struct policy *policy, struct slice body)
{
    const struct judge_options options = {
        .ceiling = MODE_ENFORCE,
        .now = 1800000000,
        .scaled = scaled_object ? *scaled_object : slice_of(scaled_text)};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    enum judge_result result = judge(policy, body, &options, arena, &verdict, &error);
    if (result == JUDGE_OK)
        return (struct said){
            .response = encode_response(verdict, arena),
            .report = encode_verdict(verdict, SLICE("review.json"), arena)};
    assert_true(error.message[0] != '\0');
    return result == JUDGE_UNREADABLE ? (struct said){.refusal = error} : (struct said){0};
}

static inline void assert_true_or_nothing(
    struct slice said, struct slice truth, const char *path, size_t number)
{
    if (said.bytes && !slice_equal(said, truth))
        fail_msg(
            "%s, allocation %zu fails: %.*s is not %.*s", path, number, (int)said.length, said.bytes,
            (int)truth.length, truth.bytes);
}

static void assert_true_refusal(
    const struct said *said, const struct said *truth, const char *path, size_t number)
{
    if (said->refusal.message[0] && strcmp(said->refusal.message, truth->refusal.message) != 0)
        fail_msg(
            "%s, allocation %zu fails: %s is not %s", path, number, said->refusal.message,
            truth->refusal.message);
}

static bool is_whole(const struct said *said)
{
    return said->refusal.message[0] || (said->response.bytes && said->report.bytes);
}

struct judging {
    const struct policy *policy;
    const char *path;
    struct slice body;
    struct said truth;
};

static bool judge_again(void *data, size_t number)
{
    const struct judging *judging = data;
    const struct said *truth = &judging->truth;
    struct arena *arena = arena_create();
    struct said said = arena ? judge_in(arena, judging->policy, judging->body) : (struct said){0};
    bool all_is_said = is_whole(&said);
    assert_true_or_nothing(said.response, truth->response, judging->path, number);
    assert_true_or_nothing(said.report, truth->report, judging->path, number);
    assert_true_refusal(&said, truth, judging->path, number);
    arena_destroy(arena);
    return all_is_said;
}

/* At most about `failures` of its allocations fail, in two ways. */
static inline void check_body(const char *name, struct slice body, size_t failures)
{
    struct error error = {0};
    struct policy *policy = policy_load(slice_of(policy_text), &error);
    if (!policy)
        fail_msg("line %u: %s", error.line, error.message);
    struct arena *arena = arena_create();
    struct judging judging = {policy, name, body, judge_in(arena, policy, body)};
    assert_true(is_whole(&judging.truth));
    fail_each_allocation(judge_again, &judging, failures);
    arena_destroy(arena);
    policy_free(policy);
}

#endif
