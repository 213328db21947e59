#include "audit/mutation.h"
#include "base/json.h"
#include "commands/replay/conflict.h"
#include "commands/replay/replay.h"
#include "policy/verdict/encode_finding.h"

/* One bit is set in each byte of the word that is below `low`, for bytes below 0x80. */
static uint64_t bytes_below(uint64_t word, unsigned char low)
{
    return (word - 0x0101010101010101 * low) & 0x8080808080808080;
}

/* Whether the text is printable as it is, and JSON needs no escape in it. Most are. */
static bool is_plain(struct slice text)
{
    uint64_t odd = 0;
    for (size_t i = 0; i < text.length; i += sizeof(odd)) {
        uint64_t word = 0x2020202020202020;
        memcpy(&word, text.bytes + i, text.length - i < sizeof(word) ? text.length - i : sizeof(word));
        odd |= word | bytes_below(word, ' ') | bytes_below(word ^ 0x2222222222222222, 1) |
            bytes_below(word ^ 0x5c5c5c5c5c5c5c5c, 1) | bytes_below(word ^ 0x7f7f7f7f7f7f7f7f, 1);
    }
    return !(odd & 0x8080808080808080);
}

static char *put(char *end, const void *bytes, size_t length)
{
    memcpy(end, bytes, length);
    return end + length;
}

/* ,"name":"value": of an empty value nothing. The first member of the line has no comma in front. */
static void append_member(struct text *text, const char *name, struct slice value)
{
    size_t length = strlen(name);
    if (!value.length)
        return;
    encode_next(text);
    if (!is_plain(value)) {
        encode_key(text, name);
        text_append_json(text, text_printable(text->arena, value));
        return;
    }
    char *end = text_extend(text, length + value.length + 5);
    if (!end)
        return;
    end = put(put(put(end, "\"", 1), name, length), "\":\"", 3);
    put(put(end, value.bytes, value.length), "\"", 1);
}

static void append_true(struct text *text, const char *name, bool value)
{
    if (!value)
        return;
    encode_next(text);
    encode_key(text, name);
    text_append_string(text, "true");
}

static void append_request(struct text *text, const struct replay_write *write)
{
    const struct audit_event *event = write->event;
    append_member(text, "time", write->time);
    append_member(text, "auditID", event->id);
    append_member(text, "user", event->user);
    append_member(text, "impersonator", event->impersonator);
    append_member(text, "userAgent", event->user_agent);
    append_member(text, "verb", event->verb);
    append_member(text, "kind", write->kind);
    append_member(text, "resource", write->resource);
    append_member(text, "namespace", event->object.namespace);
    append_member(text, "name", write->name);
    append_member(text, "subresource", event->object.subresource);
    append_member(text, "manager", write->manager);
    if (write->has_class)
        append_member(text, "class", slice_of(manager_class_name(write->class)));
    append_true(text, "force", event->is_forced);
    append_true(text, "dryRun", event->is_dry_run);
    if (event->code) {
        text_append_string(text, ",\"code\":");
        text_append_number(text, event->code);
    }
}

static void append_conflicts(struct text *text, const struct replay_write *write)
{
    size_t index, count;
    yyjson_val *cause;
    if (!write->causes)
        return;
    text_append_string(text, ",\"conflicts\":[");
    yyjson_arr_foreach(write->causes, index, count, cause)
    {
        const struct replay_conflict conflict = replay_conflict_of(cause, text->arena);
        encode_next(text);
        text_append_string(text, "{");
        append_member(text, "path", conflict.path);
        append_member(text, "manager", conflict.manager);
        append_member(text, "operation", slice_of(manager_operation_name(conflict.operation)));
        text_append_string(text, "}");
    }
    text_append_string(text, "]");
}

static void append_mutations(struct text *text, const struct replay_write *write)
{
    struct audit_mutations mutations = audit_mutations_of(write->event);
    struct audit_mutation mutation;
    bool is_first = true;
    while (audit_next_mutation(&mutations, text->arena, &mutation)) {
        text_append_string(text, is_first ? ",\"mutatedBy\":[{" : ",{");
        append_member(text, "configuration", mutation.configuration);
        append_member(text, "webhook", mutation.webhook);
        text_append_string(text, "}");
        is_first = false;
    }
    text_append_string(text, is_first ? "" : "]");
}

/* In the form of the rules' findings. */
static void append_index_patch(struct text *text, const struct replay_write *write)
{
    const char *action = action_name(write->index_action);
    encode_next(text);
    text_append_member(text, "{\"rule\":", SLICE(REPLAY_INDEX_PATCH));
    text_append_member(text, ",\"action\":", slice_of(action));
    text_append_member(text, ",\"policyAction\":", slice_of(action));
    text_append_member(text, ",\"message\":", write->index_message);
    text_append_string(text, ",\"fields\":[");
    text_append_json(text, text_printable(text->arena, write->index_patch->path));
    text_append_string(text, "]}");
}

static void append_findings(
    struct text *text, const struct replay_write *write, const struct verdict *verdict)
{
    const struct finding *finding = replay_next_finding(write, verdict, NULL);
    text_append_string(text, replay_is_allowed(write, verdict) ? ",\"allowed\":true" : ",\"allowed\":false");
    if (!finding && !write->index_patch)
        return;
    text_append_string(text, ",\"findings\":[");
    for (; finding; finding = replay_next_finding(write, verdict, finding)) {
        encode_next(text);
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
    append_member(text, "tier", slice_of(replay_tier_name(write->tier)));
    if (write->verdict)
        append_findings(text, write, write->verdict);
    if (write->reason != REPLAY_NO_REASON) {
        text_append_string(text, ",\"unjudged\":[");
        text_append_json(text, slice_of(replay_reason_name(write->reason)));
        text_append_string(text, "]");
    }
    if (write->other) {
        text_append_string(text, ",\"compare\":{\"tier\":");
        text_append_json(text, slice_of(replay_tier_name(write->tier)));
        append_findings(text, write, write->other);
        text_append_string(text, "}");
    }
    if (write->number) {
        text_append_string(text, ",\"event\":");
        text_append_number(text, write->number);
    }
    text_append_string(text, "}\n");
}
