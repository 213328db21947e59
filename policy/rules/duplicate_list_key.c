#include "policy/analysis/repeated_items.h"
#include "policy/review/applied.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

/* The API server itself refuses them in a server-side apply. */
static void judge(const struct review *review, struct verdict *verdict)
{
    if (applied_kind(review) != APPLIED_CLIENT_SIDE)
        return;
    const struct repeated_items_applied *applied = repeated_items_applied(review);
    if (!applied) {
        verdict->out_of_memory = true;
        return;
    }
    const struct repeated_items *items = &applied->by_key;
    if (!items->total)
        return;
    struct text text = text_start(review->arena, 200);
    text_append_string(&text, "the manifest lists ");
    message_append_fields(&text, items->fields, items->total);
    text_append_string(&text, " twice; delete one now, because deleting one later removes both");
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_duplicate_list_key,
            .action = ACTION_DENY,
            .message = text_slice(&text),
            .fields = items->fields,
            .field_count = items->count,
            .field_total = items->total,
        });
}

const struct rule_definition rule_duplicate_list_key = {.judge = judge};
