/*
 * split.h: splits a file with several JSON objects, one per line or one after another.
 */
#ifndef APPLYGUARD_CLI_SPLIT_H
#define APPLYGUARD_CLI_SPLIT_H

#include "base/slice.h"

/*
 * Removes the first object, as its braces show it, with surrounding space from the front of `input`, and
 * returns it. Input that does not begin with an object, or whose object does not end, is returned as a whole,
 * so that the JSON reader reports the error. Empty if nothing is left. Linear in the bytes.
 */
struct slice split_first(struct slice *input);

#endif
