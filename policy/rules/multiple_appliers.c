#include "policy/message.h"
#include "policy/review.h"
#include "policy/shared_fields.h"
#include "policy/verdict.h"

static struct slice describe(const struct review *review, const struct shared_fields *shared)
{
    struct text text = text_start(review->arena, 256);
    message_append_manager(&text, &review->ownership.taker.manager);
    text_append_string(&text, " owns ");
    message_append_fields(&text, shared->fields, shared->total);
    text_append_string(&text, " together with ");
    message_append_managers(&text, shared->owners, shared->owner_count, shared->owner_count);
    text_append_string(&text, "; let only one of them declare each field");
    return text_slice(&text);
}

/* Whether ownership-conflict has said as much, or more, of the two: that one of them should declare what both
 * do. */
static bool is_told_of(const struct verdict *verdict, const struct manager *manager)
{
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        if (finding->rule != RULE_ownership_conflict ||
            finding->action < verdict->actions[RULE_multiple_appliers])
            continue;
        for (size_t j = 0; j < finding->loser_count; j++) {
            if (finding->losers[j].operation == manager->operation &&
                slice_equal(finding->losers[j].name, manager->name))
                return true;
        }
    }
    return false;
}

/* The two ways of applying are mixed-apply's. */
static struct appliers appliers_not_told_of(const struct review *review, const struct verdict *verdict)
{
    struct appliers all = appliers_beside_taker(review, false);
    struct appliers kept;
    appliers_start(&kept, all.too_many);
    for (size_t i = 0; i < all.count; i++) {
        if (!is_told_of(verdict, &all.entries[i]->manager))
            kept.entries[kept.count++] = all.entries[i];
    }
    return kept;
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct taker *taker = &review->ownership.taker;
    if (!review->old_object || !taker->after || taker->class != CLASS_APPLIER ||
        review->ownership.after.count < 2)
        return;
    struct appliers others = appliers_not_told_of(review, verdict);
    if (!others.count)
        return;
    struct shared_fields shared = shared_fields_find(review, verdict, taker->after, &others, NULL);
    if (!shared.total)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_multiple_appliers,
            .action = ACTION_DENY,
            .message = describe(review, &shared),
            .fields = shared.fields,
            .field_count = shared.listed,
            .field_total = shared.total,
            .has_taker = true,
            .taker = taker->manager,
        });
}

const struct rule_definition rule_multiple_appliers = {.judge = judge};
