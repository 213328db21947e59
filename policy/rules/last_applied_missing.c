#include "base/json.h"
#include "policy/analysis/adoption.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

/* An object that is applied server-side alone needs the annotation no more: taking it off is tidying up. */
static bool is_needless(const struct ownership *ownership)
{
    return managed_fields_server_side_applied(ownership, &ownership->after) &&
        !managed_fields_client_side_applied(ownership, &ownership->after);
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

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct ownership *ownership = &review->ownership;
    const struct last_applied *last_applied = &review->last_applied;
    if (!review->old_object)
        return;
    if (last_applied->before.bytes && !last_applied->after.bytes) {
        if (!is_needless(ownership) && !adoption_removes_last_applied(ownership))
            report(
                review, verdict, ACTION_DENY, "",
                " removes the last-applied-configuration annotation, so kubectl apply no longer deletes "
                "fields that you drop from the manifest; keep it");
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
