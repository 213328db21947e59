/*
 * digits.h: whole numbers in decimal digits.
 */
#ifndef APPLYGUARD_BASE_DIGITS_H
#define APPLYGUARD_BASE_DIGITS_H

#include "base/slice.h"

/* Reads digits without a sign, and nothing else. False if the text is empty, something else, or too large. */
bool digits_parse(struct slice text, size_t *number);

#endif
