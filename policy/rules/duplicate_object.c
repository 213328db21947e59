#include "policy/analysis/document.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/verdict.h"

/* The first one stays, because the others change it. Those in other directories may be alternatives. */
static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    if (!document->others.first)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_duplicate_object,
            .action = document->others.is_alternative ? ACTION_AUDIT : ACTION_DENY,
            .related = document->others.first,
            .message = text_join(
                review->arena, "it is declared in ", document_place_text(document->others.first),
                document->others.is_alternative
                    ? ", too; if one cluster gets both, the one applied last wins"
                    : " already, and the one applied last wins; keep one of them")});
}

const struct rule_definition rule_duplicate_object = {.judge_document = judge};
