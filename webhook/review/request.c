/* All memory is in the loop's arena until the review is answered. */
#include "webhook/review/request.h"

#include "policy/judge.h"
#include "policy/verdict/encode.h"
#include "system/clock.h"
#include "webhook/api/events.h"
#include "webhook/review/answers.h"
#include "webhook/review/reviewer.h"
#include "webhook/review/scales.h"
#include "webhook/telemetry/label_sets.h"
#include "webhook/telemetry/log_review.h"

/* Shorter bodies are copied if they may be judged again, when the object of a scale is known. */
#define COPIED_MAX_BYTES ((size_t)64 << 10)

/* A dry run changes no object. */
static void count_labels(struct label_sets *label_sets, const struct verdict *verdict)
{
    const struct review *review = verdict->review;
    if (review->dry_run)
        return;
    label_sets_count(label_sets, verdict, monotonic_milliseconds());
}

static void record_findings(
    const struct http_request *request, const struct verdict *verdict, uint64_t microseconds)
{
    struct events *events = reviewer_of(request)->service->events;
    log_review(request->loop->shared->log, verdict, microseconds);
    if (events)
        events_record(events, verdict);
}

/*
 * Judges once more, under the shadow policy, without effect on the answer: an admin sees what a policy would
 * do to the cluster's requests before it is in force. Memory that runs out here is the shadow's.
 */
static void judge_under_shadow(
    const struct http_request *request, const struct verdict *verdict, const struct judge_options *options)
{
    struct reviewer *reviewer = reviewer_of(request);
    const struct verdict *shadow = NULL;
    if (!reviewer->shadow)
        return;
    if (judge_review(reviewer->shadow->policy, verdict->decoded, options, &shadow, NULL) != JUDGE_OK) {
        count_shadow_failure(&reviewer->counters);
        return;
    }
    enum verdict_difference difference = verdict_compare(verdict, shadow);
    count_shadow(&reviewer->counters, shadow, difference);
    if (difference != DIFFERENCE_NONE)
        log_shadow(request->loop->shared->log, verdict, shadow, difference);
}

static void answer_verdict(
    struct http_request *request, const struct verdict *verdict, const struct judge_options *options,
    uint64_t started)
{
    struct reviewer *reviewer = reviewer_of(request);
    struct slice body = encode_response(verdict, request->loop->arena);
    if (!body.bytes) {
        answer_out_of_memory(request);
        return;
    }
    uint64_t microseconds = monotonic_microseconds() - started;
    count_review(&reviewer->counters, verdict, request->body.length, microseconds);
    if (reviewer->service->label_sets)
        count_labels(reviewer->service->label_sets, verdict);
    if (verdict->finding_count)
        record_findings(request, verdict, microseconds);
    judge_under_shadow(request, verdict, options);
    http_answer(
        request,
        &(struct answer){
            .status = 200, .content_type = "application/json", .body = body, .is_verdict = true});
}

/* Parses the body in H2O's buffer, which destroys it. */
static bool is_judged_in_place(const struct http_request *request)
{
    bool may_be_judged_again =
        reviewer_of(request)->service->lookups && request->body.length < COPIED_MAX_BYTES;
    return !may_be_judged_again && http_has_room_behind_body(request, YYJSON_PADDING_SIZE);
}

static scale_known judge_scale;

/* A request waits for a look-up at most once. */
static void judge_and_answer(struct http_request *request, struct slice scaled, bool may_wait)
{
    const struct reviewer *reviewer = reviewer_of(request);
    uint64_t started = monotonic_microseconds();
    const struct verdict *verdict = NULL;
    struct error error = {0};
    const struct judge_options options = {
        .ceiling = *(const enum mode *)request->route->data,
        .now = calendar_seconds(),
        .scaled = scaled,
        .takeover_history = reviewer->service->takeover_history,
        .in_place = is_judged_in_place(request),
    };
    switch (
        judge(reviewer->policy->policy, request->body, &options, request->loop->arena, &verdict, &error)) {
    case JUDGE_OK:
        if (!may_wait || options.in_place || !scale_waits(request, verdict, judge_scale))
            answer_verdict(request, verdict, &options, started);
        return;
    case JUDGE_UNREADABLE:
        answer_unreadable(request, &error);
        return;
    case JUDGE_OUT_OF_MEMORY:
        answer_out_of_memory(request);
        return;
    }
}

/* The bytes that are judged. A scaled object is read twice; a shadow policy judges all once more. */
static size_t judged_bytes(const struct http_request *request, struct slice scaled)
{
    size_t bytes = request->body.length + 2 * scaled.length;
    return reviewer_of(request)->shadow ? 2 * bytes : bytes;
}

static void judge_within_budget(struct http_request *request, struct slice scaled, bool may_wait)
{
    struct loop *loop = request->loop;
    size_t taken;
    if (!answer_take_budget(request, judged_bytes(request, scaled), &taken))
        return;
    judge_and_answer(request, scaled, may_wait);
    answer_give_back(loop, taken);
}

static void judge_scale(struct http_request *request, struct slice scaled)
{
    judge_within_budget(request, scaled, false);
}

void handle_review(struct http_request *request)
{
    if (!answer_is_refused(request))
        judge_within_budget(request, (struct slice){0}, true);
}
