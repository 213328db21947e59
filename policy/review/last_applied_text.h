/*
 * last_applied_text.h: the text of a last-applied annotation, read as kubectl reads it.
 *
 * kubectl decodes it with Go's decoder into maps: of members of one name the last stands, whole, and the
 * others say nothing; half a surrogate pair is U+FFFD; more than 10,000 levels are an error. The rest of what
 * is JSON, and what is not, Go and yyjson agree on: numbers beyond a double, a byte order mark, control
 * characters and trailing text are errors to both.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_LAST_APPLIED_TEXT_H
#define APPLYGUARD_POLICY_REVIEW_LAST_APPLIED_TEXT_H

#include "base/arena.h"
#include "base/slice.h"

#include <yyjson.h>

/* NULL if the text is no JSON object, or there is no memory. No object in it has two members of one name. */
yyjson_val *last_applied_parse(struct slice text, struct arena *arena);

#endif
