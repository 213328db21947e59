#include "policy/analysis/applications.h"
#include "policy/analysis/lost_fields.h"
#include "policy/analysis/shared_fields.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/message_command.h"
#include "policy/verdict/verdict.h"

/* With more of them, the message names the tools alone. */
#define NAMED_OWNERS_MAX 2

/* "Flux (Kustomization flux-system/apps)" */
static void append_applier(
    struct text *text, const struct review *review, const struct managed_fields_entry *entry)
{
    struct application application;
    text_append_all(text, message_manager(&entry->manager));
    if (!application_find(review, entry, &application))
        return;
    text_append_all(text, " (", application.kind, " ");
    if (application.namespace.length)
        text_append_all(text, message_marked(application.namespace), "/");
    text_append_all(text, message_marked(application.name), ")");
}

static void append_owner(
    struct text *text, const struct review *review, const struct appliers *others,
    const struct manager *owner)
{
    for (size_t i = 0; i < others->count; i++) {
        if (manager_equal(&others->entries[i]->manager, owner)) {
            append_applier(text, review, others->entries[i]);
            return;
        }
    }
    text_append_all(text, message_manager(owner));
}

static void append_owners(
    struct text *text, const struct review *review, const struct appliers *others,
    const struct shared_fields *shared)
{
    for (size_t i = 0; i < shared->owner_count; i++) {
        text_append_string(text, i ? " and " : "");
        append_owner(text, review, others, &shared->owners[i]);
    }
}

static bool has_operator(const struct review *review, const struct shared_fields *shared)
{
    return manager_is_operator(&review->ownership.writer.manager) ||
        managers_have_operator(shared->owners, shared->owner_count);
}

static struct slice describe(
    const struct review *review, const struct appliers *others, const struct shared_fields *shared)
{
    struct text text = text_start(review->arena, 256);
    /* A request has one applier, which knows its own application; only a stored object shows both alike. */
    bool is_stored = !review->old_object;
    if (is_stored)
        append_applier(&text, review, review->ownership.writer.after);
    else
        text_append_all(&text, message_manager(&review->ownership.writer.manager));
    text_append_all(&text, " sets ", message_fields(shared->fields, shared->total), ", which ");
    if (is_stored && shared->owner_count <= NAMED_OWNERS_MAX)
        append_owners(&text, review, others, shared);
    else
        text_append_all(&text, message_managers(shared->owners, shared->owner_count, shared->owner_count));
    text_append_all(
        &text, message_for(shared->owner_count, " also sets; ", " also set; "),
        message_keep_one(shared->total, has_operator(review, shared)));
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
            .message = describe(review, others, &shared),
            .command = verdict->is_stored ? message_command_blame(review) : SLICE(""),
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
