#include "policy/analysis/adoption.h"
#include "policy/analysis/emptied_configuration.h"
#include "policy/analysis/secret_values.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/message_command.h"
#include "policy/verdict/verdict.h"

enum loss { LOSS_NONE, LOSS_REMOVED, LOSS_EMPTIED, LOSS_EMPTIED_IN_PARTS, LOSS_OVERWRITTEN };

/* An object that is applied server-side alone needs the annotation no more: taking it off is tidying up. */
static bool is_needless(const struct ownership *ownership, const struct managed_fields *side)
{
    return managed_fields_server_side_applied(ownership, side) &&
        !managed_fields_client_side_applied(ownership, side);
}

/*
 * After kubectl apply --server-side, the API server keeps the annotation up to date, and omits it once it is
 * too large (managedfields/internal/lastappliedupdater.go). kubectl then takes over what it applied
 * client-side.
 */
static bool is_left_out_by_server(const struct writer *writer)
{
    return writer->manager.operation == MANAGER_APPLY && manager_tool(writer->manager.name) == TOOL_KUBECTL;
}

/* kubectl apply never removes its own. */
static bool is_own(const struct ownership *ownership, const struct managed_fields_entry *entry)
{
    return entry_tool(entry) != TOOL_KUBECTL_CLIENT_SIDE &&
        manager_is_same_tool(entry->manager.name, ownership->writer.manager.name);
}

/*
 * Whether an applier writes the whole object without an annotation, as kapp and Argo CD with Replace=true do:
 * over its own, over that of a tool from which it adopts the object, or over that of a kubectl apply since.
 */
static bool is_replaced_by_applier(const struct ownership *ownership)
{
    for (size_t i = 0; i < ownership->before.count && ownership->writer.class == CLASS_APPLIER; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        if (entry_owns_last_applied(entry) &&
            (is_own(ownership, entry) || adoption_from(ownership, entry) != ADOPTION_NONE))
            return true;
    }
    return false;
}

static void report(
    const struct review *review, struct verdict *verdict, enum action action, const struct text *text,
    struct slice command)
{
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_missing,
            .action = action,
            .message = text_slice(text),
            .command = command,
            FINDING_WRITER(review->ownership.writer),
        });
}

static void report_loss(const struct review *review, struct verdict *verdict, enum loss loss)
{
#define OF_ALL " the last-applied annotation, so the next kubectl apply deletes nothing; "
    static const char *const words[] = {
        [LOSS_REMOVED] = " removes" OF_ALL,
        [LOSS_EMPTIED] = " empties" OF_ALL,
        [LOSS_EMPTIED_IN_PARTS] = " empties parts of the last-applied annotation, so the next kubectl apply "
                                  "deletes nothing there; ",
        [LOSS_OVERWRITTEN] = " overwrites" OF_ALL,
    };
    /* kubectl replace --save-config keeps it, too, but ownership-conflict denies that where values change. */
    bool is_replaced = slice_equal(review->ownership.writer.manager.name, SLICE("kubectl-replace"));
    struct text text = text_start(review->arena, 200);
    text_append_all(
        &text, message_manager(&review->ownership.writer.manager), words[loss],
        is_replaced                         ? "use kubectl apply"
            : loss == LOSS_EMPTIED_IN_PARTS ? "keep them"
                                            : "keep it");
    report(review, verdict, loss == LOSS_OVERWRITTEN ? ACTION_WARN : ACTION_DENY, &text, SLICE(""));
}

static void report_useless(const struct review *review, struct verdict *verdict)
{
    struct text text = text_start(review->arena, 200);
    text_append_all(
        &text, message_manager(&review->ownership.writer.manager),
        " removes a last-applied annotation that kubectl apply could not use");
    report(review, verdict, ACTION_AUDIT, &text, SLICE(""));
}

static void report_gap(const struct review *review, struct verdict *verdict)
{
    struct text text = text_start(review->arena, 200);
    text_append_all(
        &text, "the last-applied annotation was gone, so ",
        message_manager(&review->ownership.writer.manager), " deletes nothing this time; find leftovers");
    report(review, verdict, ACTION_WARN, &text, message_command_blame(review));
}

/* Whether another tool's configuration was in the annotation: an applier goes by its own. */
static bool takes_annotation(const struct ownership *ownership)
{
    for (size_t i = 0; i < ownership->before.count; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        if (entry_owns_last_applied(entry) &&
            !manager_is_same_tool(entry->manager.name, ownership->writer.manager.name))
            return true;
    }
    return false;
}

/* kubectl apply set-last-applied goes by this name, and may declare less on purpose. */
static bool may_set_last_applied(const struct manager *manager)
{
    return slice_equal(manager->name, SLICE("kubectl")) || slice_equal(manager->name, SLICE("kubectl.exe"));
}

/* Whether the annotation no longer declares a part of the object that is there and that it declared. */
static enum loss loss_of(const struct review *review)
{
    const struct ownership *ownership = &review->ownership;
    const struct writer *writer = &ownership->writer;
    if (!review->last_applied.written || !writer->known || is_left_out_by_server(writer))
        return LOSS_NONE;
    if (writer->class == CLASS_APPLIER)
        return takes_annotation(ownership) && configuration_is_emptied(review, PARTS_ALL) ? LOSS_OVERWRITTEN
                                                                                          : LOSS_NONE;
    if (configuration_is_emptied(review, PARTS_WHOLE))
        return LOSS_EMPTIED;
    bool may_be_meant = may_set_last_applied(&writer->manager);
    return !may_be_meant && configuration_is_emptied(review, PARTS_ALL) ? LOSS_EMPTIED_IN_PARTS : LOSS_NONE;
}

static bool is_removed(const struct review *review)
{
    return review->last_applied.before.bytes && !review->last_applied.after.bytes;
}

/* last-applied-secret asks people to remove an annotation with secret values. */
static bool is_secret_removed(const struct review *review)
{
    return is_removed(review) && slice_equal(review->group_kind, SLICE("Secret")) &&
        secret_has_values(applied_annotation_before(review), review->arena);
}

/* Another tool applies the object now: last-applied-drift asks people to remove what kubectl left there. */
static bool is_of_former_apply(const struct ownership *ownership)
{
    for (size_t i = 0; i < ownership->before.count; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        if (entry_applies_client_side(ownership, entry) && entry_tool(entry) != TOOL_KUBECTL_CLIENT_SIDE)
            return false;
    }
    return adoption_has_settled(ownership);
}

static bool is_harmless(const struct review *review, enum loss loss)
{
    const struct ownership *ownership = &review->ownership;
    /* A manager that overwrites the annotation owns it afterwards. */
    bool is_before = loss != LOSS_REMOVED;
    return is_needless(ownership, is_before ? &ownership->before : &ownership->after) ||
        adoption_removes_last_applied(ownership) || is_left_out_by_server(&ownership->writer) ||
        (loss == LOSS_REMOVED && (is_replaced_by_applier(ownership) || is_of_former_apply(ownership)));
}

/*
 * Whether a client-side apply writes the annotation again that was lost before. To deny that would leave no
 * way out.
 */
static bool is_restored(const struct review *review)
{
    const struct ownership *ownership = &review->ownership;
    return !review->last_applied.before.bytes && review->last_applied.written &&
        ownership->writer.class == CLASS_APPLIER &&
        managed_fields_client_side_applied(ownership, &ownership->before);
}

static void judge(const struct review *review, struct verdict *verdict)
{
    if (!review->old_object || is_secret_removed(review))
        return;
    /* An annotation that is broken or another object's is not a loss: to remove it is to mend it. */
    if (is_removed(review) && !applied_annotation_before(review)) {
        report_useless(review, verdict);
        return;
    }
    enum loss loss = is_removed(review) ? LOSS_REMOVED : loss_of(review);
    if (loss && !is_harmless(review, loss))
        report_loss(review, verdict, loss);
    else if (!loss && is_restored(review))
        report_gap(review, verdict);
}

/*
 * A stored object that kubectl applies client-side, and nothing applies server-side. A tool that is not
 * kubectl by name is known by the annotation alone.
 */
static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    const struct ownership *ownership = &review->ownership;
    const struct managed_fields_entry *applier = ownership->writer.after;
    (void)object;
    if (!applier || entry_tool(applier) != TOOL_KUBECTL_CLIENT_SIDE || review->last_applied.after.bytes ||
        managed_fields_server_side_applied(ownership, &ownership->after))
        return;
    struct text text = text_start(review->arena, 200);
    text_append_string(
        &text,
        "the last-applied annotation is gone, so the next kubectl apply deletes nothing; move it to "
        "server-side apply");
    report(review, verdict, ACTION_WARN, &text, message_command_migrate_kubectl(review, &applier->manager));
}

const struct rule_definition rule_last_applied_missing = {.judge = judge, .judge_object = judge_object};
