#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/verdict.h"

/* Where the request has no objects to compare, there is nothing that could be refused for it. */
static bool has_objects(const struct review *review)
{
    return review->object && (review->operation != OPERATION_UPDATE || review->old_object);
}

/* Parts that decoding could not read. The other rules add what they could not judge themselves. */
static void judge(const struct review *review, struct verdict *verdict)
{
    for (size_t i = 0; i < review->unjudged_count; i++) {
        if (has_objects(review))
            verdict_add_unjudged(verdict, review->unjudged[i]);
        else
            verdict_note_unjudged(verdict, review->unjudged[i]);
    }
}

const struct rule_definition rule_unjudged = {.judge = judge};
