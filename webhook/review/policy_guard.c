#include "webhook/review/policy_guard.h"

#include "base/json.h"
#include "base/json_append.h"
#include "policy/judge.h"
#include "policy/review/review_decode.h"
#include "webhook/review/answers.h"

/* Problems of one file that an answer lists. */
#define PROBLEMS_MAX 10

/* The keys of the ConfigMap that the chart makes. */
static const struct slice policy_key = SLICE_LITERAL("policy.yaml");
static const struct slice shadow_key = SLICE_LITERAL("shadow-policy.yaml");

struct guard {
    struct text broken;   /* a line for each problem because of which a policy does not load */
    struct text warnings; /* the items of a JSON list, for parts that have no effect */
};

static struct slice line_of(struct slice key, const struct error *error, struct arena *arena)
{
    struct text line = text_start(arena, 160);
    text_append(&line, key);
    if (error->line)
        text_append_all(&line, ":", error->line, ":", error->column);
    text_append_all(&line, ": ", as_printable(slice_of(error->message)));
    return text_slice(&line);
}

static void check(struct guard *guard, struct slice key, struct slice text)
{
    struct policy_problem items[PROBLEMS_MAX];
    struct policy_problems problems = {.items = items, .capacity = PROBLEMS_MAX, .least = POLICY_NO_EFFECT};
    policy_free(policy_check(text, &problems));
    for (size_t i = 0; i < problems.count; i++) {
        struct slice line = line_of(key, &items[i].error, guard->broken.arena);
        if (items[i].kind == POLICY_BROKEN) {
            text_append_all(&guard->broken, guard->broken.length ? "\n" : "", line);
        } else {
            text_append_all(&guard->warnings, guard->warnings.length ? "," : "", as_json(line));
        }
    }
}

/* Without the key, the pods would keep their policy, and new pods would not start. */
static void check_config_map(struct guard *guard, yyjson_val *object)
{
    yyjson_val *data = json_member(object, SLICE("data"));
    yyjson_val *policy = json_member(data, policy_key), *shadow = json_member(data, shadow_key);
    if (yyjson_is_str(policy))
        check(guard, policy_key, json_text(policy));
    else
        text_append_string(&guard->broken, "policy.yaml: the ConfigMap has no such key in its data");
    if (yyjson_is_str(shadow))
        check(guard, shadow_key, json_text(shadow));
}

static struct slice encode(const struct review *review, const struct guard *guard)
{
    struct text text = text_start(review->arena, 512);
    struct slice broken = text_slice(&guard->broken), warnings = text_slice(&guard->warnings);
    text_append_string(&text, "{\"kind\":\"AdmissionReview\"");
    json_append_exact(&text, "apiVersion", review->api_version);
    json_append_open(&text, "response", "{");
    json_append_exact(&text, "uid", review->uid);
    text_append_string(&text, broken.length ? ",\"allowed\":false" : ",\"allowed\":true");
    if (broken.length) {
        text_append_string(&text, ",\"status\":{\"metadata\":{},\"status\":\"Failure\"");
        json_append_exact(&text, "message", broken);
        text_append_string(&text, ",\"reason\":\"Invalid\",\"code\":422}");
    }
    if (warnings.length)
        text_append_all(&text, ",\"warnings\":[", warnings, "]");
    text_append_string(&text, "}}\n");
    return text_slice(&text);
}

static void answer_config_map(struct http_request *request, const struct review *review)
{
    struct arena *arena = request->loop->arena;
    struct guard guard = {text_start(arena, 512), text_start(arena, 512)};
    bool is_config_map = slice_equal(review->group_kind, SLICE("ConfigMap")) && review->object &&
        review->operation <= OPERATION_UPDATE;
    if (is_config_map)
        check_config_map(&guard, review->object);
    struct slice body = encode(review, &guard);
    if (!body.bytes) {
        answer_out_of_memory(request);
        return;
    }
    http_answer(
        request,
        &(struct answer){
            .status = 200, .content_type = "application/json", .body = body, .is_verdict = true});
}

static void decode_and_answer(struct http_request *request)
{
    const struct review *review = NULL;
    struct error error = {0};
    switch (review_decode(request->body, YYJSON_READ_NOFLAG, request->loop->arena, &review, &error)) {
    case REVIEW_OK:
        answer_config_map(request, review);
        return;
    case REVIEW_UNREADABLE:
        answer_unreadable(request, &error);
        return;
    case REVIEW_OUT_OF_MEMORY:
        answer_out_of_memory(request);
        return;
    }
}

void handle_policy(struct http_request *request)
{
    struct loop *loop = request->loop;
    size_t taken;
    if (answer_is_refused(request) || !answer_take_budget(request, request->body.length, &taken))
        return;
    decode_and_answer(request);
    answer_give_back(loop, taken);
}
