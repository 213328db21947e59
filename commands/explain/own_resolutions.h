/*
 * own_resolutions.h: the resolutions of a conflict that applyguard itself warned of or denied, as commands
 * for its object. The message names the fields and the writer in words, so the reader fills in the rest.
 */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_OWN_RESOLUTIONS_H
#define APPLYGUARD_COMMANDS_EXPLAIN_OWN_RESOLUTIONS_H

#include "commands/explain/own_statement.h"
#include "owners/resolutions.h"
#include "policy/rules.h"

#include <stdbool.h>

struct own_conflict {
    enum rule_id rule;
    bool is_denial;
    const struct conflict_object *object; /* without a name that the message cuts */
    struct slice message;
    const struct own_statement *statement;
};

/*
 * Fills those that help; the others stay empty. Returns false if the rule is not about fields that two
 * writers want, or the message does not say which fields. `next` of the resolutions is empty.
 */
bool own_resolutions_find(
    const struct own_conflict *conflict, struct arena *arena,
    struct resolution resolutions[RESOLUTION_COUNT]);

/* The command that shows what the next apply does: of the tool that undoes a change by hand, or the writer's.
 */
struct slice own_preview(const struct own_conflict *conflict, struct arena *arena);

#endif
