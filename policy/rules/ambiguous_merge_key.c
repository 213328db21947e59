#include "policy/message.h"
#include "policy/repeated_items.h"
#include "policy/verdict.h"

static void judge(const struct review *review, struct verdict *verdict)
{
    struct repeated_items *items = arena_allocate(review->arena, sizeof(*items));
    if (!items || !repeated_items_collect(review, REPEATED_MERGE_KEY, items)) {
        verdict->out_of_memory = true;
        return;
    }
    if (!items->total)
        return;
    struct text text = text_start(review->arena, 200);
    message_append_object(&text, review);
    text_append_string(&text, " has several ");
    message_append_fields(&text, items->fields, items->total);
    text_append_string(&text, ", which client-side apply cannot tell apart; apply it server-side");
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_ambiguous_merge_key,
            .action = ACTION_DENY,
            .message = text_slice(&text),
            .fields = items->fields,
            .field_count = items->count,
            .field_total = items->total,
        });
}

const struct rule_definition rule_ambiguous_merge_key = {.judge = judge};
