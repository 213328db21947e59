#include "webhook/review/answers.h"

#include "webhook/http/budget.h"
#include "webhook/review/reviewer.h"

#include <stdio.h>

/* The API server retries on another connection, perhaps at another replica, so no write fails. */
static void answer_try_again(struct http_request *request, const char *sentence)
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

void answer_out_of_memory(struct http_request *request)
{
    count_refusal(&reviewer_of(request)->counters, REFUSAL_OUT_OF_MEMORY);
    answer_try_again(request, "Out of memory.\n");
}

void answer_unreadable(struct http_request *request, const struct error *error)
{
    count_refusal(&reviewer_of(request)->counters, REFUSAL_UNREADABLE);
    char sentence[sizeof(error->message) + 1];
    snprintf(sentence, sizeof(sentence), "%s\n", error->message);
    http_answer_sentence(request, 400, sentence);
}

bool answer_is_refused(struct http_request *request)
{
    struct counters *counters = &reviewer_of(request)->counters;
    if (!http_is_json(request->type)) {
        count_refusal(counters, REFUSAL_CONTENT_TYPE);
        http_answer_sentence(request, 415, "Send an AdmissionReview with Content-Type: application/json.\n");
        return true;
    }
    if (request->loop->stage >= STAGE_LATE) {
        count_refusal(counters, REFUSAL_SHUTTING_DOWN);
        answer_try_again(request, "This replica is shutting down.\n");
        return true;
    }
    return false;
}

bool answer_take_budget(struct http_request *request, size_t judged_bytes, size_t *taken)
{
    struct loop *loop = request->loop;
    struct budget *budget = &loop->shared->budget;
    *taken = budget_of_review(budget, judged_bytes);
    if (!budget_take(budget, *taken, budget->total)) {
        counter_add(&loop->counters.refused, 1);
        answer_try_again(request, BUDGET_SPENT_SENTENCE);
        return false;
    }
    arena_limit(loop->arena, budget->limit ? BUDGET_FREE_ARENA_BYTES + *taken : SIZE_MAX);
    return true;
}

void answer_give_back(struct loop *loop, size_t taken)
{
    arena_reset(loop->arena);
    budget_give_back(&loop->shared->budget, taken);
}
