/*
 * advice.h: the resolutions for the conflicts of an apply, as explain prints them. Private to this component.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_ADVICE_H
#define APPLYGUARD_COMMANDS_PREVIEW_ADVICE_H

#include "apply/outcome.h"
#include "commands/preview/result.h"

/* For conflicts that make the API server refuse the apply; a forced apply needs none. */
void preview_advise(
    const struct apply_question *question, const struct attempt *attempt, struct arena *arena,
    struct preview *preview);

#endif
