#include "policy/analysis/lost_fields.h"
#include "policy/analysis/shared_fields.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

static struct slice describe(const struct review *review, const struct shared_fields *shared)
{
    struct text text = text_start(review->arena, 256);
    message_append_manager(&text, &review->ownership.writer.manager);
    text_append_string(&text, " sets ");
    message_append_fields(&text, shared->fields, shared->total);
    text_append_string(&text, ", which ");
    message_append_managers(&text, shared->owners, shared->owner_count, shared->owner_count);
    message_append_for(&text, shared->owner_count, " also sets; keep ", " also set; keep ");
    message_append_for(&text, shared->total, "it in one manifest", "each in one manifest");
    return text_slice(&text);
}

static bool loses(const struct conflict_group *conflicts, const struct manager *manager)
{
    for (size_t i = 0; i < conflicts->previous_owner_count; i++) {
        const struct manager *owner = &conflicts->previous_owners[i]->manager;
        if (owner->operation == manager->operation && slice_equal(owner->name, manager->name))
            return true;
    }
    return false;
}

/*
 * Whether ownership-conflict already reports the two with at least the same action: that one of them should
 * declare what both do.
 */
static bool is_reported(
    const struct lost_fields *lost, const struct verdict *verdict, const struct manager *manager)
{
    enum action action = verdict->policy_actions[RULE_multiple_appliers];
    for (size_t i = 0; i < lost->count; i++) {
        const struct lost_fields_group *group = &lost->groups[i];
        if (group->finding.policy_action >= action && loses(group->conflicts, manager))
            return true;
    }
    return false;
}

/* The two ways of applying are mixed-apply's. */
static void find_unreported_appliers(
    const struct review *review, const struct verdict *verdict, struct appliers *others)
{
    const struct lost_fields *lost = lost_fields_find(review, verdict);
    size_t kept = 0;
    appliers_beside_writer(review, false, others);
    for (size_t i = 0; i < others->count; i++) {
        if (!is_reported(lost, verdict, &others->entries[i]->manager))
            others->entries[kept++] = others->entries[i];
    }
    others->count = kept;
}

static void report(const struct review *review, struct verdict *verdict, const struct appliers *others)
{
    if (!others->count)
        return;
    struct shared_fields shared = shared_fields_find(review, verdict, others);
    if (!shared.total)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_multiple_appliers,
            .action = shared.is_news ? ACTION_DENY : ACTION_AUDIT,
            .message = describe(review, &shared),
            .fields = shared.fields,
            .field_count = shared.listed,
            .field_total = shared.total,
            .has_writer = true,
            .writer = review->ownership.writer.manager,
        });
}

static bool applies_beside_others(const struct review *review)
{
    const struct writer *writer = &review->ownership.writer;
    return writer->after && class_applies(writer->class) &&
        ownership_has_other(&review->ownership, CLASS_APPLIER);
}

static void judge(const struct review *review, struct verdict *verdict)
{
    struct appliers others;
    if (!review->old_object || !applies_beside_others(review))
        return;
    find_unreported_appliers(review, verdict, &others);
    report(review, verdict, &others);
}

static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    (void)object;
    struct appliers others;
    if (!applies_beside_others(review))
        return;
    appliers_beside_writer(review, false, &others);
    report(review, verdict, &others);
}

const struct rule_definition rule_multiple_appliers = {.judge = judge, .judge_object = judge_object};
