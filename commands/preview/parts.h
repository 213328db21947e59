/* parts.h: the lists of a preview, from the outcome of an apply. Private to this component. */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_PARTS_H
#define APPLYGUARD_COMMANDS_PREVIEW_PARTS_H

#include "apply/outcome.h"
#include "commands/preview/result.h"

void parts_changes(
    const struct attempt *attempt, const struct outcome *outcome, struct arena *arena,
    struct preview *preview);
void parts_conflicts(
    const struct attempt *attempt, const struct outcome *outcome, struct arena *arena,
    struct preview *preview);
void parts_kept(
    const struct attempt *attempt, const struct outcome *outcome, struct arena *arena,
    struct preview *preview);

/* Lists the fields that other managers lose. */
void parts_reverted(
    const struct attempt *attempt, const struct outcome *outcome, const struct apply_question *question,
    struct arena *arena, struct preview *preview);

#endif
