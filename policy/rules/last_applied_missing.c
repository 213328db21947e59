#include "base/json.h"
#include "policy/analysis/adoption.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

#define NOTHING_IS_DELETED                                                                                   \
    " the last-applied-configuration annotation, so kubectl apply no longer deletes fields that you drop "   \
    "from the manifest; keep it"

/* An object that is applied server-side alone needs the annotation no more: taking it off is tidying up. */
static bool is_needless(const struct ownership *ownership)
{
    return managed_fields_server_side_applied(ownership, &ownership->after) &&
        !managed_fields_client_side_applied(ownership, &ownership->after);
}

/*
 * Of a kubectl apply --server-side the API server keeps the annotation up to date, and leaves it out where it
 * has become too large (managedfields/internal/lastappliedupdater.go). kubectl then takes over what it
 * applied client-side.
 */
static bool is_left_out_by_server(const struct taker *taker)
{
    return taker->manager.operation == MANAGER_APPLY && manager_tool(taker->manager.name) == TOOL_KUBECTL;
}

static void report(
    const struct review *review, struct verdict *verdict, enum action action, const char *before,
    const char *after)
{
    struct text text = text_start(review->arena, 200);
    text_append_string(&text, before);
    message_append_manager(&text, &review->ownership.taker.manager);
    text_append_string(&text, after);
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_missing,
            .action = action,
            .message = text_slice(&text),
            .has_taker = review->ownership.taker.known,
            .taker = review->ownership.taker.manager,
        });
}

/* Every configuration has these, and no apply deletes them. */
static bool is_of_every_object(struct slice name)
{
    return slice_equal(name, SLICE("apiVersion")) || slice_equal(name, SLICE("kind")) ||
        slice_equal(name, SLICE("metadata")) || slice_equal(name, SLICE("status"));
}

/*
 * Whether the annotation no longer declares a whole part of the object that is there and that it declared. An
 * applier writes what its manifest has; anybody else takes from kubectl apply what it needs to know.
 */
static bool is_emptied(const struct review *review)
{
    const struct taker *taker = &review->ownership.taker;
    if (!review->last_applied.written || !taker->known || taker->class == CLASS_APPLIER ||
        taker->class == CLASS_BOOKKEEPING)
        return false;
    yyjson_val *before = applied_annotation_before(review), *after = applied_annotation(review);
    yyjson_obj_iter members;
    if (!after || !yyjson_obj_iter_init(before, &members))
        return false;
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        struct slice name = json_text(key);
        if (!is_of_every_object(name) && !json_member(after, name) && json_member(review->object, name))
            return true;
    }
    return false;
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct ownership *ownership = &review->ownership;
    const struct last_applied *last_applied = &review->last_applied;
    if (!review->old_object)
        return;
    bool is_removed = last_applied->before.bytes && !last_applied->after.bytes;
    /* One that is broken or another object's is no loss: to remove it is to mend it. */
    if (is_removed && !applied_annotation_before(review)) {
        report(
            review, verdict, ACTION_AUDIT, "",
            " removes a last-applied-configuration annotation that kubectl apply could not use");
        return;
    }
    if (is_removed || is_emptied(review)) {
        if (!is_needless(ownership) && !adoption_removes_last_applied(ownership) &&
            !is_left_out_by_server(&ownership->taker))
            report(
                review, verdict, ACTION_DENY, "",
                is_removed ? " removes" NOTHING_IS_DELETED : " empties" NOTHING_IS_DELETED);
        return;
    }
    /* Told to the next client-side apply, which writes it anew. To deny that would leave no way out. */
    bool lost =
        !last_applied->before.bytes && managed_fields_client_side_applied(ownership, &ownership->before);
    if (lost && last_applied->written && ownership->taker.class == CLASS_APPLIER)
        report(
            review, verdict, ACTION_WARN, "the last-applied-configuration annotation was lost; ",
            " writes it again, but fields dropped from the manifest meanwhile stay; delete them by hand");
}

const struct rule_definition rule_last_applied_missing = {.judge = judge};
