/*
 * declare.h: from imperative commands to a manifest: which managers of a live object the manifest takes over,
 * and what its first apply changes.
 */
#ifndef APPLYGUARD_COMMANDS_MIGRATE_DECLARE_H
#define APPLYGUARD_COMMANDS_MIGRATE_DECLARE_H

#include "commands/migrate/migrate.h"

/*
 * The managers of kubectl's commands that own fields of the object, such as kubectl-create and kubectl-edit.
 * Not kubectl-rollout: the next apply would remove its restartedAt, and restart the pods. `items` is NULL if
 * memory runs out.
 */
struct slice_list declare_managers(const struct manifest_object *live, struct arena *arena);

/*
 * Appends what the first server-side apply of the manifest changes once the migration is done, for people:
 * lines behind the line that begins with "the first apply".
 */
void declare_append_changes(
    struct text *text, const struct manifest_object *manifest, const struct manifest_object *live,
    const struct migration *migration);

#endif
