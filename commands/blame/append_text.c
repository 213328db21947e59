#include "base/array_size.h"
#include "base/min.h"
#include "base/terminal.h"
#include "base/terminal_columns.h"
#include "commands/blame/age.h"
#include "commands/blame/history_text.h"
#include "commands/blame/lines.h"
#include "commands/blame/print.h"
#include "policy/analysis/restarts.h"

/* The margin's share of a terminal, and the minimum for a manager's name. */
#define MARGIN_SHARE 3 /* of ten columns */
#define MANAGER_COLUMNS_MIN 12

/* The longest operation of Kubernetes itself: "Update ephemeralcontainers". */
#define OPERATION_COLUMNS_MAX 26

/* How many fields a note lists. */
#define NOTE_FIELDS_MAX 3

/* So many managers are distinguished by colour. */
#define COLOURED_ENTRIES_MAX 64

/* An entry's text in the margin, and its fields that the object does not have. */
struct row {
    struct slice manager; /* printable */
    struct slice operation;
    struct slice age;
    unsigned colour;
    struct slice absent[NOTE_FIELDS_MAX];
    size_t absent_count;
};

struct table {
    struct text *text;
    const struct blame *blame;
    const struct blame_print *print;
    struct row *rows; /* of the entries */
    size_t manager_width;
    size_t operation_width;
    size_t age_width;
    bool has_unowned;
    bool has_untracked;
    bool has_declared;
};

/*
 * The rows
 */

/* The name begins a line. */
static struct slice manager_of(const struct table *table, const struct managed_fields_entry *entry)
{
    struct text text = text_start(table->blame->arena, 64);
    text_append_string(&text, terminal_guard(entry->manager.name));
    terminal_append(&text, entry->manager.name);
    return text_slice(&text);
}

static struct slice operation_of(const struct table *table, const struct managed_fields_entry *entry)
{
    struct text text = text_start(table->blame->arena, 32);
    text_append_string(&text, manager_operation_name(entry->manager.operation));
    if (entry->manager.subresource.length) {
        text_append_string(&text, " ");
        text_append_printable(&text, entry->manager.subresource);
    }
    return text_slice(&text);
}

static struct slice age_of(const struct table *table, const struct managed_fields_entry *entry)
{
    struct text text = text_start(table->blame->arena, 16);
    age_append(&text, entry->time, table->print->now);
    return text_slice(&text);
}

/* The colour of the manager's earlier entry, or a new one. */
static unsigned colour_of(
    const struct managed_fields *side, const struct row *rows, size_t number, unsigned *next)
{
    for (size_t i = 0; i < number && i < COLOURED_ENTRIES_MAX; i++)
        if (slice_equal(side->entries[i].manager.name, side->entries[number].manager.name))
            return rows[i].colour;
    return (*next)++;
}

static void find_absent(struct table *table)
{
    const struct managed_fields *side = table->blame->managed_fields;
    for (const struct blame_absent *each = table->blame->absent; each; each = each->next) {
        struct row *row = &table->rows[each->entry - side->entries];
        if (row->absent_count < NOTE_FIELDS_MAX)
            row->absent[row->absent_count] = each->path;
        row->absent_count++;
    }
}

/* Returns false if memory runs out. */
static bool make_rows(struct table *table)
{
    const struct managed_fields *side = table->blame->managed_fields;
    unsigned next_colour = 0;
    table->rows = arena_allocate_array(table->blame->arena, side->count, sizeof(*table->rows));
    if (!table->rows)
        return false;
    for (size_t i = 0; i < side->count; i++) {
        struct row *row = &table->rows[i];
        row->manager = manager_of(table, &side->entries[i]);
        row->operation = operation_of(table, &side->entries[i]);
        row->age = age_of(table, &side->entries[i]);
        row->colour = colour_of(side, table->rows, i, &next_colour);
    }
    find_absent(table);
    return true;
}

static const struct row *row_of(const struct table *table, const struct managed_fields_entry *entry)
{
    return &table->rows[entry - table->blame->managed_fields->entries];
}

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
    const struct row *row = row_of(table, entry);
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
 * Notes
 */

static void append_path(struct table *table, const struct blame_node *field)
{
    path_append(table->text, blame_path(field));
}

static void append_managers(struct table *table, const struct blame_node *field)
{
    const struct blame_holder *owner = NULL;
    for (bool is_first = true; (owner = blame_next_owner(field, owner)); is_first = false) {
        text_append_string(table->text, is_first ? "" : ", ");
        text_append(table->text, row_of(table, owner->entry)->manager);
    }
}

static void note_stuck(struct table *table, const struct blame_node *field)
{
    append_path(table, field);
    text_append_string(table->text, " is stuck: no apply removes it, because it belongs only to ");
    append_managers(table, field);
    text_append_string(
        table->text,
        field_is_restart(blame_path(field))
            ? "; leave it as it is: it only records when the pods were restarted\n"
            : "; add it to the manifest or delete it by hand\n");
}

static void note_held(struct table *table, const struct blame_node *field)
{
    append_path(table, field);
    text_append_string(table->text, " is held by hand, too: it belongs to ");
    append_managers(table, field);
    text_append_string(
        table->text,
        ", so a change in the manifest conflicts unless forced, and no apply removes it; hand it over with "
        "applyguard migrate\n");
}

static void note_contested(struct table *table, const struct blame_node *field)
{
    append_path(table, field);
    text_append_string(table->text, " is contested: it belongs to ");
    append_managers(table, field);
    text_append_string(table->text, blame_next_owner(field, NULL) ? "" : "nobody");
    text_append_string(
        table->text,
        field->marks.is_set_back
            ? ", and last-applied declares another value, which the next kubectl apply sets\n"
            : ", which all apply it; keep it in only one manifest\n");
}

/* If an item is stuck, its content is stuck as well, so only the item is noted. */
static void append_notes(struct table *table, const struct blame_node *node, bool is_noted)
{
    bool is_shown =
        node->is_field && (!table->print->manager.bytes || blame_is_owned_by(node, table->print->manager));
    if (is_shown && node->marks.is_stuck && !is_noted)
        note_stuck(table, node);
    if (is_shown && node->marks.is_held)
        note_held(table, node);
    if (is_shown && node->marks.is_contested)
        note_contested(table, node);
    for (size_t i = 0; i < node->child_count && !node->children[i].is_inside; i++)
        append_notes(table, &node->children[i], is_noted || node->marks.is_stuck);
}

static void note_absent(struct table *table, const struct row *row)
{
    if (!row->absent_count)
        return;
    text_append(table->text, row->manager);
    for (size_t i = 0; i < row->absent_count && i < NOTE_FIELDS_MAX; i++) {
        text_append_string(table->text, i ? ", " : " owns ");
        text_append(table->text, row->absent[i]);
    }
    if (row->absent_count > NOTE_FIELDS_MAX) {
        text_append_string(table->text, " and ");
        text_append_number(table->text, row->absent_count - NOTE_FIELDS_MAX);
        text_append_string(table->text, " more");
    }
    text_append_string(table->text, ", which the object does not have\n");
}

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
    text_append_printable(&name, blame->kind);
    text_append_string(&name, " ");
    text_append_printable(&name, blame->namespace);
    text_append_string(&name, blame->namespace.length ? "/" : "");
    text_append_printable(&name, blame->name);
    append_margin(table, TERMINAL_HEADING, SLICE("MANAGER"), SLICE("OPERATION"), SLICE("AGE"));
    text_append_spaces(table->text, 5);
    append_rest(table, text_slice(&name));
}

void blame_append_text(struct text *text, const struct blame *blame, const struct blame_print *print)
{
    struct table table = {.text = text, .blame = blame, .print = print};
    const struct blame_node *root =
        print->manager.bytes ? blame_select(blame, print->manager, BLAME_ALL_ENTRIES) : &blame->root;
    if (!make_rows(&table)) {
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
    append_notes(&table, &blame->root, false);
    for (size_t i = 0; i < blame->managed_fields->count; i++)
        note_absent(&table, &table.rows[i]);
    append_legend(&table);
    if (blame->history)
        history_append_text(text, blame, print);
}
