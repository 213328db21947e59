/*
 * last_applied_text.h: parses the text of a last-applied annotation as kubectl does.
 *
 * kubectl decodes it into Go maps: of several members with the same name only the last counts, half a
 * surrogate pair becomes U+FFFD, and more than 10,000 levels are an error. Otherwise Go and yyjson agree on
 * what is JSON: for both, numbers beyond a double, a byte order mark, control characters and trailing text
 * are errors.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_LAST_APPLIED_TEXT_H
#define APPLYGUARD_POLICY_REVIEW_LAST_APPLIED_TEXT_H

#include "base/arena.h"
#include "base/slice.h"

#include <yyjson.h>

/*
 * Returns NULL if the text is not a JSON object or memory runs out. No object in the result has two
 * members with the same name.
 */
yyjson_val *last_applied_parse(struct slice text, struct arena *arena);

#endif
