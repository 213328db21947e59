/*
 * script.h: the patches of many objects as one script for a shell.
 *
 * Each step patches one object if it still has the resourceVersion that was read. The script can be run
 * again: it skips an object whose entries have moved already, and reports one that has changed since.
 */
#ifndef APPLYGUARD_COMMANDS_MIGRATE_SCRIPT_H
#define APPLYGUARD_COMMANDS_MIGRATE_SCRIPT_H

#include "commands/migrate/migrate.h"

/* The beginning, for this number of objects. */
void migrate_append_script_begin(struct text *text, const struct migrate_sending *sending, size_t count);

/*
 * One object, with the way back as a comment. Appends nothing if there is nothing to migrate. Returns -1 and
 * sets the error if kubectl would read a name of the object as a flag.
 */
int migrate_append_step(
    struct text *text, const struct migration *migration, const struct migrate_sending *sending,
    struct error *error);

void migrate_append_script_end(struct text *text);

#endif
