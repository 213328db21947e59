/*
 * The way of a request: body, judge, encode, answer. Everything in between lives in the loop's arena.
 */
#include "webhook/review/request.h"
#include "base/clock.h"
#include "policy/judge.h"
#include "policy/verdict/encode.h"
#include "webhook/api/events.h"
#include "webhook/http/loop.h"
#include "webhook/review/routes.h"
#include "webhook/review/scales.h"
#include "webhook/telemetry/places.h"

#include <stdio.h>

/* Shorter bodies are copied where they may be judged once more, when the object of a scale is known. */
#define COPIED_MAX_BYTES ((size_t)64 << 10)

/* The API server tries again on another connection, so with luck at another replica, and nothing fails. */
static void answer_try_again(h2o_req_t *request, const char *sentence)
{
    http_answer(
        request,
        &(struct answer){
            .status = 503,
            .content_type = "text/plain; charset=utf-8",
            .body = slice_of(sentence),
            .retry = true,
            .close = true,
        });
}

static void answer_out_of_memory(struct loop *loop, h2o_req_t *request)
{
    count_refusal(&loop->counters, REFUSAL_OUT_OF_MEMORY);
    answer_try_again(request, "Out of memory.\n");
}

static void answer_unreadable(struct loop *loop, h2o_req_t *request, const struct error *error)
{
    count_refusal(&loop->counters, REFUSAL_UNREADABLE);
    char sentence[sizeof(error->message) + 1];
    snprintf(sentence, sizeof(sentence), "%s\n", error->message);
    http_answer_sentence(request, 400, sentence);
}

/* A dry run writes nowhere. */
static void count_place(struct loop *loop, const struct verdict *verdict)
{
    const struct review *review = verdict->review;
    if (review->dry_run)
        return;
    places_count(loop->shared->places, verdict, monotonic_milliseconds());
}

static void tell_findings(struct loop *loop, const struct verdict *verdict, uint64_t microseconds)
{
    log_review(loop->shared->log, verdict, microseconds);
    if (loop->shared->events)
        events_tell(loop->shared->events, verdict);
}

static void answer_verdict(
    struct loop *loop, h2o_req_t *request, const struct verdict *verdict, uint64_t started)
{
    struct slice body = encode_response(verdict, loop->arena);
    if (!body.bytes) {
        answer_out_of_memory(loop, request);
        return;
    }
    uint64_t microseconds = monotonic_microseconds() - started;
    count_review(&loop->counters, verdict, request->entity.len, microseconds);
    if (loop->shared->places)
        count_place(loop, verdict);
    if (verdict->finding_count)
        tell_findings(loop, verdict, microseconds);
    http_answer(
        request,
        &(struct answer){
            .status = 200, .content_type = "application/json", .body = body, .is_verdict = true});
}

/* In H2O's buffer, where the body is gone then. */
static bool is_judged_in_place(const struct loop *loop, const h2o_req_t *request)
{
    bool may_be_judged_again = loop->shared->lookups && request->entity.len < COPIED_MAX_BYTES;
    return !may_be_judged_again && http_has_room_behind_body(request, YYJSON_PADDING_SIZE);
}

static enum judge_result judge_request(
    struct loop *loop, const struct route *route, const h2o_req_t *request, struct slice scaled,
    bool in_place, const struct verdict **verdict, struct error *error)
{
    const struct judge_options options = {
        .ceiling = route->ceiling,
        .now = calendar_seconds(),
        .scaled = scaled,
        .contests = loop->shared->contests,
        .in_place = in_place,
    };
    struct slice body = {request->entity.base, request->entity.len};
    return judge(loop->policy->policy, body, &options, loop->arena, verdict, error);
}

/* Once: whoever has waited is answered. */
static void judge_and_answer(
    struct loop *loop, const struct route *route, h2o_req_t *request, struct slice scaled, bool may_wait)
{
    uint64_t started = monotonic_microseconds();
    const struct verdict *verdict = NULL;
    struct error error = {0};
    bool in_place = is_judged_in_place(loop, request);
    switch (judge_request(loop, route, request, scaled, in_place, &verdict, &error)) {
    case JUDGE_OK:
        if (!may_wait || in_place || !scale_waits(loop, route, request, verdict))
            answer_verdict(loop, request, verdict, started);
        return;
    case JUDGE_UNREADABLE:
        answer_unreadable(loop, request, &error);
        return;
    case JUDGE_OUT_OF_MEMORY:
        answer_out_of_memory(loop, request);
        return;
    }
}

/* What one review may take is taken beforehand, and its arena does not go beyond that. A scaled object is
 * read twice. */
static void judge_within_budget(
    struct loop *loop, const struct route *route, h2o_req_t *request, struct slice scaled, bool may_wait)
{
    struct budget *budget = &loop->shared->budget;
    size_t bytes = budget_of_review(budget, request->entity.len + 2 * scaled.length);
    if (!budget_take(budget, bytes, budget->total)) {
        count_refusal(&loop->counters, REFUSAL_MEMORY_LIMIT);
        answer_try_again(request, "Too many large reviews at a time; try once again.\n");
        return;
    }
    arena_limit(loop->arena, budget->limit ? BUDGET_FREE_ARENA_BYTES + bytes : SIZE_MAX);
    judge_and_answer(loop, route, request, scaled, may_wait);
    arena_reset(loop->arena);
    budget_give_back(budget, bytes);
}

void handle_review(struct loop *loop, const struct route *route, h2o_req_t *request)
{
    if (!http_is_json(http_content_type(request))) {
        count_refusal(&loop->counters, REFUSAL_CONTENT_TYPE);
        http_answer_sentence(request, 415, "Send an AdmissionReview with Content-Type: application/json.\n");
        return;
    }
    if (loop->stage >= STAGE_LATE) {
        count_refusal(&loop->counters, REFUSAL_SHUTTING_DOWN);
        answer_try_again(request, "This replica is shutting down.\n");
        return;
    }
    judge_within_budget(loop, route, request, (struct slice){0}, true);
}

void review_resume(struct loop *loop, const struct route *route, h2o_req_t *request, struct slice scaled)
{
    judge_within_budget(loop, route, request, scaled, false);
}
