#include "commands/blame/rows.h"

#include "base/terminal.h"
#include "commands/blame/age.h"

/* So many managers are distinguished by colour. */
#define COLOURED_ENTRIES_MAX 64

/* The name begins a line. */
static struct slice manager_of(struct arena *arena, const struct managed_fields_entry *entry)
{
    return text_join(arena, terminal_guard(entry->manager.name), as_terminal(entry->manager.name));
}

static struct slice operation_of(struct arena *arena, const struct managed_fields_entry *entry)
{
    struct text text = text_start(arena, 32);
    text_append_string(&text, manager_operation_name(entry->manager.operation));
    if (entry->manager.subresource.length)
        text_append_all(&text, " ", as_printable(entry->manager.subresource));
    return text_slice(&text);
}

static struct slice age_of(struct arena *arena, const struct managed_fields_entry *entry, int64_t now)
{
    struct text text = text_start(arena, 16);
    age_append(&text, entry->time, now);
    return text_slice(&text);
}

/* The colour of the manager's earlier entry, or a new one. */
static unsigned colour_of(
    const struct managed_fields *side, const struct blame_row *rows, size_t number, unsigned *next)
{
    for (size_t i = 0; i < number && i < COLOURED_ENTRIES_MAX; i++)
        if (slice_equal(side->entries[i].manager.name, side->entries[number].manager.name))
            return rows[i].colour;
    return (*next)++;
}

static void find_absent(const struct blame *blame, struct blame_row *rows)
{
    for (const struct blame_absent *each = blame->absent; each; each = each->next) {
        struct blame_row *row = &rows[each->entry - blame->managed_fields->entries];
        if (row->absent_count < NOTE_FIELDS_MAX)
            row->absent[row->absent_count] = each->path;
        row->absent_count++;
    }
}

struct blame_row *blame_rows_make(const struct blame *blame, const struct blame_print *print)
{
    const struct managed_fields *side = blame->managed_fields;
    struct arena *arena = blame->arena;
    unsigned next_colour = 0;
    struct blame_row *rows = arena_allocate_array(arena, side->count, sizeof(*rows));
    if (!rows)
        return NULL;
    for (size_t i = 0; i < side->count; i++) {
        rows[i].manager = manager_of(arena, &side->entries[i]);
        rows[i].operation = operation_of(arena, &side->entries[i]);
        rows[i].age = age_of(arena, &side->entries[i], print->now);
        rows[i].colour = colour_of(side, rows, i, &next_colour);
    }
    find_absent(blame, rows);
    return rows;
}
