/* command.h: the parts that a command and a script share. Private to commands/migrate/. */
#ifndef APPLYGUARD_COMMANDS_MIGRATE_COMMAND_H
#define APPLYGUARD_COMMANDS_MIGRATE_COMMAND_H

#include "commands/migrate/migrate.h"

/* KIND.VERSION.GROUP is unambiguous, but the cluster may serve several versions of KIND.GROUP. */
void migrate_append_kind(struct text *text, const struct migration *migration);

/* Returns -1 and sets the error if kubectl would read a name of the object as a flag. */
int migrate_check_names(const struct blame *blame, struct error *error);

#endif
