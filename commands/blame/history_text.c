#include "commands/blame/history_text.h"

#include "base/terminal.h"
#include "base/terminal_columns.h"

/* A longer cell is cut. */
#define CELL_COLUMNS_MAX 64

/* A write in the columns of a line; printable. */
struct line {
    struct slice time;
    struct slice change;
    struct slice manager;
    struct slice user;
    struct slice request;
    struct slice agent;
};

struct page {
    struct text *text;
    const struct blame *blame;
    const struct blame_print *print;
    struct arena *arena;
    size_t manager_width;
    size_t user_width;
    size_t request_width;
    size_t changed; /* the number of listed fields */
    size_t status;  /* the number of fields of the status, which are not listed */
    bool is_measured;
};

static struct slice printable(const struct page *page, struct slice text)
{
    return text.length ? text_printable(page->arena, text_cut(text, 256)) : (struct slice){"", 0};
}

/* The time to the second. */
static struct slice time_of(const struct page *page, const struct history_write *write)
{
    struct slice time = write ? write->time : (struct slice){NULL, 0};
    struct slice seconds = slice_until(time, slice_find(time, '.'));
    return text_join(
        page->arena, as_printable(text_cut(seconds, 32)), seconds.length < time.length ? "Z" : "");
}

static struct slice user_of(const struct page *page, const struct history_write *write)
{
    struct text text = text_start(page->arena, 64);
    text_append_printable(&text, text_cut(write->user, 256));
    if (write->impersonator.length)
        text_append_all(&text, " (by ", as_printable(text_cut(write->impersonator, 256)), ")");
    return text_slice(&text);
}

static struct slice request_of(const struct page *page, const struct history_write *write)
{
    return text_join(
        page->arena, as_printable(text_cut(write->verb, 64)), write->subresource.length ? " " : "",
        as_printable(text_cut(write->subresource, 64)), write->is_forced ? ", forced" : "",
        write->webhooks.length ? ", changed by webhook " : "", as_printable(text_cut(write->webhooks, 256)));
}

static struct line line_of(const struct page *page, const struct history_write *write, const char *change)
{
    return (struct line){
        .time = time_of(page, write),
        .change = slice_of(change),
        .manager = printable(page, write->manager),
        .user = user_of(page, write),
        .request = request_of(page, write),
        .agent = printable(page, slice_until(write->user_agent, slice_find(write->user_agent, ' '))),
    };
}

static void widen(size_t *width, struct slice cell)
{
    size_t columns = terminal_text_columns(cell);
    if (columns > CELL_COLUMNS_MAX)
        columns = CELL_COLUMNS_MAX;
    if (columns > *width)
        *width = columns;
}

static void end_row(struct page *page, struct text *row)
{
    struct slice all = text_slice(row);
    size_t columns = page->print->columns;
    terminal_append_cut(page->text, all, columns ? columns : SIZE_MAX);
    terminal_end_line(page->text);
}

/* Measures the line first, and then prints it. */
static void append_line(struct page *page, const struct line *line)
{
    if (!page->is_measured) {
        widen(&page->manager_width, line->manager);
        widen(&page->user_width, line->user);
        widen(&page->request_width, line->request);
        return;
    }
    struct text row = text_start(page->arena, 160);
    text_append_string(&row, "  ");
    terminal_append_cell(&row, line->time, sizeof("2026-11-23T10:02:11Z") - 1, false);
    terminal_append_cell(&row, line->change, sizeof("changed") - 1, false);
    terminal_append_cell(&row, line->manager, page->manager_width, false);
    terminal_append_cell(&row, line->user, page->user_width, false);
    terminal_append_cell(&row, line->request, page->request_width, false);
    text_append(&row, line->agent);
    end_row(page, &row);
}

/* "kubectl (jane)" */
static void append_writer(struct text *text, const struct page *page, const struct history_write *write)
{
    text_append_all(
        text, printable(page, write->manager), write->manager.length ? " (" : "(", user_of(page, write), ")");
}

/* The writer is unknown: it was this write, or an earlier one. */
static void append_unknown(struct page *page, const struct history_change *change, const char *word)
{
    if (!page->is_measured)
        return;
    struct text row = text_start(page->arena, 160);
    text_append_string(&row, "  ");
    terminal_append_cell(&row, time_of(page, change->write), sizeof("2026-11-23T10:02:11Z") - 1, false);
    terminal_append_cell(&row, slice_of(word), sizeof("changed") - 1, false);
    text_append_string(&row, "(unknown) ");
    if (change->after)
        text_append_all(&row, "after ", time_of(page, change->after), ", ");
    if (change->write) {
        text_append_string(&row, "by ");
        append_writer(&row, page, change->write);
        text_append_string(&row, " or ");
    }
    text_append_string(&row, "by a write that the log does not show");
    end_row(page, &row);
}

static void append_change(struct page *page, const struct history_change *change)
{
    const char *kind = history_kind_name(change->kind);
    if (!change->is_known) {
        append_unknown(page, change, kind);
        return;
    }
    const struct line line = line_of(page, change->write, kind);
    append_line(page, &line);
}

static void append_field(struct page *page, const struct blame_node *node)
{
    const struct field_history *field = node->history;
    page->changed++;
    if (page->is_measured) {
        path_append(page->text, blame_path(node));
        text_append_all(
            page->text, ": ", as_count(field->count, "change", "changes"),
            field->count > history_kept(field) ? ", the last are\n" : "\n");
    }
    for (size_t i = 0; i < history_kept(field); i++)
        append_change(page, history_change(field, i));
}

/* A field that is unchanged since its creation is not listed; a key is not listed because its item is. */
static bool is_listed(const struct page *page, const struct blame_node *node)
{
    const struct history_summary summary = history_summary(page->blame->history);
    if (!node->history || path_is_key_field(blame_path(node)) ||
        (page->print->manager.bytes && !blame_is_owned_by(node, page->print->manager)))
        return false;
    return !summary.is_created || node->history->count > 1 ||
        history_change(node->history, 0)->write != summary.first;
}

/* A controller writes its status all the time: it is listed only if a manager is requested. */
static bool is_status(const struct page *page, const struct blame_node *node)
{
    return node->parent && !node->parent->parent && slice_equal(node->name, SLICE("status")) &&
        !page->print->manager.bytes;
}

static size_t count_listed(const struct page *page, const struct blame_node *node)
{
    size_t count = node->is_field && is_listed(page, node);
    for (size_t i = 0; i < node->child_count && !node->children[i].is_inside; i++)
        count += count_listed(page, &node->children[i]);
    return count;
}

static void append_fields(struct page *page, const struct blame_node *node)
{
    if (is_status(page, node)) {
        page->status = count_listed(page, node);
        return;
    }
    if (node->is_field && node->parent && is_listed(page, node))
        append_field(page, node);
    for (size_t i = 0; i < node->child_count && !node->children[i].is_inside; i++)
        append_fields(page, &node->children[i]);
}

static void append_write(struct page *page, const struct history_write *write)
{
    text_append_all(page->text, time_of(page, write), " by ");
    append_writer(page->text, page, write);
}

static void append_heading(struct page *page, const struct history_summary *summary)
{
    terminal_append_coloured(page->text, TERMINAL_HEADING, "\nHISTORY", page->print->colour);
    if (!summary->first) {
        text_append_string(page->text, "\nThe log has no response with this object.\n");
        return;
    }
    text_append_string(page->text, summary->is_created ? "\nCreated " : "\nKnown since ");
    append_write(page, summary->first);
    text_append_string(
        page->text,
        summary->is_created ? ".\n" : ", the first response in the log; what changed before is unknown.\n");
}

static void append_removals(struct page *page, const struct history_summary *summary)
{
    if (summary->is_recreated) {
        text_append_string(page->text, "Before this object there was another one of this name");
        if (summary->former_removal) {
            text_append_string(page->text, ", deleted ");
            append_write(page, summary->former_removal);
        }
        text_append_string(page->text, "; its history is left out.\n");
    }
    if (summary->removal) {
        text_append_string(page->text, "Its deletion was requested ");
        append_write(page, summary->removal);
        text_append_string(page->text, ".\n");
    }
}

static void append_rest(struct page *page, const struct history_summary *summary)
{
    if (!summary->first)
        return;
    if (page->status)
        text_append_all(
            page->text, ".status: ",
            as_count(
                page->status, "field has changed; -o json shows it\n",
                "fields have changed; -o json shows them\n"));
    text_append_all(
        page->text,
        page->changed || page->status ? "All other fields that it has are " : "All fields that it has are ",
        summary->is_created ? "as they were created" : "as they were then",
        "; those that it no longer has are not shown.\n");
}

static void append_unclear(struct page *page, const struct history_summary *summary)
{
    if (!summary->unclear_total)
        return;
    text_append_all(
        page->text,
        as_count(
            summary->unclear_total, "write whose changes the log does not show",
            "writes whose changes the log does not show"),
        summary->unclear_total > summary->unclear_count ? ", the last are:\n" : ":\n");
    for (size_t i = 0; i < summary->unclear_count; i++) {
        const struct line line = line_of(page, summary->unclear[i].write, "unknown");
        append_line(page, &line);
        text_append_all(page->text, "    ", history_reason_text(summary->unclear[i].reason), "\n");
    }
}

static void append_left_out(struct page *page, const struct history_summary *summary)
{
    if (!summary->dry_runs && !summary->refused)
        return;
    text_append_all(
        page->text,
        "Left out, because they changed nothing: ", as_count(summary->dry_runs, "dry run, ", "dry runs, "),
        as_count(summary->refused, "refused request\n", "refused requests\n"));
}

static void measure(struct page *page, const struct history_summary *summary)
{
    append_fields(page, &page->blame->root);
    for (size_t i = 0; i < summary->unclear_count; i++) {
        const struct line line = line_of(page, summary->unclear[i].write, "unknown");
        append_line(page, &line);
    }
    page->changed = 0;
    page->is_measured = true;
}

void history_append_text(struct text *text, const struct blame *blame, const struct blame_print *print)
{
    const struct history_summary summary = history_summary(blame->history);
    struct page page = {.text = text, .blame = blame, .print = print, .arena = blame->arena};
    measure(&page, &summary);
    append_heading(&page, &summary);
    append_removals(&page, &summary);
    append_fields(&page, &blame->root);
    append_rest(&page, &summary);
    append_unclear(&page, &summary);
    append_left_out(&page, &summary);
}

void history_append_field_text(
    struct text *text, const struct blame *blame, const struct blame_node *node,
    const struct blame_print *print)
{
    struct page page = {.text = text, .blame = blame, .print = print, .arena = blame->arena};
    if (!node->history)
        return;
    append_field(&page, node);
    page.is_measured = true;
    append_field(&page, node);
}
