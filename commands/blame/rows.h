/* rows.h: the entries of managedFields as the margin shows them. Private to this component. */
#ifndef APPLYGUARD_COMMANDS_BLAME_ROWS_H
#define APPLYGUARD_COMMANDS_BLAME_ROWS_H

#include "commands/blame/print.h"

/* How many fields a note lists. */
#define NOTE_FIELDS_MAX 3

/* An entry's text in the margin, and its fields that the object does not have. */
struct blame_row {
    struct slice manager; /* printable */
    struct slice operation;
    struct slice age;
    unsigned colour; /* one for each manager, from 0 */
    struct slice absent[NOTE_FIELDS_MAX];
    size_t absent_count;
};

/* One for each entry, in its order. Returns NULL if memory runs out. */
struct blame_row *blame_rows_make(const struct blame *blame, const struct blame_print *print);

static inline const struct blame_row *blame_row_of(
    const struct blame_row *rows, const struct blame *blame, const struct managed_fields_entry *entry)
{
    return &rows[entry - blame->managed_fields->entries];
}

#endif
