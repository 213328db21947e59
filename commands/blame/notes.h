/* notes.h: sentences about the fields that need attention. Private to this component. */
#ifndef APPLYGUARD_COMMANDS_BLAME_NOTES_H
#define APPLYGUARD_COMMANDS_BLAME_NOTES_H

#include "commands/blame/rows.h"

/*
 * A line for each field that is stuck, held or contested, and for each manager that owns fields which the
 * object lacks.
 */
void blame_append_notes(
    struct text *text, const struct blame *blame, const struct blame_print *print,
    const struct blame_row *rows);

#endif
