/*
 * expression.h: the regular expressions that people write for names of field managers.
 *
 * Other tools take any regular expression of Go; names need few of them: ^, $, ., .*, .+, \. and | between
 * alternatives. These are matched as globs, in time linear in the name for each star; whatever else an
 * expression holds makes it one that is not understood, and it matches nothing.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_EXPRESSION_H
#define APPLYGUARD_POLICY_VERDICT_EXPRESSION_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>

/* Longer ones are not understood. */
#define EXPRESSION_BYTES_MAX 256

bool expression_is_understood(struct slice expression, struct arena *arena);

/* Whether a part of the text matches, as Go's MatchString has it: anchors ask for more. */
bool expression_matches(struct slice expression, struct slice text, struct arena *arena);

#endif
