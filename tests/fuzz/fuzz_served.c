/*
 * Whatever is posted to the server as a review: its answer is, byte for byte, the output of `applyguard
 * review -o response` for the same bytes; what that cannot read is 400, with the same sentence.
 */
#include "fuzz.h"
#include "policy/judge.h"
#include "policy/verdict/encode.h"
#include "tests/fuzz/server.h"

#include <time.h>

struct endpoint {
    const char *name;
    enum mode ceiling;
};

static const struct policy *embedded_policy(void)
{
    static struct policy *policy;
    if (!policy)
        policy = policy_default();
    promise(policy != NULL, "the embedded policy loads");
    return policy;
}

/* As cli/review.c judges and prints. */
static void check_answer(const struct endpoint *endpoint, struct slice body, const struct answered *answer)
{
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    const struct judge_options options = {.ceiling = endpoint->ceiling, .now = (int64_t)time(NULL)};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    if (judge(embedded_policy(), body, &options, arena, &verdict, &error) == JUDGE_OK) {
        promise(answer->status == 200 && answer->is_json, "what is judged is answered");
        promise(
            slice_equal(answer->body, encode_response(verdict, arena)),
            "the server's answer is that of applyguard review");
    } else {
        struct slice reason = slice_of(error.message);
        promise(answer->status == 400, "what cannot be read is 400");
        promise(
            slice_starts_with(answer->body, reason) && answer->body.length == reason.length + 1,
            "the server's reason is that of applyguard review");
    }
    arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct endpoint endpoints[] = {
        {"/validate", MODE_ENFORCE}, {"/validate/warn", MODE_WARN}, {"/validate/audit", MODE_AUDIT}};
    const struct slice body = {(const char *)data, size};
    const struct endpoint *endpoint = &endpoints[size % 3];
    struct exchange exchanged = exchange_post(endpoint->name, body);
    promise(exchanged.count == 1, "a review has one answer");
    check_answer(endpoint, body, &exchanged.answers[0]);
    exchange_free(&exchanged);
    return 0;
}
