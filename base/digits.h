/*
 * digits.h: whole numbers in decimal digits.
 */
#ifndef APPLYGUARD_BASE_DIGITS_H
#define APPLYGUARD_BASE_DIGITS_H

#include "base/slice.h"

#include <stdint.h>

/* As many as the largest number has. */
#define DIGITS_MAX 20

/* Reads digits without a sign, and nothing else. False if the text is empty, something else, or too large. */
bool digits_parse(struct slice text, size_t *number);

/* Writes the digits of the number to the end of the bytes, and returns them. */
struct slice digits_write(uint64_t number, char bytes[DIGITS_MAX]);

#endif
