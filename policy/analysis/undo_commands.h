/*
 * undo_commands.h: subcommands of kubectl that remove one field, of the ones that people set by another.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_UNDO_COMMANDS_H
#define APPLYGUARD_POLICY_ANALYSIS_UNDO_COMMANDS_H

#include "policy/fieldset/path.h"
#include "policy/review/review.h"

#include <stddef.h>

/* The limit of commands that a sentence names. */
#define UNDO_COMMANDS_MAX 2

/* The commands that remove several fields, each once. All 0: no field is added yet. */
struct undo_commands {
    const char *items[UNDO_COMMANDS_MAX];
    size_t count;       /* more than UNDO_COMMANDS_MAX: too many to name */
    struct slice whole; /* of the only field: kubectl label configmap/web -n default team-; may be empty */
};

/* Adds the command that removes the field: `kubectl rollout resume`, or `kubectl edit`, which removes any. */
void undo_commands_add(struct undo_commands *commands, const struct review *review, const struct path *path);

/* "kubectl label KEY- and kubectl annotate KEY-"; "kubectl edit" where that does it alone. */
struct slice undo_commands_text(const struct undo_commands *commands, struct arena *arena);

#endif
