/*
 * custom_number.h: whether a schema allows a number.
 *
 * The API server holds whole numbers as integers of 64 bits, and others as doubles; it cuts the fraction off
 * the limit of an integer.
 */
#ifndef APPLYGUARD_APPLY_MERGE_CUSTOM_NUMBER_H
#define APPLYGUARD_APPLY_MERGE_CUSTOM_NUMBER_H

#include "base/effort.h"

#include <yyjson.h>

/* Whether the API server takes a number for a whole one where strings are allowed, too. */
bool custom_number_is_whole(yyjson_val *number);

/* Whether a number is a whole number of an enumeration once its fraction is cut off. */
bool custom_number_is_choice(yyjson_val *choice, yyjson_val *number);

/* If the answer is not ANSWER_YES, sets what goes on behind the path: "is not a whole number". */
enum search_answer custom_number_fits(yyjson_val *openapi, yyjson_val *number, const char **problem);

#endif
