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
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_autoscaled_replicas,
            .action = ACTION_DENY,
            .related = &autoscaler->place,
            .message = text_join(
                review->arena, "each apply resets the replicas that ",
                manifest_identity_text(&autoscaler->identity), " (", document_place_text(&autoscaler->place),
                ") sets; remove replicas from the manifest"),
            FINDING_FIELD(&replicas),
        });
}

static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    if (!object->autoscaler || !object->declarer)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_autoscaled_replicas,
            .action = ACTION_DENY,
            .message = text_join(
                review->arena, message_manager(object->declarer), " resets the replicas that ",
                manifest_identity_text(object->autoscaler),
                " sets each time it applies; hand them over, then remove replicas from the manifest"),
            .command = message_command_hand_over(review, replicas, SLICE("hand-over-to-autoscaler")),
            FINDING_FIELD(&replicas),
            .has_writer = true,
            .writer = *object->declarer,
        });
}

const struct rule_definition rule_autoscaled_replicas = {
    .judge_document = judge_document, .judge_object = judge_object};
