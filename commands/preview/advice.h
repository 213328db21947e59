/*
 * advice.h: the ways out of the conflicts of an apply, as explain prints them. Private to preview/.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_ADVICE_H
#define APPLYGUARD_COMMANDS_PREVIEW_ADVICE_H

#include "apply/outcome.h"
#include "commands/preview/result.h"

/* Of conflicts for which the API server refuses the apply; what is taken needs no way out. */
void advise(
    const struct preview_question *question, const struct attempt *attempt, struct arena *arena,
    struct preview *preview);

#endif
