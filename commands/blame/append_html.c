#include "base/split.h"
#include "commands/blame/history_text.h"
#include "commands/blame/lines.h"
#include "commands/blame/notes.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "report/html.h"
#include "report/html_tables.h"

/* People can distinguish this many colours at a glance; more managers share them, and have their names. */
#define COLOURS 8

static const struct html_page page = {
    .title = "applyguard blame",
    .style =
        ":root { --c0: #007a78; --c1: #2a7a1f; --c2: #9a35b5; --c3: #0b62c4; --c4: #b04a00; --c5: "
        "#4a6c8c; --c6: #7d7320; --c7: #c0186f; }\n"
        "@media (prefers-color-scheme: dark) { :root { --c0: #2fc6c0; --c1: #62c454; --c2: #cf7fe6; "
        "--c3: #63a8ff; --c4: #f08a3c; --c5: #93b4d2; --c6: #cbbf5a; --c7: #ff74b6; } }\n"
        ".c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); } "
        ".c4 { --c: var(--c4); } .c5 { --c: var(--c5); } .c6 { --c: var(--c6); } .c7 { --c: var(--c7); "
        "}\n"
        "h2, li { overflow-wrap: anywhere; } .managers td, .managers th { overflow-wrap: normal; }\n"
        ".owner { display: block; padding-left: .6rem; box-shadow: inset 4px 0 var(--c, var(--line)); }\n"
        ".fields { font-size: .875rem; }\n"
        ".fields td, .fields th { border: 0; padding: 0 .75rem 0 0; }\n"
        ".fields tbody tr:hover { background: var(--head); }\n"
        ".fields td:first-child { white-space: nowrap; position: relative; }\n"
        ".fields code { font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; }\n"
        ".fields td:last-child { width: 99%; padding-right: 0; }\n"
        ".marks { white-space: nowrap; }\n"
        ".changes { font: inherit; color: var(--bar); background: none; border: 0; padding: 0; cursor: "
        "pointer; text-decoration: underline; }\n"
        ".history { color: inherit; background: var(--back); border: 1px solid var(--soft); padding: "
        ".5rem 1rem; }\n"
        "pre { font: .8125rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: "
        "anywhere; margin: 0 0 1rem; }\n"
        ".history { margin: auto; max-width: 95vw; white-space: pre; overflow: auto; }\n"
        ".changes:hover + .history:not(:popover-open), .changes:focus-visible + "
        ".history:not(:popover-open) { display: block; position: fixed; inset: auto 1rem; margin: 0; "
        "z-index: 1; }\n"
        "@media (max-width: 48rem) { .fields, .fields tbody { display: block; } .fields thead { display: "
        "none; } .fields tr { display: flex; flex-wrap: wrap; } .fields td:first-child { flex-basis: "
        "100%; } .fields td:last-child { width: auto; } .fields td:empty { display: none; } }\n",
};

/* An object that is being written. */
struct writing {
    struct text *text;
    const struct blame *blame;
    const struct blame_print *print;
    const struct blame_row *rows;
    size_t number; /* of the field, for names on the page */
};

void blame_append_html_begin(struct text *text)
{
    html_append_begin(text, &page);
    text_append_string(text, "<h1>Who owns which field</h1>\n");
}

void blame_append_html_end(struct text *text)
{
    html_append_end(text, &page);
}

/*
 * Managers
 */

static void begin_owner(struct text *text, const struct blame_row *row)
{
    text_append_all(text, "<span class=\"owner c", row->colour % COLOURS, "\">", as_html(row->manager));
}

static void append_manager(const struct writing *writing, size_t number)
{
    struct text *text = writing->text;
    const struct managed_fields_entry *entry = &writing->blame->managed_fields->entries[number];
    enum manager_class class = ownership_class(&writing->blame->review->ownership, entry);
    text_append_string(text, "<tr><th scope=\"row\">");
    begin_owner(text, &writing->rows[number]);
    text_append_all(
        text, "</span></th>", as_cell(writing->rows[number].operation),
        as_cell(slice_of(manager_class_name(class))), as_cell(entry->time), "</tr>\n");
}

static void append_managers(const struct writing *writing)
{
    text_append_string(
        writing->text,
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Managers\">\n<table "
        "class=\"managers\">\n<caption>Managers</caption>\n<thead><tr><th scope=\"col\">manager</th>"
        "<th scope=\"col\">operation</th><th scope=\"col\">class</th><th scope=\"col\">last "
        "wrote</th></tr></thead>\n"
        "<tbody>\n");
    for (size_t i = 0; i < writing->blame->managed_fields->count; i++)
        append_manager(writing, i);
    text_append_string(writing->text, "</tbody>\n</table>\n</div>\n");
}

/*
 * Fields
 */

static void append_owner(const struct writing *writing, const struct managed_fields_entry *entry)
{
    struct text *text = writing->text;
    const struct blame_row *row = blame_row_of(writing->rows, writing->blame, entry);
    begin_owner(text, row);
    text_append_all(
        text, " <span class=\"soft\">", as_html(row->operation), " ", as_html(row->age), "</span></span>");
}

static void append_owners(const struct writing *writing, const struct blame_node *field)
{
    const struct blame_holder *owner = NULL;
    while ((owner = blame_next_owner(field, owner)))
        append_owner(writing, owner->entry);
    if (blame_next_owner(field, NULL))
        return;
    text_append_all(
        writing->text, "<span class=\"owner soft\">(nobody) ",
        field->marks.is_tracked ? "unowned" : "untracked", "</span>");
}

static void append_id(struct text *text, const struct writing *writing)
{
    text_append_all(text, "h", writing->print->number, "-", writing->number);
}

/* The changes appear while the pointer is over the button, or it has the focus; a click lets them stay. */
static void append_history(const struct writing *writing, const struct blame_node *field)
{
    struct text *text = writing->text;
    struct text changes = text_start(writing->blame->arena, 512);
    if (!writing->blame->history || !field->history)
        return;
    history_append_field_text(&changes, writing->blame, field, writing->print);
    text->failed |= changes.failed;
    text_append_string(text, "<button type=\"button\" class=\"changes\" popovertarget=\"");
    append_id(text, writing);
    text_append_all(
        text, "\">", as_count(field->history->count, "change", "changes"),
        "</button><pre popover class=\"history\" id=\"");
    append_id(text, writing);
    text_append_string(text, "\">");
    html_append_lines(text, text_slice(&changes));
    text_append_string(text, "</pre>");
}

static void append_mark(struct text *text, bool is_set, const char *mark, const char *style)
{
    if (!is_set)
        return;
    text_append_all(text, "<span class=\"", style, "\">", mark, "</span> ");
}

static void append_marks(struct text *text, const struct blame_marks *marks)
{
    append_mark(text, marks->is_declared && marks->is_tracked, "declared", "soft");
    append_mark(text, marks->is_stuck, "stuck", "deny");
    append_mark(text, marks->is_held && !marks->is_stuck, "held", "warn");
    append_mark(text, marks->is_contested, "contested", "warn");
}

static void append_line(void *context, const struct yaml_line *line)
{
    struct writing *writing = context;
    struct text *text = writing->text;
    text_append_string(text, "<tr><td>");
    if (line->field)
        append_owners(writing, line->field);
    text_append_string(text, "</td><td class=\"marks\">");
    if (line->field)
        append_marks(text, &line->field->marks);
    if (line->field)
        append_history(writing, line->field);
    text_append_all(text, "</td><td><code>", as_html(line->text), "</code></td></tr>\n");
    writing->number++;
}

static void append_name(struct text *text, const struct blame *blame)
{
    text_append_all(
        text, as_html(blame->kind), " ", as_qualified(html_append_escaped, blame->namespace, blame->name));
}

static void append_fields(struct writing *writing, const struct blame_node *root)
{
    struct text *text = writing->text;
    text_append_string(text, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Fields of ");
    append_name(text, writing->blame);
    text_append_string(
        text,
        "\">\n<table class=\"fields\">\n<caption>Fields</caption>\n<thead><tr><th scope=\"col\">owner</th>"
        "<th scope=\"col\">marks</th><th scope=\"col\">object</th></tr></thead>\n<tbody>\n");
    text->failed |= !lines_of(root, false, writing->blame->arena, append_line, writing);
    text_append_string(text, "</tbody>\n</table>\n</div>\n");
}

/*
 * Below the fields
 */

/* An item for each line. */
static void append_items(struct text *text, struct slice lines)
{
    text_append_string(text, lines.length ? "<ul>\n" : "");
    for (struct slice rest = lines; rest.length;) {
        struct slice line = split_next(&rest, '\n');
        text_append_all(text, "<li>", as_html(line), "</li>\n");
    }
    text_append_string(text, lines.length ? "</ul>\n" : "");
}

static void append_legend(struct text *text)
{
    text_append_string(
        text,
        "<p class=\"soft\">declared: the last-applied annotation declares the field. unowned: no manager "
        "set it: a default, or changed in flight, as by a mutating webhook. untracked: the API server "
        "never records an owner.</p>\n");
}

static void append_notes(const struct writing *writing)
{
    struct text notes = text_start(writing->blame->arena, 512);
    blame_append_notes(&notes, writing->blame, writing->print, writing->rows);
    writing->text->failed |= notes.failed;
    append_items(writing->text, text_slice(&notes));
}

static void append_whole_history(const struct writing *writing)
{
    struct text history = text_start(writing->blame->arena, 2048);
    if (!writing->blame->history)
        return;
    history_append_text(&history, writing->blame, writing->print);
    writing->text->failed |= history.failed;
    text_append_string(writing->text, "<h3>History</h3>\n<pre>");
    html_append_lines(writing->text, slice_from(text_slice(&history), sizeof("\nHISTORY\n") - 1));
    text_append_string(writing->text, "</pre>\n");
}

void blame_append_html(struct text *text, const struct blame *blame, const struct blame_print *print)
{
    const struct blame_node *root =
        print->manager.bytes ? blame_select(blame, print->manager, BLAME_ALL_ENTRIES) : &blame->root;
    struct writing writing = {
        .text = text, .blame = blame, .print = print, .rows = blame_rows_make(blame, print)};
    if (!root || !writing.rows) {
        text->failed = true;
        return;
    }
    text_append_string(text, "<h2>");
    append_name(text, blame);
    text_append_string(text, "</h2>\n");
    append_managers(&writing);
    append_fields(&writing, root);
    append_notes(&writing);
    append_legend(text);
    append_whole_history(&writing);
}
