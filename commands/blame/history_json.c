#include "base/json_append.h"
#include "commands/blame/history_text.h"

/*
 * The common members of all descriptions of a write, without the brace at the end; texts are empty without a
 * write.
 */
static void append_write(struct text *text, const struct history_write *write)
{
    static const struct history_write none;
    const struct history_write *shown = write ? write : &none;
    text_append_string(text, "{");
    json_append_exact(text, "time", shown->time);
    json_append_exact(text, "manager", shown->manager);
    json_append_exact(text, "user", shown->user);
    json_append_exact(text, "impersonator", shown->impersonator);
    json_append_exact(text, "user_agent", shown->user_agent);
    json_append_exact(text, "verb", shown->verb);
    json_append_exact(text, "subresource", shown->subresource);
    json_append_bool(text, "force", shown->is_forced);
    if (shown->webhooks.length)
        json_append_exact(text, "webhooks", shown->webhooks);
}

static void append_whole_write(struct text *text, const char *name, const struct history_write *write)
{
    json_append_key(text, name);
    if (!write) {
        text_append_string(text, "null");
        return;
    }
    append_write(text, write);
    text_append_string(text, "}");
}

static void append_change(struct text *text, const struct history_change *change)
{
    append_write(text, change->write);
    json_append_exact(text, "change", slice_of(history_kind_name(change->kind)));
    json_append_bool(text, "known", change->is_known);
    json_append_exact(text, "after", change->after ? change->after->time : (struct slice){NULL, 0});
    text_append_string(text, "}");
}

void history_append_field_json(struct text *text, const struct blame_node *node)
{
    if (!node->marks.is_tracked) {
        text_append_string(text, "null");
        return;
    }
    text_append_string(text, "{");
    json_append_number(text, "count", node->history ? node->history->count : 0);
    json_append_open(text, "changes", "[");
    for (size_t i = 0; i < history_kept(node->history); i++) {
        json_append_comma(text);
        append_change(text, history_change(node->history, i));
    }
    text_append_string(text, "]}");
}

void history_append_json(struct text *text, const struct history *history)
{
    const struct history_summary summary = history_summary(history);
    text_append_string(text, "{");
    append_whole_write(text, "first", summary.first);
    json_append_bool(text, "created", summary.is_created);
    append_whole_write(text, "last", summary.last);
    json_append_open(text, "unknown", "{");
    json_append_number(text, "count", summary.unclear_total);
    json_append_open(text, "writes", "[");
    for (size_t i = 0; i < summary.unclear_count; i++) {
        json_append_comma(text);
        append_write(text, summary.unclear[i].write);
        json_append_exact(text, "reason", slice_of(history_reason_text(summary.unclear[i].reason)));
        text_append_string(text, "}");
    }
    text_append_string(text, "]}");
    append_whole_write(text, "deleted", summary.removal);
    json_append_bool(text, "recreated", summary.is_recreated);
    append_whole_write(text, "formerly_deleted", summary.former_removal);
    json_append_number(text, "dry_runs", summary.dry_runs);
    json_append_number(text, "refused", summary.refused);
    text_append_string(text, "}");
}
