/*
 * Whatever is posted to the webhook: it is refused, or answered with JSON that is the same every time and
 * whose warnings the API server would not drop.
 */
#include "fuzz.h"
#include "policy/encode.h"
#include "policy/judge.h"

static void check_warning(yyjson_val *warning)
{
    const char *text = yyjson_get_str(warning);
    size_t length = yyjson_get_len(warning);
    promise(text && length > 0 && length <= 256, "a warning is a text of at most 256 bytes");
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        promise(byte >= 0x20 && byte != 0x7f, "a warning holds no control character");
    }
}

static void check_response(struct slice response)
{
    yyjson_doc *document = yyjson_read(response.bytes, response.length, YYJSON_READ_NOFLAG);
    promise(document != NULL, "the response is JSON");
    yyjson_val *answer = yyjson_obj_get(yyjson_doc_get_root(document), "response");
    promise(yyjson_is_str(yyjson_obj_get(answer, "uid")), "the response has a uid");
    promise(yyjson_is_bool(yyjson_obj_get(answer, "allowed")), "the response says whether it is allowed");
    yyjson_arr_iter iterator = yyjson_arr_iter_with(yyjson_obj_get(answer, "warnings"));
    for (yyjson_val *warning = yyjson_arr_iter_next(&iterator); warning;
         warning = yyjson_arr_iter_next(&iterator))
        check_warning(warning);
    yyjson_doc_free(document);
}

/* The response lives in the arena; none if the review was refused. */
static struct slice respond(const struct policy *policy, struct slice body, struct arena *arena)
{
    const struct judge_options options = {.ceiling = MODE_ENFORCE, .now = 1800000000};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    enum judge_result result = judge(policy, body, &options, arena, &verdict, &error);
    if (result != JUDGE_OK) {
        promise(error.message[0] != '\0', "a refusal says why");
        return (struct slice){NULL, 0};
    }
    struct slice response = encode_response(verdict, arena);
    promise(response.bytes != NULL, "a verdict becomes a response");
    return response;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0};
    struct policy *policy = policy_load(
        SLICE("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\nwaivers: {rules: "
              "[explicit-strategy]}\n"),
        &error);
    struct arena *first = arena_create(), *second = arena_create();
    promise(policy && first && second, "there are a policy and memory");
    const struct slice body = {(const char *)data, size};
    struct slice response = respond(policy, body, first);
    promise(slice_equal(response, respond(policy, body, second)), "the same review has the same response");
    if (response.bytes)
        check_response(response);
    arena_destroy(first);
    arena_destroy(second);
    policy_free(policy);
    return 0;
}
