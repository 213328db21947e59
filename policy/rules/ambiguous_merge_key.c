#include "policy/applied.h"
#include "policy/message.h"
#include "policy/repeated_items.h"
#include "policy/verdict.h"

/*
 * What somebody declares client-side and nobody server-side, as somebody else writes the object. A
 * server-side applier may be the one who takes the object over.
 */
static yyjson_val *applied_by_another(const struct review *review)
{
    const struct ownership *ownership = &review->ownership;
    enum manager_class class = ownership->taker.class;
    if (!review->old_object || (class != CLASS_AD_HOC && class != CLASS_CONTROLLER) ||
        !review->last_applied.after.bytes ||
        !managed_fields_client_side_applied(ownership, &ownership->before) ||
        managed_fields_server_side_applied(ownership, &ownership->before))
        return NULL;
    return applied_annotation(review);
}

static struct slice describe_applied(const struct review *review, const struct repeated_items *items)
{
    struct text text = text_start(review->arena, 200);
    message_append_object(&text, review);
    text_append_string(&text, " has several ");
    message_append_fields(&text, items->fields, items->total);
    text_append_string(&text, ", which client-side apply cannot tell apart; apply it server-side");
    return text_slice(&text);
}

static struct slice describe_made(const struct review *review, const struct repeated_items *items)
{
    struct text text = text_start(review->arena, 200);
    message_append_manager(&text, &review->ownership.taker.manager);
    text_append_string(&text, " makes several ");
    message_append_fields(&text, items->fields, items->total);
    text_append_string(&text, ", which the next client-side apply cannot tell apart; apply it server-side");
    return text_slice(&text);
}

static void report(
    const struct review *review, struct verdict *verdict, const struct repeated_items *items,
    struct slice message)
{
    const struct taker *taker = &review->ownership.taker;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_ambiguous_merge_key,
            /* Denied, a controller would only try again and again. */
            .action = taker->class == CLASS_CONTROLLER ? ACTION_WARN : ACTION_DENY,
            .message = message,
            .fields = items->fields,
            .field_count = items->count,
            .field_total = items->total,
            .has_taker = taker->known,
            .taker = taker->manager,
        });
}

static void judge(const struct review *review, struct verdict *verdict)
{
    bool applied = applied_kind(review) == APPLIED_CLIENT_SIDE;
    yyjson_val *of_another = applied ? NULL : applied_by_another(review);
    if (!applied && !of_another)
        return;
    struct repeated_items *items = arena_allocate(review->arena, sizeof(*items));
    bool collected = items &&
        (applied ? repeated_items_collect(review, REPEATED_MERGE_KEY, items)
                 : repeated_items_collect_made(review, of_another, items));
    if (!collected) {
        verdict->out_of_memory = true;
        return;
    }
    if (items->total)
        report(
            review, verdict, items, applied ? describe_applied(review, items) : describe_made(review, items));
}

const struct rule_definition rule_ambiguous_merge_key = {.judge = judge};
