#include "base/json.h"
#include "policy/analysis/secret_values.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/message_command.h"
#include "policy/verdict/verdict.h"

static bool same_member(const struct review *review, yyjson_val *before, yyjson_val *after, struct slice name)
{
    return json_equal(json_member(before, name), json_member(after, name), review->arena);
}

/* Whether the annotation held the same before: earlier content is reported to appliers only. */
static bool was_there(const struct review *review, yyjson_val *configuration)
{
    yyjson_val *before = last_applied_configuration_before(&review->last_applied);
    return before && same_member(review, before, configuration, SLICE("data")) &&
        same_member(review, before, configuration, SLICE("stringData"));
}

static bool is_to_report(const struct review *review, yyjson_val *configuration)
{
    enum manager_class class = review->ownership.writer.class;
    if (class == CLASS_BOOKKEEPING)
        return false;
    return class == CLASS_APPLIER || !was_there(review, configuration);
}

/* Whether the annotation of a Secret holds secret values. */
static bool holds_data(const struct review *review)
{
    return slice_equal(review->group_kind, SLICE("Secret")) &&
        secret_has_values(applied_annotation(review), review->arena);
}

/* Whether the annotation of the old object holds secret values. */
static bool held_data(const struct review *review)
{
    return secret_has_values(applied_annotation_before(review), review->arena);
}

/* After kubectl apply --server-side, the API server keeps an existing annotation up to date. */
static bool is_server_side(const struct review *review)
{
    return review->ownership.writer.manager.operation == MANAGER_APPLY;
}

/*
 * After a dry run or a denial, the object is as it was before. The policy's action decides under every mode,
 * so that the modes report the same.
 */
static bool is_to_be_stored(
    const struct review *review, const struct verdict *verdict, const struct finding *finding)
{
    struct slice waived_by;
    return !review->dry_run && verdict_policy_action(verdict, finding, &waived_by) != ACTION_DENY;
}

static void append_cleaning(struct text *text, bool holds_values)
{
    text_append_all(text, "delete the annotation", holds_values ? " and rotate the values" : "");
}

/* How an applier avoids the annotation. An annotation that the object has already must be deleted by hand. */
static void append_way_to_apply(struct text *text, const struct review *review, bool is_stored)
{
    bool is_argocd = manager_tool(review->ownership.writer.manager.name) == TOOL_ARGOCD;
    text_append_string(text, is_argocd ? "set the sync option ServerSideApply=true" : "use --server-side");
    if (!is_stored && !review->last_applied.before.bytes)
        return;
    text_append_string(text, ", then ");
    append_cleaning(text, is_stored || held_data(review));
}

static void append_way_to_write(struct text *text, const struct review *review, bool is_stored)
{
    if (is_stored)
        append_cleaning(text, true);
    else
        text_append_string(
            text, review->last_applied.before.bytes ? "leave the annotation as it is" : "leave it out");
}

static struct slice describe(const struct review *review, bool is_stored)
{
    struct text text = text_start(review->arena, 200);
    if (is_server_side(review)) {
        text_append_string(&text, "its last-applied annotation still holds the secret values; delete it now");
        return text_slice(&text);
    }
    text_append_all(
        &text, message_manager(&review->ownership.writer.manager),
        " copies the secret values into its last-applied annotation; ");
    if (review->ownership.writer.class == CLASS_APPLIER)
        append_way_to_apply(&text, review, is_stored);
    else
        append_way_to_write(&text, review, is_stored);
    return text_slice(&text);
}

/* Of a stored object that kubectl applies client-side. kubectl writes no annotation server-side. */
static struct slice command_to_move(const struct review *review)
{
    struct slice move = message_command_migrate_kubectl(review, &review->ownership.writer.manager);
    struct slice removal = message_command_remove_last_applied(review);
    if (!move.length || !removal.length)
        return removal;
    return text_join(review->arena, move, " | sh && ", removal);
}

static struct slice describe_stored(const struct review *review, bool is_kubectl)
{
    bool is_argocd = manager_tool(review->ownership.writer.manager.name) == TOOL_ARGOCD;
    return text_join(
        review->arena, message_manager(&review->ownership.writer.manager),
        " copied the secret values into its last-applied annotation; ",
        is_kubectl      ? "move it to server-side apply, rotate the values"
            : is_argocd ? "set the sync option ServerSideApply=true, rotate the values"
                        : "rotate the values",
        " and delete the annotation");
}

static void judge(const struct review *review, struct verdict *verdict)
{
    if (!review->last_applied.written || !holds_data(review) ||
        !is_to_report(review, applied_annotation(review)))
        return;
    struct finding finding = {
        .rule = RULE_last_applied_secret,
        /* To deny the server-side apply would close the way out. */
        .action = is_server_side(review) ? ACTION_WARN : ACTION_DENY,
        .command = is_server_side(review) ? message_command_remove_last_applied(review) : SLICE(""),
        FINDING_WRITER(review->ownership.writer),
    };
    finding.message = describe(review, is_to_be_stored(review, verdict, &finding));
    verdict_add(verdict, &finding);
}

static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    (void)object;
    if (!holds_data(review))
        return;
    bool is_applied = applied_kind(review) == APPLIED_CLIENT_SIDE;
    bool is_kubectl = is_applied && entry_tool(review->ownership.writer.after) == TOOL_KUBECTL_CLIENT_SIDE;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_secret,
            .action = ACTION_DENY,
            .message = is_applied
                ? describe_stored(review, is_kubectl)
                : SLICE("its last-applied annotation still holds the secret values; delete it now"),
            .command = is_kubectl ? command_to_move(review) : message_command_remove_last_applied(review),
        });
}

const struct rule_definition rule_last_applied_secret = {.judge = judge, .judge_object = judge_object};
