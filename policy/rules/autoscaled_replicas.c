#include "policy/analysis/document.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/verdict.h"

static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    static const struct slice replicas = SLICE_LITERAL(".spec.replicas");
    const struct manifest_autoscaler *autoscaler = document->others.autoscaler;
    if (!autoscaler)
        return;
    struct text text = text_start(review->arena, 200);
    text_append_string(&text, "each apply resets the replicas that ");
    manifest_identity_append(&text, &autoscaler->identity);
    text_append_string(&text, " (");
    document_place_append(&text, &autoscaler->place);
    text_append_string(&text, ") sets; remove replicas from the manifest");
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_autoscaled_replicas,
            .action = ACTION_DENY,
            .related = &autoscaler->place,
            .message = text_slice(&text),
            .fields = &replicas,
            .field_count = 1,
            .field_total = 1,
        });
}

const struct rule_definition rule_autoscaled_replicas = {.judge_document = judge};
