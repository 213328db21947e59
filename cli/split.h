/*
 * split.h: several JSON objects in one file, one a line or simply one after another.
 */
#ifndef APPLYGUARD_CLI_SPLIT_H
#define APPLYGUARD_CLI_SPLIT_H

#include "base/slice.h"

/*
 * Takes the first object, as its braces tell it, off the front of `input`, with the space around it. What
 * does not begin as an object or does not end is given whole, for the reader to say what is wrong with it.
 * Empty where there is nothing left. Costs one look at each byte.
 */
struct slice split_first(struct slice *input);

#endif
