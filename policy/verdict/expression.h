/*
 * expression.h: a subset of regular expressions, for names of field managers.
 *
 * Annotations of other tools may hold any regular expression of Go, but names need only ^, $, ., .*, .+, \.
 * and | between alternatives. These are matched as globs, in time linear in the name for each star. An
 * expression with anything else is not understood and matches nothing.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_EXPRESSION_H
#define APPLYGUARD_POLICY_VERDICT_EXPRESSION_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>

/* The limit of an expression: longer ones are not understood. */
#define EXPRESSION_BYTES_MAX 256

bool expression_is_understood(struct slice expression, struct arena *arena);

/*
 * Whether a part of the text matches, as with Go's MatchString. To match the whole text, an expression needs
 * anchors.
 */
bool expression_matches(struct slice expression, struct slice text, struct arena *arena);

#endif
