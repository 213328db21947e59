#include "base/json.h"
#include "policy/analysis/shared_fields.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/message_command.h"
#include "policy/verdict/verdict.h"

/*
 * kubectl moves the ownership of the annotation's owner to the server-side applier right after the apply
 * (kubectl apply.go, migrateToSSAIfNecessary). With another name, kubectl cannot be distinguished from other
 * tools, so only the first apply counts as kubectl's.
 */
static bool will_be_migrated(const struct writer *writer, const struct managed_fields_entry *client_side)
{
    return writer->manager.operation == MANAGER_APPLY &&
        slice_equal(writer->manager.name, SLICE("kubectl")) && entry_owns_last_applied(client_side);
}

static void leave_out_migrated(const struct writer *writer, struct appliers *others)
{
    size_t kept = 0;
    for (size_t i = 0; i < others->count; i++) {
        if (!will_be_migrated(writer, others->entries[i]))
            others->entries[kept++] = others->entries[i];
    }
    others->count = kept;
}

/* The others apply client-side: of a tool that does both, its name alone would say nothing. */
static struct slice describe_to_server_side(
    const struct review *review, const struct shared_fields *shared, bool dropped)
{
    return text_join(
        review->arena, message_manager(&review->ownership.writer.manager),
        dropped ? " drops " : " cannot delete ", message_fields(shared->fields, shared->total),
        dropped ? ", but " : ", because ",
        message_managers(shared->owners, shared->owner_count, shared->owner_count), " (client-side)",
        message_for(shared->owner_count, " still owns ", " still own "),
        message_for(shared->total, "it", "them"),
        message_for(shared->total, "; hand it over", "; hand them over"));
}

/* How the client-side applier comes to apply server-side, too. */
static void append_one_way(struct text *text, const struct review *review)
{
    switch (manager_tool(review->ownership.writer.manager.name)) {
    case TOOL_KUBECTL_CLIENT_SIDE:
        text_append_string(text, "use --server-side");
        return;
    case TOOL_ARGOCD:
        text_append_string(text, "set the sync option ServerSideApply=true");
        return;
    default:
        text_append_string(text, "apply it in one way only");
    }
}

static struct slice describe_to_client_side(const struct review *review, const struct shared_fields *shared)
{
    struct text text = text_start(review->arena, 256);
    text_append_all(
        &text, message_managers(shared->owners, shared->owner_count, shared->owner_count),
        message_for(shared->owner_count, " applies it server-side, and ", " apply it server-side, and "),
        message_manager(&review->ownership.writer.manager), " client-side, so ",
        message_fields(shared->fields, shared->total),
        message_for(shared->total, " stays once dropped; ", " stay once dropped; "));
    append_one_way(&text, review);
    return text_slice(&text);
}

static void report(
    const struct review *review, struct verdict *verdict, const struct shared_fields *shared,
    enum action action, struct slice message, struct slice command)
{
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_mixed_apply,
            .action = action,
            .message = message,
            .command = command,
            .fields = shared->fields,
            .field_count = shared->listed,
            .field_total = shared->total,
            .has_writer = true,
            .writer = review->ownership.writer.manager,
        });
}

static void report_server_side(
    const struct review *review, struct verdict *verdict, const struct shared_fields *shared, bool dropped)
{
    if (shared->total)
        report(
            review, verdict, shared, shared->is_news ? ACTION_DENY : ACTION_AUDIT,
            describe_to_server_side(review, shared, dropped),
            message_command_migrate(
                review, shared->owners, shared->owner_count, &review->ownership.writer.manager));
}

static void report_shared(const struct review *review, struct verdict *verdict, const struct appliers *others)
{
    struct shared_fields shared = shared_fields_find(review, verdict, others);
    report_server_side(review, verdict, &shared, false);
}

/* A field that it drops in vain is always reported. */
static void judge_server_side(
    const struct review *review, struct verdict *verdict, const struct appliers *others)
{
    struct shared_fields dropped = shared_fields_find_dropped(review, verdict, others);
    if (dropped.total)
        report_server_side(review, verdict, &dropped, true);
    else
        report_shared(review, verdict, others);
}

static void judge_client_side(
    const struct review *review, struct verdict *verdict, const struct appliers *others)
{
    struct shared_fields shared = shared_fields_find(review, verdict, others);
    if (shared.total)
        report(
            review, verdict, &shared, shared.is_news ? ACTION_DENY : ACTION_AUDIT,
            describe_to_client_side(review, &shared), SLICE(""));
}

/* The appliers that apply the object in another way than its writer. Returns false if none do. */
static bool find_others(const struct review *review, struct appliers *others)
{
    const struct writer *writer = &review->ownership.writer;
    if (!writer->after || !class_applies(writer->class) ||
        !ownership_has_other(&review->ownership, CLASS_APPLIER))
        return false;
    appliers_beside_writer(review, true, others);
    leave_out_migrated(writer, others);
    return others->count > 0;
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct writer *writer = &review->ownership.writer;
    struct appliers others;
    if (!writer->before || !find_others(review, &others))
        return;
    if (writer->manager.operation == MANAGER_APPLY)
        judge_server_side(review, verdict, &others);
    else
        judge_client_side(review, verdict, &others);
}

static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    (void)object;
    struct appliers others;
    if (!find_others(review, &others))
        return;
    if (review->ownership.writer.manager.operation == MANAGER_APPLY)
        report_shared(review, verdict, &others);
    else
        judge_client_side(review, verdict, &others);
}

const struct rule_definition rule_mixed_apply = {.judge = judge, .judge_object = judge_object};
