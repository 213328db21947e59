#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/verdict.h"

/* What decoding could not read. The other rules add what they could not judge themselves. */
static void judge(const struct review *review, struct verdict *verdict)
{
    for (size_t i = 0; i < review->unjudged_count; i++)
        verdict_add_unjudged(verdict, review->unjudged[i]);
}

const struct rule_definition rule_unjudged = {.judge = judge, .only_records = true};
