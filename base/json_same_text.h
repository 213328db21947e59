/*
 * json_same_text.h: whether two values were parsed from the same text, found out by comparing the text.
 */
#ifndef APPLYGUARD_BASE_JSON_SAME_TEXT_H
#define APPLYGUARD_BASE_JSON_SAME_TEXT_H

#include <stdbool.h>
#include <yyjson.h>

/*
 * Whether two values are known to be identical because their texts are. This takes a fraction of the time of
 * json_identical, which answers where this returns false: the values differ, or were built or written in
 * another way. Both must come from json_read or json_build, and must not have been changed afterwards.
 */
bool json_same_text(const yyjson_val *a, const yyjson_val *b);

#endif
