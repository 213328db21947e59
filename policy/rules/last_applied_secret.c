#include "policy/json.h"
#include "policy/message.h"
#include "policy/review.h"
#include "policy/verdict.h"

static bool holds(yyjson_val *configuration, struct slice member)
{
    return yyjson_obj_size(json_member(configuration, member)) > 0;
}

/* Whoever writes the annotation puts the data there: a later label or edit that leaves it alone does not. */
static void judge(const struct review *review, struct verdict *verdict)
{
    if (!slice_equal(review->group_kind, SLICE("Secret")) || !review->last_applied.written)
        return;
    yyjson_val *configuration = last_applied_configuration(&review->last_applied);
    if (!holds(configuration, SLICE("data")) && !holds(configuration, SLICE("stringData")))
        return;
    struct text text = text_start(review->arena, 200);
    message_append_manager(&text, &review->ownership.taker.manager);
    text_append_string(&text, " writes the data of ");
    message_append_object(&text, review);
    text_append_string(
        &text, " into last-applied-configuration; apply it server-side and remove the annotation");
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_secret,
            .action = ACTION_DENY,
            .message = text_slice(&text),
            .has_taker = review->ownership.taker.known,
            .taker = review->ownership.taker.manager,
        });
}

const struct rule_definition rule_last_applied_secret = {.judge = judge};
