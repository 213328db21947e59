#include "policy/analysis/repeated_items.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

/*
 * The configuration that one manager applies client-side, and none server-side, while another writes the
 * object. A server-side applier may be the one who takes the object over.
 */
static yyjson_val *applied_by_another(const struct review *review)
{
    const struct ownership *ownership = &review->ownership;
    enum manager_class class = ownership->writer.class;
    if (!review->old_object || (class != CLASS_AD_HOC && class != CLASS_CONTROLLER) ||
        !review->last_applied.after.bytes ||
        !managed_fields_client_side_applied(ownership, &ownership->before) ||
        managed_fields_server_side_applied(ownership, &ownership->before))
        return NULL;
    return applied_annotation(review);
}

/* The owner of the list applies it client-side; the writer of this request may be another. */
static struct slice describe(
    const struct review *review, const struct repeated_items *items, const struct manager *writer)
{
    bool is_argocd = manager_tool(review->ownership.writer.manager.name) == TOOL_ARGOCD;
    struct text text = text_start(review->arena, 200);
    if (writer) {
        text_append_all(
            &text, message_manager(writer), " repeats ", message_fields(items->fields, items->total));
    } else {
        text_append_all(
            &text, message_fields(items->fields, items->total),
            message_for(items->total, " is repeated", " are repeated"));
    }
    text_append_all(
        &text, ", which is fine, but client-side apply may change the wrong one; ",
        is_argocd ? "set the sync option ServerSideApply=true" : "use --server-side");
    return text_slice(&text);
}

static void report(
    const struct review *review, struct verdict *verdict, const struct repeated_items *items,
    struct slice message)
{
    const struct writer *writer = &review->ownership.writer;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_ambiguous_merge_key,
            .action = writer_ceiling(writer),
            .message = message,
            .fields = items->fields,
            .field_count = items->count,
            .field_total = items->total,
            FINDING_WRITER(*writer),
        });
}

static void judge_applied(const struct review *review, struct verdict *verdict)
{
    const struct repeated_items_applied *applied = repeated_items_applied(review);
    if (applied && applied->by_merge_key.total)
        report(review, verdict, &applied->by_merge_key, describe(review, &applied->by_merge_key, NULL));
    if (applied && applied->lost_by_merge_key.total)
        report(
            review, verdict, &applied->lost_by_merge_key,
            repeated_items_describe_lost(review, &applied->lost_by_merge_key));
}

static void judge_made(const struct review *review, struct verdict *verdict)
{
    yyjson_val *configuration = applied_by_another(review);
    if (!configuration)
        return;
    struct repeated_items *items = arena_allocate(review->arena, sizeof(*items));
    if (!items)
        return;
    repeated_items_collect_made(review, configuration, items);
    if (items->total)
        report(review, verdict, items, describe(review, items, &review->ownership.writer.manager));
}

static void judge(const struct review *review, struct verdict *verdict)
{
    if (applied_kind(review) == APPLIED_CLIENT_SIDE)
        judge_applied(review, verdict);
    else
        judge_made(review, verdict);
}

static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    (void)object;
    if (applied_kind(review) == APPLIED_CLIENT_SIDE)
        judge_applied(review, verdict);
}

const struct rule_definition rule_ambiguous_merge_key = {.judge = judge, .judge_object = judge_object};
