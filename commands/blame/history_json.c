#include "commands/blame/history_text.h"

static void append_number(struct text *text, const char *name, size_t number)
{
    text_append_string(text, name);
    text_append_number(text, number);
}

static void append_bool(struct text *text, const char *name, bool is_true)
{
    text_append_string(text, name);
    text_append_string(text, is_true ? "true" : "false");
}

/*
 * The common members of all descriptions of a write, without the brace at the end; texts are empty without a
 * write.
 */
static void append_write(struct text *text, const struct history_write *write)
{
    static const struct history_write none;
    const struct history_write *shown = write ? write : &none;
    text_append_member(text, "{\"time\":", shown->time);
    text_append_member(text, ",\"manager\":", shown->manager);
    text_append_member(text, ",\"user\":", shown->user);
    text_append_member(text, ",\"impersonator\":", shown->impersonator);
    text_append_member(text, ",\"user_agent\":", shown->user_agent);
    text_append_member(text, ",\"verb\":", shown->verb);
    text_append_member(text, ",\"subresource\":", shown->subresource);
    append_bool(text, ",\"force\":", shown->is_forced);
    if (shown->webhooks.length)
        text_append_member(text, ",\"webhooks\":", shown->webhooks);
}

static void append_whole_write(struct text *text, const char *name, const struct history_write *write)
{
    text_append_string(text, name);
    if (!write) {
        text_append_string(text, "null");
        return;
    }
    append_write(text, write);
    text_append_string(text, "}");
}

static void append_change(struct text *text, const struct history_change *change)
{
    static const char *const kinds[] = {
        [HISTORY_SET] = "set", [HISTORY_CHANGED] = "changed", [HISTORY_REMOVED] = "removed"};
    append_write(text, change->write);
    text_append_member(text, ",\"change\":", slice_of(kinds[change->kind]));
    append_bool(text, ",\"known\":", change->is_known);
    text_append_member(text, ",\"after\":", change->after ? change->after->time : (struct slice){NULL, 0});
    text_append_string(text, "}");
}

void history_append_field_json(struct text *text, const struct blame_node *node)
{
    if (!node->marks.is_tracked) {
        text_append_string(text, "null");
        return;
    }
    append_number(text, "{\"count\":", node->history ? node->history->count : 0);
    text_append_string(text, ",\"changes\":[");
    for (size_t i = 0; i < history_kept(node->history); i++) {
        text_append_string(text, i ? "," : "");
        append_change(text, history_change(node->history, i));
    }
    text_append_string(text, "]}");
}

void history_append_json(struct text *text, const struct history *history)
{
    const struct history_summary summary = history_summary(history);
    append_whole_write(text, "{\"first\":", summary.first);
    append_bool(text, ",\"created\":", summary.is_created);
    append_whole_write(text, ",\"last\":", summary.last);
    append_number(text, ",\"unknown\":{\"count\":", summary.unclear_total);
    text_append_string(text, ",\"writes\":[");
    for (size_t i = 0; i < summary.unclear_count; i++) {
        text_append_string(text, i ? "," : "");
        append_write(text, summary.unclear[i].write);
        text_append_member(text, ",\"reason\":", slice_of(history_reason_text(summary.unclear[i].reason)));
        text_append_string(text, "}");
    }
    append_whole_write(text, "]},\"deleted\":", summary.removal);
    append_bool(text, ",\"recreated\":", summary.is_recreated);
    append_whole_write(text, ",\"formerly_deleted\":", summary.former_removal);
    append_number(text, ",\"dry_runs\":", summary.dry_runs);
    append_number(text, ",\"refused\":", summary.refused);
    text_append_string(text, "}");
}
