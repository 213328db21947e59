#include "base/json.h"
#include "policy/analysis/replicas.h"
#include "policy/review/applied.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

/* A number of pods is not secret. */
static void append_count(struct text *text, const struct object_parts *parts, bool becomes_one)
{
    yyjson_val *replicas = json_member(parts->spec, SLICE("replicas"));
    if (replicas || becomes_one)
        text_append_number(text, replicas ? yyjson_get_uint(replicas) : 1);
    else
        text_append_string(text, "the default of its controller");
}

static void judge(const struct review *review, struct verdict *verdict)
{
    static const struct slice field = SLICE_LITERAL(REPLICAS_PATH);
    if (!replicas_dropped(review))
        return;
    struct text text = text_start(review->arena, 160);
    text_append_string(&text, "without replicas, it scales from ");
    append_count(&text, &review->old_parts, true);
    text_append_string(&text, " to ");
    append_count(&text, &review->parts, replicas_become_one(review));
    text_append_string(&text, "; put them back");
    /*
     * kubectl deletes a field that the annotation declares and the manifest does not, even if another manager
     * owns it by then.
     */
    text_append_string(
        &text,
        applied_kind(review) == APPLIED_CLIENT_SIDE
            ? ", remove them with kubectl apply edit-last-applied, then from the manifest"
            : " until an autoscaler has set them");
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_dropped_replicas,
            .action = ACTION_DENY,
            .message = text_slice(&text),
            FINDING_FIELD(&field),
            FINDING_WRITER(review->ownership.writer),
        });
}

const struct rule_definition rule_dropped_replicas = {.judge = judge};
