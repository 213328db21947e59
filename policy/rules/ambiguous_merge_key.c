#include "policy/analysis/repeated_items.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

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

static void append_what_follows(struct text *text)
{
    text_append_string(
        text,
        "; kubectl apply cannot tell these entries apart and may change the wrong one; use kubectl apply "
        "--server-side");
}

static struct slice describe_applied(const struct review *review, const struct repeated_items *items)
{
    struct text text = text_start(review->arena, 200);
    text_append_string(&text, "the manifest repeats ");
    message_append_fields(&text, items->fields, items->total);
    append_what_follows(&text);
    return text_slice(&text);
}

static struct slice describe_made(const struct review *review, const struct repeated_items *items)
{
    struct text text = text_start(review->arena, 200);
    message_append_manager(&text, &review->ownership.taker.manager);
    text_append_string(&text, " repeats ");
    message_append_fields(&text, items->fields, items->total);
    append_what_follows(&text);
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
            .action = taker_ceiling(taker),
            .message = message,
            .fields = items->fields,
            .field_count = items->count,
            .field_total = items->total,
            .has_taker = taker->known,
            .taker = taker->manager,
        });
}

static void judge_applied(const struct review *review, struct verdict *verdict)
{
    const struct repeated_items_applied *applied = repeated_items_applied(review);
    if (!applied)
        verdict->out_of_memory = true;
    else if (applied->by_merge_key.total)
        report(review, verdict, &applied->by_merge_key, describe_applied(review, &applied->by_merge_key));
}

static void judge_made(const struct review *review, struct verdict *verdict)
{
    yyjson_val *configuration = applied_by_another(review);
    if (!configuration)
        return;
    struct repeated_items *items = arena_allocate(review->arena, sizeof(*items));
    if (!items || !repeated_items_collect_made(review, configuration, items))
        verdict->out_of_memory = true;
    else if (items->total)
        report(review, verdict, items, describe_made(review, items));
}

static void judge(const struct review *review, struct verdict *verdict)
{
    if (applied_kind(review) == APPLIED_CLIENT_SIDE)
        judge_applied(review, verdict);
    else
        judge_made(review, verdict);
}

const struct rule_definition rule_ambiguous_merge_key = {.judge = judge};
