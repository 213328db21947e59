#include "audit/mutation.h"
#include "base/json.h"
#include "base/json_append.h"
#include "base/json_each.h"
#include "commands/replay/conflict.h"
#include "commands/replay/replay.h"
#include "policy/verdict/encode_finding.h"

static void append_true(struct text *text, const char *name, bool value)
{
    if (value)
        json_append_bool(text, name, true);
}

static void append_request(struct text *text, const struct replay_write *write)
{
    const struct audit_event *event = write->event;
    json_append_member_if_any(text, "time", write->time);
    json_append_member_if_any(text, "auditID", event->id);
    json_append_member_if_any(text, "user", event->user);
    json_append_member_if_any(text, "impersonator", event->impersonator);
    json_append_member_if_any(text, "userAgent", event->user_agent);
    json_append_member_if_any(text, "verb", event->verb);
    json_append_member_if_any(text, "kind", write->kind);
    json_append_member_if_any(text, "resource", write->resource);
    json_append_member_if_any(text, "namespace", event->object.namespace);
    json_append_member_if_any(text, "name", write->name);
    json_append_member_if_any(text, "subresource", event->object.subresource);
    json_append_member_if_any(text, "manager", write->manager);
    if (write->has_class)
        json_append_member_if_any(text, "class", slice_of(manager_class_name(write->class)));
    append_true(text, "force", event->is_forced);
    append_true(text, "dryRun", event->is_dry_run);
    json_append_number_if_any(text, "code", event->code);
}

static void append_conflicts(struct text *text, const struct replay_write *write)
{
    if (!write->causes)
        return;
    json_append_open(text, "conflicts", "[");
    json_each_item(cause, write->causes) {
        const struct replay_conflict conflict = replay_conflict_of(cause, text->arena);
        json_append_open(text, NULL, "{");
        json_append_member_if_any(text, "path", conflict.path);
        json_append_member_if_any(text, "manager", conflict.manager);
        json_append_member_if_any(text, "operation", slice_of(manager_operation_name(conflict.operation)));
        text_append_string(text, "}");
    }
    text_append_string(text, "]");
}

static void append_mutations(struct text *text, const struct replay_write *write)
{
    struct audit_mutations mutations = audit_mutations_of(write->event);
    struct audit_mutation mutation;
    bool has_any = false;
    while (audit_next_mutation(&mutations, text->arena, &mutation)) {
        text_append_string(text, has_any ? ",{" : ",\"mutatedBy\":[{");
        json_append_member_if_any(text, "configuration", mutation.configuration);
        json_append_member_if_any(text, "webhook", mutation.webhook);
        text_append_string(text, "}");
        has_any = true;
    }
    text_append_string(text, has_any ? "]" : "");
}

/* In the form of the rules' findings. */
static void append_index_patch(struct text *text, const struct replay_write *write)
{
    const char *action = action_name(write->index_action);
    json_append_open(text, NULL, "{");
    json_append_exact(text, "rule", SLICE(REPLAY_INDEX_PATCH));
    json_append_exact(text, "action", slice_of(action));
    json_append_exact(text, "policyAction", slice_of(action));
    json_append_exact(text, "message", write->index_message);
    json_append_list(text, "fields", (struct slice_list){&write->index_patch->path, 1});
    text_append_string(text, "}");
}

static void append_findings(
    struct text *text, const struct replay_write *write, const struct verdict *verdict)
{
    const struct finding *finding = replay_next_finding(write, verdict, NULL);
    json_append_bool(text, "allowed", replay_is_allowed(write, verdict));
    if (!finding && !write->index_patch)
        return;
    json_append_open(text, "findings", "[");
    for (; finding; finding = replay_next_finding(write, verdict, finding)) {
        json_append_comma(text);
        encode_finding(text, finding, true);
    }
    if (write->index_patch)
        append_index_patch(text, write);
    text_append_string(text, "]");
}

void replay_append_line(struct text *text, const struct replay_write *write)
{
    text_append_string(text, "{");
    append_request(text, write);
    append_conflicts(text, write);
    append_mutations(text, write);
    json_append_member_if_any(text, "tier", slice_of(replay_tier_name(write->tier)));
    if (write->verdict)
        append_findings(text, write, write->verdict);
    if (write->reason != REPLAY_NO_REASON)
        text_append_all(text, ",\"unjudged\":[", as_json(slice_of(replay_reason_name(write->reason))), "]");
    if (write->other) {
        json_append_open(text, "compare", "{");
        json_append_member(text, "tier", slice_of(replay_tier_name(write->tier)));
        append_findings(text, write, write->other);
        text_append_string(text, "}");
    }
    json_append_number_if_any(text, "event", write->number);
    text_append_string(text, "}\n");
}
