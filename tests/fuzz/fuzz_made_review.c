/*
 * Whatever two objects a test has: they are refused with a reason, or the request that is made of them can be
 * judged; who changes nothing takes nothing from anybody.
 */
#include "base/array_size.h"
#include "commands/policytest/synthesized_review.h"
#include "fuzz.h"
#include "manifest/manifest.h"
#include "policy/judge.h"
#include "tests/fuzz/printable.h"

static const struct slice replicas = SLICE_LITERAL(".spec.replicas");

/* One applies all but replicas, which another one has. */
static const struct test_manager owners[] = {
    {.name = SLICE_LITERAL("kustomize-controller"), .operation = TEST_APPLY},
    {.name = SLICE_LITERAL("kube-controller-manager"),
     .operation = TEST_UPDATE,
     .subresource = SLICE_LITERAL("scale"),
     .has_fields = true,
     .fields = {&replicas, 1}},
};

struct side {
    struct slice text;
    struct manifest_reader *reader;
    struct manifest_object object;
    bool is_there;
};

/* The object of this number. */
static void open_side(struct side *side, struct slice text, int number)
{
    struct error error;
    *side = (struct side){.text = text};
    side->reader = manifest_open(manifest_read_slice, &side->text, NULL);
    promise(side->reader != NULL, "there is memory");
    for (int i = 0; i < number; i++)
        side->is_there = manifest_next(side->reader, &side->object, &error) == MANIFEST_OBJECT;
}

static bool takes_something(const struct verdict *verdict)
{
    return verdict_next(verdict, RULE_ownership_conflict, ACTION_AUDIT, NULL);
}

static void check_request(const struct made_request *request, bool is_same)
{
    struct arena *arena = arena_create();
    struct policy *policy = policy_default();
    struct error error = {0};
    const struct verdict *verdict = NULL;
    promise(arena && policy, "there is memory");
    const struct review *review = synthesized_review(request, arena, &error);
    if (review) {
        const struct judge_options options = {.ceiling = MODE_ENFORCE, .now = request->now};
        promise(
            judge_review(policy, review, &options, &verdict, &error) == JUDGE_OK,
            "what is made can be judged");
        promise(!is_same || !takes_something(verdict), "who changes nothing takes nothing");
    } else {
        promise(error.message[0] != '\0', "a refusal says why");
        check_printable(slice_of(error.message), 0);
    }
    policy_free(policy);
    arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice text = {(const char *)data, size};
    struct side before, after;
    open_side(&before, text, 1);
    open_side(&after, text, 2);
    for (int operation = TEST_APPLY; operation <= TEST_CLIENT_SIDE_APPLY; operation++) {
        struct test_case each = {
            .writer = {.name = SLICE("tool"), .operation = (enum test_operation)operation}};
        struct made_request request = {.each = &each, .now = 1800000000};
        request.after = &before.object;
        if (before.is_there)
            check_request(&request, false);
        request.before = &before.object;
        for (each.owner_count = 0; before.is_there && each.owner_count <= ARRAY_SIZE(owners);
             each.owner_count++) {
            each.owners = owners;
            check_request(&request, operation == TEST_UPDATE);
        }
        request.after = &after.object;
        for (each.owner_count = 0;
             before.is_there && after.is_there && each.owner_count <= ARRAY_SIZE(owners); each.owner_count++)
            check_request(&request, false);
    }
    manifest_close(before.reader);
    manifest_close(after.reader);
    return 0;
}
