#include "policy/analysis/document.h"
#include "policy/analysis/stored_object.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/message_command.h"
#include "policy/verdict/verdict.h"

static const struct slice replicas = SLICE_LITERAL(".spec.replicas");

static void judge_document(
    const struct review *review, const struct document *document, struct verdict *verdict)
{
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
            FINDING_FIELD(&replicas),
        });
}

static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    if (!object->autoscaler || !object->declarer)
        return;
    struct text text = text_start(review->arena, 200);
    text_append_all(&text, message_manager(object->declarer), " resets the replicas that ");
    manifest_identity_append(&text, object->autoscaler);
    text_append_string(
        &text, " sets each time it applies; hand them over, then remove replicas from the manifest");
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_autoscaled_replicas,
            .action = ACTION_DENY,
            .message = text_slice(&text),
            .command = message_command_hand_over(review, replicas, SLICE("hand-over-to-autoscaler")),
            FINDING_FIELD(&replicas),
            .has_writer = true,
            .writer = *object->declarer,
        });
}

const struct rule_definition rule_autoscaled_replicas = {
    .judge_document = judge_document, .judge_object = judge_object};
