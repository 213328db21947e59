#include "base/json.h"
#include "base/json_each.h"
#include "policy/review/applied.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/message_command.h"
#include "policy/verdict/verdict.h"

static void append_named_object(struct text *text, const struct object_parts *object)
{
    struct slice namespace = json_text(object->metadata.namespace);
    text_append_all(
        text, message_marked(json_text(object->kind)), " ",
        as_qualified(message_append_marked, namespace, json_text(object->metadata.name)));
}

/*
 * Whether the configuration is that of an owner of the object: controllers copy an object's annotations to
 * what they make for it, as kube-controller-manager to ControllerRevisions and KEDA to autoscalers. Nobody
 * applies these.
 */
static bool is_of_owner(const struct review *review, const struct object_parts *named)
{
    struct slice kind = json_text(named->kind), name = json_text(named->metadata.name);
    json_each_item(owner, json_member(review->parts.metadata.value, SLICE("ownerReferences"))) {
        if (name.length && slice_equal(json_text(json_member(owner, SLICE("kind"))), kind) &&
            slice_equal(json_text(json_member(owner, SLICE("name"))), name))
            return true;
    }
    return false;
}

/* A controller copies what it is given; no person who could fix that reads its warnings. */
static enum action action_for(const struct writer *writer)
{
    return writer->known && class_is_unattended(writer->class) ? ACTION_AUDIT : ACTION_DENY;
}

/* Only what this request wrote is its doing; a later writer of the object is not to blame. */
static void judge(const struct review *review, struct verdict *verdict)
{
    if (!review->last_applied.written || applied_annotation(review))
        return;
    yyjson_val *configuration = last_applied_configuration(&review->last_applied);
    struct object_parts named;
    object_parts_read(&named, configuration);
    if (is_of_owner(review, &named))
        return;
    struct text text = text_start(review->arena, 200);
    text_append_all(&text, message_manager(&review->ownership.writer.manager));
    if (configuration) {
        text_append_string(&text, " copies the last-applied annotation from ");
        append_named_object(&text, &named);
        text_append_string(&text, "; delete the copied annotation");
    } else {
        text_append_string(
            &text,
            " writes a last-applied annotation that is not a JSON object, so kubectl apply fails; leave "
            "it to kubectl apply");
    }
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_invalid,
            .action = action_for(&review->ownership.writer),
            .message = text_slice(&text),
            FINDING_WRITER(review->ownership.writer),
        });
}

/* An object that a cluster stores: the annotation is all that is known of its writer. */
static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    (void)object;
    struct object_parts named;
    object_parts_read(&named, last_applied_configuration(&review->last_applied));
    if (!review->last_applied.after.bytes || applied_annotation(review) || is_of_owner(review, &named))
        return;
    struct text text = text_start(review->arena, 200);
    if (named.kind || named.metadata.value) {
        text_append_string(&text, "its last-applied annotation is that of ");
        append_named_object(&text, &named);
        text_append_string(&text, ", so kubectl apply compares with the wrong manifest; delete it");
    } else {
        text_append_string(
            &text, "its last-applied annotation is not a JSON object, so kubectl apply fails; delete it");
    }
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_invalid,
            .action = ACTION_DENY,
            .message = text_slice(&text),
            .command = message_command_remove_last_applied(review),
        });
}

const struct rule_definition rule_last_applied_invalid = {.judge = judge, .judge_object = judge_object};
