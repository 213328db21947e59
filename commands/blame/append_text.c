#include "base/array_size.h"
#include "base/min.h"
#include "base/terminal.h"
#include "base/terminal_columns.h"
#include "commands/blame/history_text.h"
#include "commands/blame/lines.h"
#include "commands/blame/notes.h"
#include "commands/blame/print.h"

/* The margin's share of a terminal, and the minimum for a manager's name. */
#define MARGIN_SHARE 3 /* of ten columns */
#define MANAGER_COLUMNS_MIN 12

/* The longest operation of Kubernetes itself: "Update ephemeralcontainers". */
#define OPERATION_COLUMNS_MAX 26

struct table {
    struct text *text;
    const struct blame *blame;
    const struct blame_print *print;
    struct blame_row *rows; /* of the entries */
    size_t manager_width;
    size_t operation_width;
    size_t age_width;
    bool has_unowned;
    bool has_untracked;
    bool has_declared;
};

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void measure(struct table *table)
{
    size_t most = SIZE_MAX;
    table->manager_width = sizeof("(nobody)") - 1;
    table->operation_width = sizeof("untracked") - 1;
    table->age_width = sizeof("AGE") - 1;
    for (size_t i = 0; i < table->blame->managed_fields->count; i++) {
        table->manager_width = larger(table->manager_width, terminal_text_columns(table->rows[i].manager));
        table->operation_width =
            larger(table->operation_width, terminal_text_columns(table->rows[i].operation));
        table->age_width = larger(table->age_width, terminal_text_columns(table->rows[i].age));
    }
    if (table->print->columns)
        most = larger(table->print->columns * MARGIN_SHARE / 10, MANAGER_COLUMNS_MIN);
    table->manager_width = min_u64(table->manager_width, most);
    table->operation_width = min_u64(table->operation_width, OPERATION_COLUMNS_MAX);
}

/*
 * Lines
 */

static void set_colour(const struct table *table, const char *code)
{
    if (table->print->colour)
        text_append_string(table->text, code);
}

static void append_margin(
    struct table *table, const char *colour, struct slice manager, struct slice operation, struct slice age)
{
    set_colour(table, colour);
    terminal_append_cell(table->text, manager, table->manager_width, false);
    terminal_append_cell(table->text, operation, table->operation_width, false);
    terminal_append_cell(table->text, age, table->age_width, true);
    set_colour(table, TERMINAL_RESET);
}

static void append_owner(struct table *table, const struct managed_fields_entry *entry)
{
    /* These colours have a middle brightness, so they are legible on black and on white. */
    static const char *const colours[] = {"\033[38;5;30m",  "\033[38;5;28m",  "\033[38;5;134m",
                                          "\033[38;5;33m",  "\033[38;5;166m", "\033[38;5;67m",
                                          "\033[38;5;101m", "\033[38;5;162m"};
    const struct blame_row *row = blame_row_of(table->rows, table->blame, entry);
    append_margin(table, colours[row->colour % ARRAY_SIZE(colours)], row->manager, row->operation, row->age);
}

static void append_nobody(struct table *table, const struct blame_node *field)
{
    bool tracked = field->marks.is_tracked;
    table->has_unowned |= tracked;
    table->has_untracked |= !tracked;
    append_margin(
        table, TERMINAL_AUDIT, SLICE("(nobody)"), tracked ? SLICE("unowned") : SLICE("untracked"),
        (struct slice){"", 0});
}

static void append_mark(struct table *table, bool is_set, const char *mark, const char *colour)
{
    terminal_append_coloured(table->text, colour, is_set ? mark : " ", table->print->colour && is_set);
}

static void append_marks(struct table *table, const struct blame_node *field)
{
    const struct blame_marks none = {0}, *marks = field ? &field->marks : &none;
    table->has_declared |= marks->is_declared && marks->is_tracked;
    append_mark(table, marks->is_declared && marks->is_tracked, "D", TERMINAL_AUDIT);
    /* Never both marks: fields that only people own are stuck. */
    append_mark(
        table, marks->is_stuck || marks->is_held, marks->is_stuck ? "S" : "H",
        marks->is_stuck ? TERMINAL_DENY : TERMINAL_WARN);
    append_mark(table, marks->is_contested, "C", TERMINAL_WARN);
    text_append_string(table->text, "  ");
}

/* A gap of two columns behind each of three columns, three marks, and a gap behind these. */
#define MARGIN_SPACES 11

static size_t margin_width(const struct table *table)
{
    return table->manager_width + table->operation_width + table->age_width + MARGIN_SPACES;
}

static void append_rest(struct table *table, struct slice line)
{
    size_t margin = margin_width(table), columns = table->print->columns;
    terminal_append_cut(table->text, line, columns ? (columns > margin ? columns - margin : 0) : SIZE_MAX);
    terminal_end_line(table->text);
}

static void append_line(void *context, const struct yaml_line *line)
{
    struct table *table = context;
    const struct blame_node *field = line->field;
    const struct blame_holder *owner = field ? blame_next_owner(field, NULL) : NULL;
    if (owner)
        append_owner(table, owner->entry);
    else if (field)
        append_nobody(table, field);
    else
        text_append_spaces(table->text, margin_width(table) - 5);
    append_marks(table, field);
    append_rest(table, line->text);
    while (owner && (owner = blame_next_owner(field, owner))) {
        append_owner(table, owner->entry);
        terminal_end_line(table->text);
    }
}

/*
 * Around the object
 */

static void append_legend(struct table *table)
{
    if (table->has_declared)
        text_append_string(table->text, "D: the last-applied annotation declares it\n");
    if (table->has_unowned)
        text_append_string(
            table->text,
            "unowned: no manager set it: a default, or changed in flight, as by a mutating webhook\n");
    if (table->has_untracked)
        text_append_string(table->text, "untracked: the API server never records an owner\n");
}

static void append_heading(struct table *table)
{
    const struct blame *blame = table->blame;
    struct text name = text_start(blame->arena, 64);
    text_append_all(
        &name, as_printable(blame->kind), " ",
        as_qualified(text_append_printable, blame->namespace, blame->name));
    append_margin(table, TERMINAL_HEADING, SLICE("MANAGER"), SLICE("OPERATION"), SLICE("AGE"));
    text_append_spaces(table->text, 5);
    append_rest(table, text_slice(&name));
}

void blame_append_text(struct text *text, const struct blame *blame, const struct blame_print *print)
{
    struct table table = {.text = text, .blame = blame, .print = print};
    const struct blame_node *root =
        print->manager.bytes ? blame_select(blame, print->manager, BLAME_ALL_ENTRIES) : &blame->root;
    if (!(table.rows = blame_rows_make(blame, print))) {
        text->failed = true;
        return;
    }
    measure(&table);
    append_heading(&table);
    if (!root || !lines_of(root, false, blame->arena, append_line, &table)) {
        text->failed = true;
        return;
    }
    text_append_string(text, "\n");
    blame_append_notes(text, blame, print, table.rows);
    append_legend(&table);
    if (blame->history)
        history_append_text(text, blame, print);
}
